import { z } from 'zod';
import type { Store } from '../storage/store.ts';

/** How long it is known that a job is to be cancelled: longer than any job runs. */
const TTL_MS = 24 * 3600_000;

/** Ends the run of a job that nobody wants any more. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';
  /** The member or the moderator who cancelled it. */
  readonly by: string;

  constructor(by: string) {
    super('the job was cancelled');
    this.by = by;
  }
}

/**
 * Which jobs are to be cancelled, and by whom. Written before anything is done, in rows of their own: whichever process follows
 * a job finds it there, also after a kill, and nobody but that process writes the row of the job.
 */
export interface Cancellations {
  /** Who came first stays. */
  request(jobIds: readonly string[], by: string): Promise<void>;
  /** By job, who has cancelled it. */
  all(): Promise<ReadonlyMap<string, string>>;
  remove(jobId: string): Promise<void>;
}

export function createCancellations({ store }: { store: Store }): Cancellations {
  const rows = store.collection('cancellations', z.object({ by: z.string() }));
  return {
    async request(jobIds, by) {
      await Promise.all(jobIds.map((id) => store.insert([rows.row(id, { by }, TTL_MS)])));
    },
    async all() {
      return new Map((await rows.list()).map(({ id, value }) => [id, value.by]));
    },
    remove: (jobId) => rows.delete(jobId),
  };
}
