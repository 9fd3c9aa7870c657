import type { Log } from '@darkroom/process';
import { type Clock, createInFlight, withTimeout } from '@darkroom/time';
import { type AttachedFile, FileGoneError } from '../../jobs/input.ts';
import { isOver, type Job, type MessageLocation } from '../../jobs/job.ts';
import type { Caller } from '../../jobs/job-request.ts';
import type { JobStore } from '../../jobs/job-store.ts';
import { isKept } from '../../jobs/job-task.ts';
import type { Message } from '../../messages/message.ts';
import type { createDelivery } from '../delivery.ts';
import type { SendResult } from '../sender.ts';
import type { RemovedPictures } from './removed-pictures.ts';
import type { ShownPictures } from './shown-pictures.ts';

/** For everything together, in real milliseconds: a member waits for it. */
const TIMEOUT_MS = 90_000;

/** Of so many messages that show an outcome once more is known that they do. */
const MOST_COPIES = 20;

/**
 * What became of a private picture that its member shows to everybody:
 * - `public` it stands at `message`
 * - `undelivered` its own outcome is not certain to have arrived; nothing was posted
 * - `removed` it was deleted meanwhile, and so was what was posted
 * - `refused` Discord does not take it; nothing was posted
 * - `unconfirmed` Discord failed; a repeat looks for it before it posts it
 * - `unverifiable` it may have been posted where nobody can look; a repeat posts it
 */
export type Published =
  | { state: 'public'; message: MessageLocation | undefined }
  | { state: 'undelivered' | 'removed' | 'refused' | 'unconfirmed' | 'unverifiable' };

/** Deletes a message that everybody sees. */
type Remove = (posted: MessageLocation) => Promise<unknown>;

export type Publications = ReturnType<typeof createPublications>;

export function createPublications({
  jobs,
  publisher,
  pictures,
  deleteByBot,
  clock,
  log,
}: {
  jobs: Pick<JobStore, 'find' | 'amend'>;
  publisher: Pick<ReturnType<typeof createDelivery>, 'publish' | 'findPublished' | 'showAgain'>;
  pictures: ShownPictures;
  deleteByBot: RemovedPictures['deleteByBot'];
  clock: Pick<Clock, 'now'>;
  log: Log;
}) {
  const stopping = new AbortController();
  const inFlight = createInFlight();
  const shown = ({ publishing: _, withheld: __, copies: ___, ...job }: Job): Job => ({
    ...job,
    private: false,
  });

  /** Writes that a job is public, because everybody sees `posted`; resolves with the job as it is then. */
  async function notePublic(job: Job, posted: MessageLocation): Promise<Job> {
    let { removed } = job;
    await jobs.amend(job.id, (before) => {
      removed = before.removed;
      return { ...shown(before), posted };
    });
    return { ...shown(job), posted, removed };
  }

  /** Everybody sees `posted`: it stays unless its member has deleted the picture meanwhile. */
  async function settle(job: Job, posted: MessageLocation, remove: Remove = deleteByBot): Promise<Published> {
    const { removed } = await notePublic(job, posted);
    try {
      if (!removed) return { state: 'public', message: posted };
      await remove(posted);
      return { state: 'removed' };
    } catch (error) {
      log.warn({ err: error, job: job.id }, 'what was published of a deleted picture could not be deleted');
      return { state: 'public', message: posted };
    }
  }

  const forget = (id: string) => jobs.amend(id, ({ publishing: _, ...before }) => before);

  /** Rejects with `FileGoneError`; after any other failure nobody knows what has arrived. */
  const ask = <Result>(job: Job, call: (signal: AbortSignal) => Promise<Result>) =>
    withTimeout(TIMEOUT_MS, call, { signal: stopping.signal }).catch((error: unknown) => {
      if (error instanceof FileGoneError) throw error;
      log.warn({ err: error, job: job.id }, 'it is not known whether a picture was shown');
      return { state: 'unconfirmed' } as const;
    });

  /** `canLook`: whether the bot can read the channel in which an earlier attempt may have arrived. */
  async function findEarlier(job: Job, canLook: boolean) {
    if (job.publishing === undefined) return { state: 'absent' } as const;
    return canLook
      ? ask(job, (signal) => publisher.findPublished(job, signal))
      : ({ state: 'unknown' } as const);
  }

  async function publish(
    jobId: string,
    files: readonly AttachedFile[],
    {
      locale,
      flagged,
      away,
    }: {
      /** Of the server. */
      locale: string;
      flagged: Job['flagged'];
      /** Where the bot is no member, and cannot look for it; by its own token unless given. */
      away?: { post(message: Message): Promise<MessageLocation>; remove: Remove } | undefined;
    },
  ): Promise<Published> {
    const hidden = await jobs.find(jobId);
    if (!hidden || !isOver(hidden)) return { state: 'undelivered' };
    if (!hidden.private) return { state: 'public', message: hidden.posted };

    const earlier = await findEarlier(hidden, !away);
    if (earlier.state === 'found') return settle(hidden, earlier.message);
    if (earlier.state === 'unconfirmed') return earlier;
    if (earlier.state === 'unknown') {
      await forget(jobId);
      return { state: 'unverifiable' };
    }

    const publishing = clock.now();
    await jobs.amend(jobId, ({ flagged: _, ...before }) => ({
      ...before,
      ...(flagged && { flagged }),
      publishing,
    }));
    // To look took a while: it may have been removed or erased since.
    const intended = await jobs.find(jobId);
    if (intended?.publishing !== publishing) return { state: 'undelivered' };
    if (intended.removed) {
      await forget(jobId);
      return { state: 'removed' };
    }
    const job = { ...intended, private: false, member: { ...intended.member, locale } };
    const finished = pictures.of(intended, files);
    const sent = await ask(job, (signal) => publisher.publish(job, finished, signal, away?.post));
    if (sent.state === 'sent') return settle(intended, sent.location, away?.remove);
    // Where nobody can look, its member is told so, and decides whether it is there.
    if (sent.state !== 'unconfirmed') await forget(jobId);
    return { state: sent.state };
  }

  /** Only a deletion asks for it. */
  async function noteCopy({ id }: Job, messageId: string): Promise<void> {
    const note = (before: Job) =>
      before.private
        ? { ...before, copies: [...(before.copies ?? []).slice(1 - MOST_COPIES), messageId] }
        : before;
    await jobs
      .amend(id, note)
      .catch((err: unknown) =>
        log.warn({ err, job: id }, 'where a picture was shown again could not be written down'),
      );
  }

  async function showAgain(
    shown: Job,
    { member, attachmentLimit, interaction }: Pick<Caller, 'member' | 'attachmentLimit' | 'interaction'>,
    edit: (message: Message) => Promise<MessageLocation>,
  ): Promise<SendResult> {
    const job = { ...shown, member, attachmentLimit };
    const kept = pictures.of(job, []).filter(({ task }) => isKept(job.tasks[task], interaction.createdAt));
    const sent = await ask(job, (signal) => publisher.showAgain(job, kept, signal, edit));
    if (sent.state === 'sent') await noteCopy(job, sent.location.messageId);
    return sent;
  }

  return {
    notePublic,

    /**
     * Shows its member the outcome of a private job once more, by `edit`: those of its pictures that the image service
     * keeps. Rejects with `FileGoneError`.
     */
    showAgain: (...request: Parameters<typeof showAgain>) => inFlight.add(showAgain(...request)),

    /**
     * Posts the outcome of a private job in its channel, once. That it is to be posted is written before, and that it
     * is public after. Rejects with `FileGoneError`. `files`: of the message that shows it.
     */
    publish: (...request: Parameters<typeof publish>) => inFlight.add(publish(...request)),

    /** Resolves once nothing is posted any more; what was under way is `unconfirmed`. */
    async stop(): Promise<void> {
      stopping.abort(new Error('Darkroom is stopping'));
      await inFlight.settled();
    },
  };
}
