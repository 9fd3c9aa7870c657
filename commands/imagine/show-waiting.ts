import type { Job } from '../../src/jobs/job.ts';
import { button, customId } from '../../src/messages/buttons.ts';
import { UserError } from '../../src/messages/user-error.ts';
import type { Invocation } from './invocation.ts';
import { checkPublic } from './publish.ts';
import { readTerms, type Terms } from './terms.ts';

export const showWaitingButton = (jobId: string, label: string) =>
  button.primary(label, customId('imagine', 'show', jobId));

/** Shows its member here what waits for them: to them alone where the server lets nobody else see it by now. */
export async function showWaiting(invocation: Invocation<readonly string[]>): Promise<void> {
  const { options, caller, reply, texts, context } = invocation;
  const { tracker } = context.pictures;
  const reading = readTerms(invocation);
  const job = await tracker.find(options[0] ?? '');
  if (job?.member.id !== caller.member.id || job.state !== 'waiting') throw new UserError(texts.jobs.over);
  const terms = await reading;
  const redelivery = await tracker.redeliver(job.id, caller, {
    private: !(await mayBePublic(job, terms, invocation)),
    flagged: terms.flagged,
    acknowledge: ({ private: hidden }) => reply.deferReply({ ephemeral: hidden }),
  });
  if (redelivery !== 'begun') throw new UserError(texts.jobs[redelivery]);
}

async function mayBePublic(job: Job, terms: Terms, invocation: Invocation): Promise<boolean> {
  try {
    await checkPublic(job, terms, invocation);
    return true;
  } catch (error) {
    if (error instanceof UserError) return false;
    throw error;
  }
}
