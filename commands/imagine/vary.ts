import { ButtonStyle } from 'discord.js';
import { button, customId } from '../../src/messages/buttons.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import type { Invocation } from './invocation.ts';
import { parentOf } from './parent.ts';
import { optionsOf, request } from './request.ts';
import { shownJob } from './shown-job.ts';

/** How many pictures one press makes. */
const VARIATIONS = 2;

export const varyButton = (jobId: string, task: number, { actions }: Texts) =>
  button(ButtonStyle.Secondary, actions.vary, customId('imagine', 'vary', jobId, `${task}`));

/**
 * Makes others of the same words at once, without a question, around the same composition where the service can; pressed
 * twice in a moment, once.
 */
export async function vary(invocation: Invocation<readonly string[]>): Promise<void> {
  const { options, caller, reply, context } = invocation;
  const [jobId = '', task = ''] = options;
  const job = await shownJob(jobId, invocation);
  const { seed, variation_of = seed, ...typed } = optionsOf(job, { task: Number(task) });
  const varied = { ...typed, ...(variation_of !== undefined && { variation_of }), count: VARIATIONS };
  const parent = { ...parentOf(job, invocation, Number(task)), varied: true as const };
  const make = () => request(invocation, varied, { parent, asks: false, repeats: true });
  if (!(await context.pictures.presses.once(`${caller.member.id}:vary:${jobId}:${task}`, make))) {
    await reply.acknowledge();
  }
}
