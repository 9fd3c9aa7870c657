import type { Clock } from '@darkroom/time';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeyHolder } from '../accounts/key-holders.ts';
import type { ApiError } from '../api-error.ts';
import type { ServiceLimits } from '../limits.ts';
import { type RateState, rateHeaders } from '../rate-limit.ts';
import { holderLimit } from '../tasks/submission-rate.ts';
import { holderOf } from './authentication.ts';
import { createRateWindow } from './rate-window.ts';

/**
 * Counts in this process what each account does in a minute, and a key with a limit of its own by itself. What it
 * returns counts a request whose key is known, says in its answer how many more there may be, and throws `refusal`
 * beyond that.
 */
export function limitHolders({
  limits,
  clock,
  refusal,
}: {
  limits: Pick<ServiceLimits, 'perMinute'>;
  clock: Clock;
  refusal: (holder: KeyHolder, rateState: RateState) => ApiError;
}): (request: FastifyRequest, reply: FastifyReply) => void {
  const count = createRateWindow(clock);
  return (request, reply) => {
    const holder = holderOf(request);
    const { accountId, keyId, max } = holderLimit(holder, limits);
    const rateState = count(`${accountId} ${keyId}`, max);
    reply.headers(rateHeaders(rateState));
    if (!rateState.allowed) throw refusal(holder, rateState);
  };
}
