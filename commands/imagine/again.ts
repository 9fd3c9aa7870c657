import { button, customId } from '../../src/messages/buttons.ts';
import { checkSeen } from './inputs.ts';
import type { Invocation } from './invocation.ts';
import { optionsOf } from './options-of-job.ts';
import { requestOnce } from './request.ts';
import { parentOf, shownJob } from './shown-job.ts';

export const againButton = (jobId: string, label: string) =>
  button.secondary(label, customId('imagine', 'again', jobId));

export async function makeAgain(invocation: Invocation<readonly string[]>): Promise<void> {
  const job = await shownJob(invocation, invocation.options[0]);
  await checkSeen(invocation, job);
  const parent = parentOf(invocation, job);
  await requestOnce(invocation, ['again', job.id], optionsOf(job), { parent, repeats: true });
}
