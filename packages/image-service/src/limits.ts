import { DAY_MS } from '@darkroom/time';
/** Bounds that the operator of a service sets. */
export interface ServiceLimits {
  /** Tasks that are drawn at once by each engine of this process. */
  slots: number;
  /** Tasks of an account that are drawn at once. A key with a limit of its own is counted by itself. */
  running: number;
  /** Tasks of an account that wait to be drawn; counted likewise. */
  waiting: number;
  /** Submissions of an account per minute; counted likewise. */
  perMinute: number;
  /** Requests of an address per minute that show no valid key or login token, before they are told to wait. */
  failuresPerMinute: number;
  /** Milliseconds after its submission at which a task that is not finished fails. */
  taskMs: number;
  /** Milliseconds for which a process holds a task that it draws; renewed while it draws. */
  leaseMs: number;
  /** Milliseconds for which a stop waits for what would be lost with the process, see `DrawOptions.hold`. */
  finishMs: number;
  /** How often a task is begun, where each process that draws it is lost. */
  attempts: number;
  /** Milliseconds for which a finished picture can be fetched. */
  pictureMs: number;
  /** Milliseconds after its last use for which an upload is kept. */
  uploadMs: number;
  /** Bytes that an account's uploads may have together. */
  uploadBytes: number;
  /** Milliseconds for which a finished task can be asked for, at the least. The ledger keeps its entries for ever. */
  taskKeptMs: number;
  /** Milliseconds for which a submission that is repeated under its idempotency key gets the same answer. */
  idempotencyMs: number;
  /** Milliseconds for which a process that sends a webhook keeps others from it; longer than any attempt takes. */
  webhookLeaseMs: number;
  /** Connections that are open at once. */
  connections: number;
  /** Of these, from one address; not counted behind a proxy. A bot opens up to 128. */
  connectionsOfAddress: number;
  /** Milliseconds for the head of a request to arrive whole. */
  headersMs: number;
  /** Milliseconds without traffic after which a connection is closed: longer than any answer takes. */
  idleConnectionMs: number;
}

export const SERVICE_LIMITS: ServiceLimits = {
  slots: 8,
  running: 5,
  waiting: 500,
  perMinute: 60,
  failuresPerMinute: 300,
  taskMs: 30 * 60_000,
  leaseMs: 15_000,
  // Half of the time that a process usually has for stopping.
  finishMs: 5_000,
  attempts: 3,
  pictureMs: 7 * DAY_MS,
  uploadMs: DAY_MS,
  uploadBytes: 512 * 1024 ** 2,
  taskKeptMs: 30 * DAY_MS,
  idempotencyMs: DAY_MS,
  webhookLeaseMs: 60_000,
  // Each takes a socket and at most one open file; the usual limit of a process is 1,024 of both together.
  connections: 400,
  connectionsOfAddress: 200,
  headersMs: 10_000,
  idleConnectionMs: 60_000,
};
