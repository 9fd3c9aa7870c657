import type { ServiceTransaction } from '../database/database.ts';

export interface Grant {
  accountId: number;
  /** Thousandths of a credit, more than 0. */
  amount: number;
  /** Milliseconds since the epoch; permanent unless given. */
  expiresAt?: number | undefined;
  note?: string | undefined;
  /** Whoever asks again for a grant with this id gets no second one. */
  once?: string | undefined;
  allowanceId?: number | undefined;
}

/**
 * Adds a grant with its entry. Returns whether it did: not where there is one of the same account with the same
 * `once`.
 */
export async function addGrant(
  trx: ServiceTransaction,
  { accountId, amount, expiresAt, note = '', once, allowanceId }: Grant,
  now: number,
): Promise<boolean> {
  if (!Number.isSafeInteger(amount) || amount <= 0) throw new Error('a grant is more than 0 credits');
  const grant = await trx
    .insertInto('grants')
    .values({
      accountId,
      createdAt: now,
      expiresAt: expiresAt ?? null,
      note,
      remaining: amount,
      once: once ?? null,
      allowanceId: allowanceId ?? null,
    })
    .onConflict((conflict) => conflict.columns(['accountId', 'once']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!grant) return false;
  await trx
    .insertInto('entries')
    .values({ accountId, grantId: grant.id, taskId: null, kind: 'grant', amount, createdAt: now })
    .execute();
  return true;
}
