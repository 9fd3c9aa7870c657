import type { Selectable } from 'kysely';
import type { KeyHolder } from '../accounts/key-holders.ts';
import type { ApiError } from '../api-error.ts';
import type { SubmissionRateTable } from '../database/tables.ts';
import { withRows } from '../database/with-rows.ts';
import type { ServiceLimits } from '../limits.ts';
import { type RateState, rateLimited } from '../rate-limit.ts';

/** Whose submissions, or uploads, are counted together, and how many of them there may be in a minute. */
export function holderLimit(
  { keyId, account, maxPerMinute }: KeyHolder,
  limits: Pick<ServiceLimits, 'perMinute'>,
) {
  return maxPerMinute === null
    ? { accountId: account.id, keyId: 0, max: limits.perMinute }
    : { accountId: account.id, keyId, max: maxPerMinute };
}

const counted = ({ maxPerMinute }: KeyHolder): string => (maxPerMinute === null ? 'account' : 'key');

export const tooManySubmissions = (holder: KeyHolder, rateState: RateState): ApiError =>
  rateLimited(`This ${counted(holder)} may make at most ${rateState.max} submissions a minute.`, rateState);

export const tooManyUploads = (holder: KeyHolder, rateState: RateState): ApiError =>
  rateLimited(`This ${counted(holder)} may upload at most ${rateState.max} pictures a minute.`, rateState);

/** Writes windows down, in a transaction that has locked their accounts. */
export const saveWindows = withRows(
  { accountId: true, keyId: true, startedAt: true, used: true },
  (db, windows: Selectable<SubmissionRateTable>[]) =>
    db
      .insertInto('submissionRates')
      .values(windows)
      .onConflict((conflict) =>
        conflict.columns(['accountId', 'keyId']).doUpdateSet((eb) => ({
          startedAt: eb.ref('excluded.startedAt'),
          used: eb.ref('excluded.used'),
        })),
      ),
);
