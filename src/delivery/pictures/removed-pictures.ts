import type { Log } from '@darkroom/process';
import { withTimeout } from '@darkroom/time';
import { aloneAt, isOutcome, isOver, type Job, type MessageLocation, outcomeAt } from '../../jobs/job.ts';
import type { JobStore } from '../../jobs/job-store.ts';
import { classifyDiscordError, unlessGone } from '../classify-discord-error.ts';
import type { MessageApi, ReadMessage } from '../message-api.ts';

/**
 * How long it may take to look for a picture, in real milliseconds: whoever presses a button gets a first answer
 * within three seconds.
 */
const TIMEOUT_MS = 1_500;

/** For a message that its member waits to be deleted, in real milliseconds. */
const DELETION_TIMEOUT_MS = 10_000;

/** So many messages with one picture of a job are known. */
export const MOST_ALONE = 20;

/** Pictures whose message is deleted, or was, after it had shown them. */
export type RemovedPictures = ReturnType<typeof createRemovedPictures>;

export function createRemovedPictures({
  jobs,
  discord,
  log,
}: {
  jobs: Pick<JobStore, 'find' | 'amend'>;
  discord: Pick<MessageApi, 'read' | 'delete'>;
  log: Log;
}) {
  const note = (jobId: string, messageId: string): Promise<void> =>
    jobs.amend(jobId, (job) => (isOutcome(job, messageId) ? { ...job, removed: true } : job));

  const takeBack = ({ id }: Job): Promise<void> =>
    jobs
      .amend(id, ({ removed: _, ...job }) => job)
      .catch((err: unknown) =>
        log.warn(
          { err, job: id },
          'that a picture still stands could not be written; it is taken for deleted',
        ),
      );

  /** Undefined where Discord does not say. `until`: as `performance.now()` counts. */
  async function isGone(job: Job, posted: MessageLocation, until: number): Promise<boolean | undefined> {
    const leftMs = Math.max(0, until - performance.now());
    try {
      const read = withTimeout(leftMs, (signal) => discord.read(posted, signal));
      return (await unlessGone(read)) === undefined;
    } catch (error) {
      log.info({ err: error, job: job.id }, 'nobody knows whether a picture is still there');
      return undefined;
    }
  }

  async function isOutcomeGone(job: Job, until: number): Promise<boolean> {
    const { removed: noted = false } = job;
    const posted = outcomeAt(job);
    if (!posted || !isOver(job) || job.private || job.away) return noted;
    const gone = (await isGone(job, posted, until)) ?? noted;
    if (gone && !noted) await note(job.id, posted.messageId);
    // Discord had failed to delete it, or the process that was about to have it deleted has died.
    if (!gone && noted) await takeBack(job);
    return gone;
  }

  return {
    /** Undefined where there is no message. */
    read: (posted: MessageLocation): Promise<ReadMessage | undefined> =>
      unlessGone(withTimeout(DELETION_TIMEOUT_MS, (signal) => discord.read(posted, signal))),

    /** Deletes a message by the bot's own token. Says whether it was there: one that is gone already is as good. */
    deleteByBot: (posted: MessageLocation): Promise<boolean> =>
      withTimeout(DELETION_TIMEOUT_MS, (signal) => discord.delete(posted, signal)),

    /**
     * Deletes a message by `deletion`, which says whether it was there. Where the message shows the outcome of this
     * job, the job is marked as removed before, and no longer if nothing was deleted. `waiting`: nothing was deleted,
     * because that outcome waits to be posted again. Rejects as `deletion` does.
     */
    async remove(
      jobId: string | undefined,
      messageId: string,
      deletion: () => Promise<boolean>,
    ): Promise<'removed' | 'absent' | 'waiting'> {
      const job = jobId === undefined ? undefined : await jobs.find(jobId);
      const shown = job && isOutcome(job, messageId) ? job : undefined;
      if (shown?.state === 'waiting') return 'waiting';
      if (shown) await note(shown.id, messageId);
      let wasThere = false;
      let isUnknown = false;
      try {
        wasThere = await deletion();
      } catch (error) {
        const failure = classifyDiscordError(error);
        isUnknown = failure.kind === 'temporary' && failure.mayHaveArrived;
        throw error;
      } finally {
        if (shown && !shown.removed && !wasThere && !isUnknown) await takeBack(shown);
      }
      // Who has looked for it in between has found it there, and has taken the note back.
      if (shown && wasThere)
        await note(shown.id, messageId).catch((err: unknown) =>
          log.warn(
            { err, job: shown.id },
            'that a picture was deleted could not be written; it is taken for one that stands',
          ),
        );
      return wasThere ? 'removed' : 'absent';
    },

    /**
     * Whether the message that shows the outcome of a job was deleted; with `task`, also the one in which that picture
     * stands alone. Discord is asked where everybody sees them, as moderators may have deleted them without us; while
     * it does not say, what is written counts.
     */
    async has(job: Job, task?: number): Promise<boolean> {
      const until = performance.now() + TIMEOUT_MS;
      if (!(await isOutcomeGone(job, until))) return false;
      const alone = aloneAt(job, task);
      return !alone || (!job.away && (await isGone(job, alone, until)) === true);
    },

    /** Writes that a picture stands alone in a message that everybody sees. */
    async noteAlone(
      { id, alone = [] }: Job,
      task: number,
      { channelId, messageId }: MessageLocation,
    ): Promise<void> {
      if (aloneAt({ alone }, task)?.messageId === messageId) return;
      await jobs.amend(id, (job) => {
        const others = (job.alone ?? []).filter((one) => one.messageId !== messageId);
        return { ...job, alone: [...others.slice(1 - MOST_ALONE), { task, channelId, messageId }] };
      });
    },
  };
}
