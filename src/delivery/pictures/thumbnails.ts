import type { Log } from '@darkroom/process';
import { type Clock, createCache, createSemaphore, refdClock, withTimeout } from '@darkroom/time';
import type { Job, MessageLocation } from '../../jobs/job.ts';
import { isFlagged } from '../../jobs/job-task.ts';
import { classifyDiscordError, unlessGone } from '../classify-discord-error.ts';
import type { MessageApi, ReadMessage } from '../message-api.ts';

/** How long pictures may be looked for, and how long turning a page waits for that to end, in real milliseconds. */
const TIMEOUT_MS = 1_500;
const ENDING_MS = 1_000;

/** How many messages are read at once: they are among the fifty requests that Discord allows a bot in a second. */
const AT_ONCE = 10;

/** For how long an answer of Discord holds, and a page is remembered; how many of each are kept at most. */
const HOLDS_MS = 60_000;
const MOST = 1_000;

/** What stands where a job showed its pictures: the address of one, or nothing any more. */
export type Thumbnail = { state: 'found'; url: string } | { state: 'gone' };

/** The pictures of a member's jobs, as Discord shows them; what is hidden, or where the bot cannot look, has none. */
export type Thumbnails = ReturnType<typeof createThumbnails>;

export function createThumbnails({
  discord,
  clock,
  log,
}: {
  discord: Pick<MessageApi, 'read'>;
  clock: Clock;
  log: Log;
}) {
  /** The page of each reader, which is turned when it aborts, and what is shown on it. */
  const pages = createCache<string, { turned: AbortController; shown: Promise<void> }>({
    max: MOST,
    ttlMs: HOLDS_MS,
    clock,
  });
  /** `none`: where there is nothing to show. */
  const answers = createCache<string, Thumbnail | 'none'>({ max: MOST, ttlMs: HOLDS_MS, clock });
  const readings = createSemaphore(AT_ONCE);

  async function read(shown: MessageLocation, signal: AbortSignal): Promise<Thumbnail | undefined> {
    const { messageId } = shown;
    const known = answers.get(messageId);
    if (known) return known === 'none' ? undefined : known;
    const release = readings.tryAcquire(1);
    if (!release) return undefined;
    try {
      const thumbnail = await ask(shown, signal);
      answers.set(messageId, thumbnail ?? 'none');
      return thumbnail;
    } finally {
      release();
    }
  }

  async function ask(shown: MessageLocation, signal: AbortSignal): Promise<Thumbnail | undefined> {
    try {
      const read = withTimeout(TIMEOUT_MS, (within) => discord.read(shown, within), { signal });
      const message = await unlessGone(read);
      return message ? thumbnailOf(message) : { state: 'gone' };
    } catch (error) {
      // What Discord forbids is not asked for again soon: it counts that.
      if (classifyDiscordError(error).kind !== 'temporary') return undefined;
      throw error;
    }
  }

  async function find(jobs: readonly Job[], signal: AbortSignal): Promise<Map<string, Thumbnail>> {
    const found = new Map<string, Thumbnail>();
    const looks = jobs.map(async (job) => {
      const location = shownAt(job);
      const thumbnail = location && (await read(location, signal));
      if (thumbnail) found.set(job.id, thumbnail);
    });
    await Promise.allSettled(looks);
    return found;
  }

  return {
    /** The reader turns to a page, and away from the one before. */
    turn(readerId: string) {
      const last = pages.get(readerId);
      last?.turned.abort();
      const page = { turned: new AbortController(), shown: Promise.resolve() };
      pages.set(readerId, page);
      const { signal } = page.turned;
      return {
        /** Resolves when nothing more is shown on the page before. */
        before: last && Promise.race([last.shown, refdClock.sleep(ENDING_MS)]),
        /**
         * Looks for the pictures of the jobs on this page, and has it shown once more with what was found, by the jobs'
         * ids; unless its reader has turned it meanwhile. Resolves at once.
         */
        add(jobs: readonly Job[], show: (found: ReadonlyMap<string, Thumbnail>) => Promise<void>): void {
          const work = async () => {
            const found = await find(jobs, signal);
            if (!signal.aborted && found.size > 0) await show(found);
          };
          page.shown = work().catch((error: unknown) => {
            if (!signal.aborted) log.info({ err: error }, 'a page of jobs got no pictures');
          });
        },
      };
    },
  };
}

/** Where the bot can look at a picture that nothing hides. */
function shownAt({ state, posted, channelId, spoiler, tasks, ...job }: Job): MessageLocation | undefined {
  const isHidden = spoiler === true || tasks.some(isFlagged);
  // Its direct messages are open to the bot; a private reply is not, nor is a channel in which it is no member.
  const isOutOfReach = posted?.channelId === channelId && (job.private || job.away === true);
  return state !== 'delivered' || isHidden || isOutOfReach ? undefined : posted;
}

function thumbnailOf({ attachments }: ReadMessage): Thumbnail | undefined {
  // A message in which one of them is hidden was made by somebody who wanted that.
  if (attachments.some(({ name }) => name.startsWith('SPOILER_'))) return undefined;
  const picture = attachments.find(({ contentType }) => contentType?.startsWith('image/'));
  return picture && { state: 'found', url: picture.url };
}
