import { createHash } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { ServiceTransaction } from '../database/database.ts';
import { Refusal } from '../refusal.ts';

/** A submission that can be told from another, and under which key it is repeated. */
export interface Repeatable {
  accountId: number;
  idempotencyKey: string;
  /** Of the submission, see `digestOf`. */
  digest: string;
}

/** Remembers answers to submissions, so that one that is sent again is answered again instead of being drawn again. */
export function createReplays({ clock }: { clock: Clock }) {
  return {
    /** What was answered before; refused where another submission was made under the same key. */
    async recall(trx: ServiceTransaction, repeatable: Repeatable): Promise<string | undefined> {
      const { accountId, idempotencyKey, digest } = repeatable;
      const before = await trx
        .selectFrom('replays')
        .select(['digest', 'answer'])
        .where('accountId', '=', accountId)
        .where('idempotencyKey', '=', idempotencyKey)
        .executeTakeFirst();
      if (before && before.digest !== digest) {
        throw new Refusal(
          'idempotency_conflict',
          'A different submission was made with this Idempotency-Key. A new submission needs a new one.',
        );
      }
      return before?.answer;
    },

    async remember(trx: ServiceTransaction, repeatable: Repeatable, answer: string): Promise<void> {
      await trx
        .insertInto('replays')
        .values({ ...repeatable, answer, createdAt: clock.now() })
        .execute();
    },
  };
}

/** Tells a submission, as it was understood, from another: SHA-256 in hexadecimal. */
export const digestOf = (submission: unknown): string =>
  createHash('sha256').update(JSON.stringify(submission)).digest('hex');
