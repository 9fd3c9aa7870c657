import { canBeShownAgain, isLost } from '../../src/delivery/job-links.ts';
import { mayDiffer } from '../../src/delivery/outcome-buttons.ts';
import { FileGoneError } from '../../src/jobs/input.ts';
import type { Job } from '../../src/jobs/job.ts';
import { button, customId } from '../../src/messages/buttons.ts';
import { UserError, unlessRefused } from '../../src/messages/user-error.ts';
import type { Invocation } from './invocation.ts';
import { checkPublic } from './publish.ts';
import { readRules } from './rules.ts';

export const showButton = (jobId: string, label: string) =>
  button.primary(label, customId('imagine', 'show', jobId));

/** Shows its member here what waits for them, or once more what Discord's client has forgotten by now. */
export async function show(invocation: Invocation<readonly string[]>): Promise<void> {
  const { options, caller, texts, context } = invocation;
  const job = await context.pictures.tracker.find(options[0] ?? '');
  const now = caller.interaction.createdAt;
  if (job?.member.id !== caller.member.id) throw new UserError(texts.jobs.over);
  if (job.state === 'waiting') return showWaiting(invocation, job);
  if (canBeShownAgain(job, now)) return showAgain(invocation, job);
  if (isLost(job, now)) throw new UserError(texts.actions.fileGone);
  throw new UserError(job.removed ? texts.actions.removed : texts.jobs.over);
}

/** To them alone where the server lets nobody else see it by now. */
async function showWaiting(invocation: Invocation<readonly string[]>, job: Job): Promise<void> {
  const { caller, reply, texts, context } = invocation;
  const rules = await readRules(invocation);
  const isAllowed = checkPublic(invocation, job, rules).then(() => true);
  const redelivery = await context.pictures.tracker.redeliver(job.id, caller, {
    private: !(await unlessRefused(isAllowed)),
    flagged: rules.flagged,
    acknowledge: ({ private: hidden }) => reply.deferReply({ ephemeral: hidden }),
  });
  if (redelivery !== 'begun') throw new UserError(texts.jobs[redelivery]);
}

/** Asks for nothing: it costs nothing, and where it comes to nothing it is pressed again. */
async function showAgain(invocation: Invocation, job: Job): Promise<void> {
  const { caller, reply, texts, context } = invocation;
  const messageId = await reply.promise();
  const { flagged } = await readRules(invocation);
  const showing = context.pictures.publications.showAgain({ ...job, flagged }, caller, async (message) => {
    await reply.editReply(message);
    return { channelId: caller.channelId, messageId: messageId ?? job.id };
  });
  const { state } = await showing.catch((cause: unknown) => {
    if (!(cause instanceof FileGoneError)) throw cause;
    const again = mayDiffer(job) ? context.nextSteps.again?.(job.id, texts.picture.again) : undefined;
    throw new UserError(texts.jobs.notHandedOut, { cause, nextSteps: [again] });
  });
  if (state !== 'sent') throw new UserError(texts.jobs.notShown);
}
