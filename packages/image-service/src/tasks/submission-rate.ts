import type { KeyHolder } from '../accounts/key-holders.ts';
import type { ApiError } from '../api-error.ts';
import type { ServiceLimits } from '../limits.ts';
import { type Allowance, rateLimited } from '../rate-limit.ts';

/** Whose submissions are counted together, and how many of them there may be in a minute. */
export function holderLimit(
  { keyId, account, maxPerMinute }: KeyHolder,
  limits: Pick<ServiceLimits, 'perMinute'>,
): { subject: string; max: number } {
  return maxPerMinute === null
    ? { subject: `account ${account.id}`, max: limits.perMinute }
    : { subject: `key ${keyId}`, max: maxPerMinute };
}

export const tooManySubmissions = ({ maxPerMinute }: KeyHolder, allowance: Allowance): ApiError =>
  rateLimited(
    `This ${maxPerMinute === null ? 'account' : 'key'} may make at most ${allowance.max} submissions a minute.`,
    allowance,
  );
