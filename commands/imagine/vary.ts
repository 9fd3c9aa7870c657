import { makesOthers } from '../../src/jobs/task-submission.ts';
import { button, customId } from '../../src/messages/buttons.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { UserError } from '../../src/messages/user-error.ts';
import type { ImagineOptions } from '../../src/requests/imagine-options.ts';
import { changesOf, checkSeen, inputOf } from './inputs.ts';
import type { Invocation } from './invocation.ts';
import { optionsOf } from './options-of-job.ts';
import { requestOnce } from './request.ts';
import { parentOf, shownJob } from './shown-job.ts';

/** How many pictures one press makes. */
const VARIATIONS = 2;

/** How much of the picture changes, where the service begins with it. */
const STRENGTHS = { subtly: 0.35, strongly: 0.7 } as const;
type HowMuch = keyof typeof STRENGTHS;

/** Without `howMuch`: as subtly as the service can. */
export const varyButton = (
  jobId: string,
  task: number,
  howMuch: HowMuch | undefined,
  { actions, source }: Texts,
) =>
  button.secondary(
    howMuch === undefined
      ? actions.vary
      : { subtly: source.varySubtly, strongly: source.varyStrongly }[howMuch],
    customId('imagine', 'vary', jobId, task, howMuch),
  );

/**
 * Makes others of the same words at once, without a question: from the picture itself where the service changes
 * pictures, else around the same composition where it can.
 */
export async function vary(invocation: Invocation<readonly string[]>): Promise<void> {
  const { options, texts } = invocation;
  const [jobId = '', writtenTask = '', howMuch] = options;
  const task = Number(writtenTask);
  const job = await shownJob(invocation, jobId);
  const strength = STRENGTHS[howMuch === 'strongly' ? 'strongly' : 'subtly'];
  const { seed, variation_of = seed, ...asked } = optionsOf(job, { task });
  const isWordless = job.graph !== undefined || asked.prompt.trim() === '';
  const [offer] = isWordless ? [] : await changesOf(invocation, job, { strength: true });
  if (!offer) {
    if (!makesOthers(job)) throw new UserError(texts.source.notOffered.edit([]));
    await checkSeen(invocation, job);
  }
  // What begins with the picture keeps its size.
  const { size: _, ...unsized } = asked;
  const varied: ImagineOptions = offer
    ? {
        ...unsized,
        workflow: offer.name,
        strength,
        source: { operation: 'edit', input: inputOf(invocation, job, task) },
      }
    : { ...asked, variation_of };
  const parent = { ...parentOf(invocation, job, offer && task), varied: true as const };
  const typed = { ...varied, count: VARIATIONS };
  const how = { parent, needsConfirmation: false, repeats: true };
  await requestOnce(invocation, ['vary', jobId, writtenTask, howMuch ?? ''], typed, how);
}
