import { createHash } from 'node:crypto';
import type { Clock } from '@darkroom/time';
import { ApiError } from '../api-error.ts';
import type { ServiceTransaction } from '../database/database.ts';

/** A submission with an idempotency key. */
export interface IdempotentSubmission {
  accountId: number;
  idempotencyKey: string;
  /** Of the submission, see `digestOf`. */
  digest: string;
}

/** Stores the answers to submissions with an idempotency key: a repeated submission gets the same answer and no new task. */
export function createIdempotencyRecords({ clock }: { clock: Clock }) {
  return {
    /** The stored answer, where there is one; refused where the key belongs to a different submission. */
    async find(trx: ServiceTransaction, submission: IdempotentSubmission): Promise<string | undefined> {
      const { accountId, idempotencyKey, digest } = submission;
      const record = await trx
        .selectFrom('replays')
        .select(['digest', 'answer'])
        .where('accountId', '=', accountId)
        .where('idempotencyKey', '=', idempotencyKey)
        .executeTakeFirst();
      if (record && record.digest !== digest) {
        throw new ApiError(
          'idempotency_conflict',
          'A different submission was made with this Idempotency-Key. A new submission needs a new one.',
        );
      }
      return record?.answer;
    },

    async save(trx: ServiceTransaction, submission: IdempotentSubmission, answer: string): Promise<void> {
      await trx
        .insertInto('replays')
        .values({ ...submission, answer, createdAt: clock.now() })
        .execute();
    },
  };
}

/** The SHA-256 of a parsed submission in hexadecimal. */
export const digestOf = (submission: unknown): string =>
  createHash('sha256').update(JSON.stringify(submission)).digest('hex');
