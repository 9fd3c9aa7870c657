import type { ServiceErrorKind } from '@darkroom/image-api';

/**
 * What the parts of the bot tell of their work, in milliseconds. They know nothing of who counts it. Some of it is
 * told at every poll, so telling takes about a microsecond; it never throws.
 */
export interface Metrics {
  /** Discord has acknowledged the first answer to an interaction that arrived here so long before. */
  firstAnswer(ms: number): void;
  unanswered(): void;
  /** A poll begins, so long after it was due. */
  poll(lateMs: number): void;
  /** A picture stands in the chat, so long after the service had said that the last one of its job was completed. */
  delivered(ms: number): void;
  /** A run of a job has ended; `state`: one of the few that a job ends in. */
  jobEnded(state: string): void;
  /** An edit that shows progress was sent, failed, or was dropped for a newer one or the outcome. */
  progressEdit(result: 'sent' | 'failed' | 'dropped'): void;
  /** Discord has answered a request with this HTTP status, or not at all. */
  discordRequest(status: number | 'none', ms: number): void;
  serviceCall(operation: string, result: 'ok' | ServiceErrorKind, ms: number): void;
  storeCall(operation: StoreOperation, result: 'ok' | 'failed', ms: number): void;
}

export const STORE_OPERATIONS = ['read', 'list', 'insert', 'write', 'take', 'delete', 'wipe'] as const;
export type StoreOperation = (typeof STORE_OPERATIONS)[number];

const ignore = () => undefined;

/** Nobody counts. */
export const noMetrics: Metrics = {
  firstAnswer: ignore,
  unanswered: ignore,
  poll: ignore,
  delivered: ignore,
  jobEnded: ignore,
  progressEdit: ignore,
  discordRequest: ignore,
  serviceCall: ignore,
  storeCall: ignore,
};

/** What stands at this moment; read when somebody asks. */
export interface Readings {
  runningJobs: number;
  /** Milliseconds since the oldest of them was asked for; 0 without one. */
  oldestJobMs: number;
  /** Calls to the image service that wait for their server's turn. */
  waitingCalls: number;
  /** Tasks that wait for their turn to be submitted. */
  waitingTurns: number;
  /** For so many milliseconds polls have been due and none has begun; 0 where none is due. */
  stalledMs: number;
  /** Shards of this process, and how many of them are connected. */
  shards: { served: number; connected: number };
  /** How often the bot may still identify today; undefined until Discord has said so. */
  identifiesLeft: number | undefined;
}
