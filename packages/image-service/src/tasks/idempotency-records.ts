import { createHash } from 'node:crypto';
import type { Clock } from '@darkroom/time';
import { ApiError } from '../api-error.ts';
import type { ServiceTransaction } from '../database/database.ts';

/** A submission with an idempotency key. */
export interface IdempotentSubmission {
  accountId: number;
  idempotencyKey: string;
  submission: unknown;
}

/** Stores the answers to submissions with an idempotency key: a repeated submission gets the same answer and no new task. */
export function createIdempotencyRecords({ clock }: { clock: Clock }) {
  return {
    /** The stored answer, where there is one; refused where the key belongs to a different submission. */
    async find(
      trx: ServiceTransaction,
      { accountId, idempotencyKey, submission }: IdempotentSubmission,
    ): Promise<string | undefined> {
      const record = await trx
        .selectFrom('replays')
        .select(['digest', 'answer'])
        .where('accountId', '=', accountId)
        .where('idempotencyKey', '=', idempotencyKey)
        .executeTakeFirst();
      if (record && digestOf(submission) !== record.digest) {
        throw new ApiError(
          'idempotency_conflict',
          'A different submission was made with this Idempotency-Key. A new submission needs a new one.',
        );
      }
      return record?.answer;
    },

    async save(
      trx: ServiceTransaction,
      { accountId, idempotencyKey, submission }: IdempotentSubmission,
      answer: string,
    ): Promise<void> {
      const digest = digestOf(submission);
      await trx
        .insertInto('replays')
        .values({ accountId, idempotencyKey, digest, answer, createdAt: clock.now() })
        .execute();
    },
  };
}

/** Of a parsed submission, whatever the order of its keys. */
const digestOf = (submission: unknown): string =>
  createHash('sha256').update(JSON.stringify(submission, sortKeys)).digest('hex');

const sortKeys = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;
