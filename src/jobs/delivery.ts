import type { ServiceErrorKind } from '../errors.ts';
import type { Job } from './job.ts';

/** What is known of a task that is under way, beyond what its row says. */
export interface TaskProgress {
  /** Whether the service works on it, and it does not wait there any more. */
  begun: boolean;
  /** 0 to 100, never falling; undefined where the service does not say. */
  percent: number | undefined;
  queuePosition: number | undefined;
  /** Milliseconds since the epoch; steady while the service's estimate barely moves, and perhaps past. */
  expectedAt: number | undefined;
  /** Why the last poll failed, while it is being repeated. */
  trouble: ServiceErrorKind | undefined;
}

/** A finished picture, byte for byte as the service gave it. */
export interface Picture {
  bytes: Uint8Array;
  contentType: string;
  /** Which of the job's tasks made it. */
  task: number;
}

/** Where the outcome of a job stands. */
export interface Place {
  channelId: string;
  messageId: string;
}

/**
 * What became of an outcome; `waiting`: no way leads to the member now. `unsure`: because Discord failed, and whether an
 * attempt arrived is not known; worth another try later, unless it is `unseen` as well: nobody can find out.
 */
export type Outcome =
  | ({ state: 'delivered' } & Place)
  | { state: 'waiting'; unsure: boolean; unseen?: boolean };

/** `nowhere`: for certain. `unknown`: it may stand where nobody can look, or have stood in a message that was deleted. */
export type Whereabouts = Place | 'nowhere' | 'unknown';

/** The way from a job to its member. The bot implements it; jobs know nothing of Discord. */
export interface Delivery {
  /** Shows how far the job is; paced and conflated inside. Never throws. */
  show(job: Job, progress: readonly TaskProgress[]): void;
  /**
   * Hands the outcome to the member: the pictures there are, and an explanation for every failed task. Rejects with the
   * signal's reason, or with a mistake of ours. Repeating it does not post twice. `onPosted` is waited for once the
   * outcome stands beside the reply, which has yet to say so.
   */
  deliver(
    job: Job,
    pictures: readonly Picture[],
    signal: AbortSignal,
    onPosted: (place: Place) => Promise<void>,
  ): Promise<Outcome>;
  /**
   * Where an earlier attempt has put the outcome after all; a reply that is left behind says so. Rejects with the signal's
   * reason, or where Discord fails in passing.
   */
  find(job: Job, signal: AbortSignal): Promise<Whereabouts>;
}
