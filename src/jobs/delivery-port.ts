import type { Job, MessageLocation, WaitReason } from './job.ts';
import type { TaskProgress } from './task-progress.ts';

/** A picture, byte for byte as the service gave it. */
export interface JobPicture {
  bytes: Uint8Array;
  contentType: string;
  task: number;
}

/**
 * Fetches a finished picture of the image service, in the turn of its server. One attempt; rejects as
 * `ImageClient.download` does.
 */
export type FetchPicture = (
  job: Pick<Job, 'guildId' | 'member'>,
  address: string,
  options: { maxBytes: number; signal: AbortSignal },
) => Promise<Omit<JobPicture, 'task'>>;

/**
 * Fetches a picture that is not finished. Undefined where it is not there within `withinMs` real milliseconds, or is
 * too large. Never rejects.
 */
export type FetchPreview = (
  job: Pick<Job, 'guildId' | 'member'>,
  address: string,
  options: { withinMs: number; signal: AbortSignal },
) => Promise<Omit<JobPicture, 'task'> | undefined>;

/** A finished picture that is not in memory until it is read. */
export interface FinishedPicture {
  task: number;
  /** Bytes, or about so many: more once reading it has shown that. */
  readonly size: number;
  /** Whether the store holds it for its member. */
  saved?: true;
  /** Rejects where it cannot be had any more, or with the reason of `signal`. */
  read(signal: AbortSignal): Promise<JobPicture>;
}

/**
 * Whether an outcome has been delivered already. `absent`: for certain not. `unknown`: it may be in a message that
 * the bot cannot read, or have been in one that was deleted.
 */
export type FindResult =
  | { state: 'found'; message: MessageLocation }
  | { state: 'absent' }
  | { state: 'unknown' };

/**
 * Writes down until when what was shown, and given up, may still take the place of what comes after it, in
 * milliseconds since the epoch. Never rejects.
 */
export type NoteLate = (lateUntil: number) => Promise<void>;

/** Delivers a job's progress and outcome to its member. Implemented in `src/delivery`, by Discord's library. */
export interface Delivery {
  /**
   * Shows how far the job is; paced and conflated inside. Never throws. Every poll says so: it costs next to nothing
   * where neither `job` nor `progress` is another object than before. `noteLate` is that of the first time.
   */
  show(job: Job, progress: readonly TaskProgress[], noteLate: NoteLate): void;
  /**
   * Drops what waits to be shown: another process follows the job from now on. Resolves when nothing is on its way,
   * which would come after what that process shows.
   */
  stopShowing(jobId: string): Promise<void>;
  /**
   * Resolves when an outcome that was put aside may be tried again: after `ms`, or earlier where Discord was down and
   * is back. Rejects with the reason of `signal`.
   */
  rest(ms: number, signal: AbortSignal): Promise<void>;
  /**
   * Hands the outcome to the member: the pictures there are, and an explanation for every failed task. Repeating it
   * does not post twice. Where the outcome is a message other than the reply, `beforePosting` is awaited before it is
   * sent, and `onPosted` before the reply links to it. `shownAt`: since when its member sees it, in milliseconds since
   * the epoch, which may be long before. Rejects with the reason of `signal`, as a picture does that cannot be read, or
   * with a mistake of ours.
   */
  deliver(
    job: Job,
    pictures: readonly FinishedPicture[],
    signal: AbortSignal,
    posting: {
      beforePosting(): Promise<void>;
      onPosted(message: MessageLocation): Promise<void>;
    },
  ): Promise<
    | { state: 'delivered'; message: MessageLocation; shownAt: number }
    | { state: 'waiting'; reason: WaitReason }
  >;
  /**
   * Removes the reply of a job that was cancelled. `kept`: it cannot be removed. `unconfirmed`: Discord failed for too
   * long. Repeating it does no harm. Rejects with the reason of `signal`.
   */
  withdraw(job: Job, signal: AbortSignal): Promise<'withdrawn' | 'kept' | 'unconfirmed'>;
  /**
   * Tells the member, and nobody else, that a moderator has cancelled their job, where that is still possible.
   * Rejects only with the reason of `signal`.
   */
  tellCancelled(job: Job, signal: AbortSignal): Promise<void>;
  /**
   * Tells its member that the outcome is there, and was at `shownAt`, if they want that. After its end is written;
   * never throws.
   */
  tellReady(job: Job, shownAt: number): void;
  /**
   * The message with which an earlier attempt delivered the outcome after all; the reply is then edited to link to
   * it. Rejects with the signal's reason, or where Discord fails temporarily.
   */
  find(job: Job, signal: AbortSignal): Promise<FindResult>;
}
