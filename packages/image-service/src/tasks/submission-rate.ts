import type { KeyHolder } from '../accounts/key-holders.ts';
import type { ApiError } from '../api-error.ts';
import { compileOnce, type Placeholders } from '../database/compiled-query.ts';
import type { ServiceTransaction } from '../database/database.ts';
import type { ServiceLimits } from '../limits.ts';
import { type Allowance, rateLimited } from '../rate-limit.ts';

const MINUTE_MS = 60_000;

/** Whose submissions are counted together, and how many of them there may be in a minute. */
export function holderLimit(
  { keyId, account, maxPerMinute }: KeyHolder,
  limits: Pick<ServiceLimits, 'perMinute'>,
) {
  return maxPerMinute === null
    ? { accountId: account.id, keyId: 0, max: limits.perMinute }
    : { accountId: account.id, keyId, max: maxPerMinute };
}

export const tooManySubmissions = ({ maxPerMinute }: KeyHolder, allowance: Allowance): ApiError =>
  rateLimited(
    `This ${maxPerMinute === null ? 'account' : 'key'} may make at most ${allowance.max} submissions a minute.`,
    allowance,
  );

/**
 * Counts one more submission, among those that all processes accept, unless that is beyond the limit. In the transaction of
 * the submission, which has locked the account.
 */
export async function countSubmission(
  trx: ServiceTransaction,
  { accountId, keyId, max }: ReturnType<typeof holderLimit>,
  now: number,
): Promise<Allowance> {
  const [counted] = await count(trx, { accountId, keyId, max, now, over: now - MINUTE_MS });
  const [window] = counted ? [counted] : await find(trx, { accountId, keyId });
  const { used, startedAt } = window ?? { used: max, startedAt: now };
  return {
    allowed: counted !== undefined,
    max,
    remaining: Math.max(0, max - used),
    resetMs: startedAt + MINUTE_MS - now,
  };
}

interface Counted {
  accountId: number;
  keyId: number;
  max: number;
  now: number;
  /** Windows that began then are over. */
  over: number;
}

const count = compileOnce((db, value: Placeholders<Counted & Readonly<Record<string, unknown>>>) =>
  db
    .insertInto('submissionRates')
    .values({ accountId: value('accountId'), keyId: value('keyId'), startedAt: value('now'), used: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['accountId', 'keyId'])
        .doUpdateSet((eb) => {
          const isOver = eb('submissionRates.startedAt', '<=', value('over'));
          return {
            startedAt: eb
              .case()
              .when(isOver)
              .then(value('now'))
              .else(eb.ref('submissionRates.startedAt'))
              .end(),
            used: eb
              .case()
              .when(isOver)
              .then(eb.lit(1))
              .else(eb('submissionRates.used', '+', eb.lit(1)))
              .end(),
          };
        })
        .where((eb) =>
          eb.or([
            eb('submissionRates.startedAt', '<=', value('over')),
            eb('submissionRates.used', '<', value('max')),
          ]),
        ),
    )
    .returning(['startedAt', 'used']),
);

const find = compileOnce((db, value: Placeholders<{ accountId: number; keyId: number }>) =>
  db
    .selectFrom('submissionRates')
    .select(['startedAt', 'used'])
    .where('accountId', '=', value('accountId'))
    .where('keyId', '=', value('keyId')),
);
