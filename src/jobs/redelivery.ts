import type { Log } from '@darkroom/process';
import { withTimeout } from '@darkroom/time';
import { markDelivered } from './deliver.ts';
import type { Delivery, FindResult } from './delivery-port.ts';
import { guildOfRequest, type Job, withholding } from './job.ts';
import { type Caller, replyTo } from './job-request.ts';
import type { JobStore } from './job-store.ts';

/** How long an earlier delivery may be looked for before an interaction is acknowledged, in real milliseconds. */
const FIND_TIMEOUT_MS = 1_500;

interface RedeliveryDependencies {
  jobs: Pick<JobStore, 'find' | 'save' | 'saveAndSettle'>;
  delivery: Pick<Delivery, 'find'>;
  log: Log;
}

/** How a job that waits is delivered elsewhere; `flagged` as it is there. */
export interface Redelivery extends Pick<Job, 'flagged'> {
  /** Whether only its member may see it there; as it was asked for unless given. */
  private?: boolean;
  /** Resolves with the id of the reply, where Discord tells it. `private`: only the caller may see it. */
  acknowledge(options: { private: boolean }): Promise<string | undefined>;
}

/**
 * Makes a job that waits one that is delivered as the reply to another interaction of its member, which is
 * acknowledged once that is certain. `begun`: it is written, and is to be run. `over`: the job no longer waits, or
 * has been delivered. `unanswered`: Discord did not say in time whether it was.
 */
export async function beginRedelivery(
  id: string,
  { interaction, guildId, channelId, away, attachmentLimit }: Caller,
  { private: ofPlace = false, flagged, acknowledge }: Redelivery,
  deps: RedeliveryDependencies,
): Promise<{ state: 'begun'; job: Job } | { state: 'over' | 'unanswered' }> {
  const { jobs } = deps;
  const job = await jobs.find(id);
  if (job?.state !== 'waiting') return { state: 'over' };
  const found: Awaited<ReturnType<typeof findInTime>> =
    job.waitReason === 'refused' ? { state: 'absent' } : await findInTime(job, deps);
  if (found.state === 'unanswered') return { state: 'unanswered' };
  if (found.state === 'found') {
    await jobs.saveAndSettle(markDelivered(job, found.message));
    return { state: 'over' };
  }
  const { withheld: _, away: __, flagged: ___, ...kept } = job;
  const hidden = ofPlace || kept.private || withholding({ ...kept, flagged }).private === true;
  const messageId = await acknowledge({ private: hidden });
  const fresh: Job = {
    ...kept,
    // From now on its reply is one that only its member sees, where it is private.
    private: hidden,
    ...(flagged && { flagged }),
    ...(away && { away }),
    guildId,
    askedIn: guildOfRequest(job),
    channelId,
    attachmentLimit,
    // Written before anything is sent: after a crash nobody knows whether it arrived.
    waitReason: 'unconfirmed',
    reply: { ...replyTo(interaction), messageId },
    secrets: { apiKey: job.secrets?.apiKey, interactionToken: interaction.token },
  };
  await jobs.save(fresh);
  return { state: 'begun', job: fresh };
}

/** Asked once: a member waits for the answer. */
async function findInTime(
  job: Job,
  { delivery, log }: RedeliveryDependencies,
): Promise<FindResult | { state: 'unanswered' }> {
  try {
    return await withTimeout(FIND_TIMEOUT_MS, (signal) => delivery.find(job, signal));
  } catch (error) {
    log.warn({ err: error, job: job.id }, 'an outcome could not be looked for');
    return { state: 'unanswered' };
  }
}
