import { ButtonStyle } from 'discord.js';
import { button, customId } from '../../src/messages/buttons.ts';
import type { Invocation } from './invocation.ts';
import { optionsOf, request } from './request.ts';
import { parentOf, shownJob } from './shown-job.ts';
import { checkSeen } from './starting-picture.ts';

export const repeatButton = (jobId: string, label: string) =>
  button(ButtonStyle.Secondary, label, customId('imagine', 'again', jobId));

/** Makes once more what a job was asked for; pressed twice in a moment, once. */
export async function makeAgain(invocation: Invocation<readonly string[]>): Promise<void> {
  const { options, caller, reply, context } = invocation;
  const [jobId = ''] = options;
  const job = await shownJob(jobId, invocation);
  await checkSeen(job, invocation);
  const again = () =>
    request(invocation, optionsOf(job), { parent: parentOf(job, invocation), repeats: true });
  if (!(await context.pictures.presses.once(`${caller.member.id}:again:${jobId}`, again)))
    await reply.acknowledge();
}
