import { DAY_MS } from '@darkroom/time';

/** Bounds of a service. Most have no setting; limits of a single key come before them. */
export const SERVICE_LIMITS = {
  /** Tasks that are drawn at once by each engine of this process. */
  slots: 8,
  /** Tasks of an account that are drawn at once. A key with a limit of its own is counted by itself. */
  running: 5,
  /** Tasks of an account that wait to be drawn; counted likewise. */
  waiting: 500,
  /** Submissions of an account per minute; counted likewise. */
  perMinute: 60,
  /** Requests of an address per minute that show no valid key or login token, before they are told to wait. */
  failuresPerMinute: 300,
  /** Milliseconds after its submission at which a task that is not finished fails. */
  taskMs: 30 * 60_000,
  /** Milliseconds for which a process holds a task that it draws; renewed while it draws. */
  leaseMs: 15_000,
  /**
   * Milliseconds for which a stop waits for what would be lost with the process, see `DrawOptions.hold`: half of the
   * time that a process usually has for stopping.
   */
  finishMs: 5_000,
  /** How often a task is begun, where each process that draws it is lost. */
  attempts: 3,
  /** Milliseconds for which a finished picture can be fetched. */
  pictureMs: 7 * DAY_MS,
  /** Milliseconds after its last use for which an upload is kept. */
  uploadMs: DAY_MS,
  /** Bytes that an account's uploads may have together. */
  uploadBytes: 512 * 1024 ** 2,
  /** Milliseconds for which a finished task can be asked for, at the least. The ledger keeps its entries for ever. */
  taskKeptMs: 30 * DAY_MS,
  /** Milliseconds for which a submission that is repeated under its idempotency key gets the same answer. */
  idempotencyMs: DAY_MS,
  /** Milliseconds for which a process that sends a webhook keeps others from it; longer than any attempt takes. */
  webhookLeaseMs: 60_000,
  /**
   * Connections that are open at once. Each takes a socket and at most one open file; the usual limit of a process is
   * 1,024 of both together.
   */
  connections: 400,
  /** Of these, from one address; not counted behind a proxy. A bot opens up to 128. */
  connectionsOfAddress: 200,
  /** Milliseconds for the head of a request to arrive whole. */
  headersMs: 10_000,
  /** Milliseconds without traffic after which a connection is closed: longer than any answer takes. */
  idleConnectionMs: 60_000,
};
export type ServiceLimits = typeof SERVICE_LIMITS;
