import { HEADERS, OPERATIONS, type Submission } from '@darkroom/image-api';
import rateLimit from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { KeyHolder } from '../accounts/key-holders.ts';
import type { Keys } from '../accounts/keys.ts';
import { ApiError } from '../api-error.ts';
import type { Rejection } from '../engines/engine.ts';
import type { ServiceLimits } from '../limits.ts';
import type { Submissions } from '../tasks/submissions.ts';
import { requireKey } from './credentials.ts';
import { routeOf } from './operation.ts';
import { success } from './responses.ts';
import { submissionBody } from './submission-body.ts';

const route = routeOf(OPERATIONS.submit);

export interface SubmitRoute {
  keys: Keys;
  submissions: Submissions;
  limits: ServiceLimits;
  /** Why a submission would not be drawn; undefined where it may be. */
  rejectionFor(submission: Submission): Promise<Rejection | undefined>;
  /** Something was queued. */
  wake(): void;
}

/** Submitting a task. */
export const submitRoute: FastifyPluginAsyncZod<SubmitRoute> = async (
  app,
  { keys, submissions, limits, rejectionFor, wake },
) => {
  const holders = new WeakMap<FastifyRequest, KeyHolder>();
  const holderOf = (request: FastifyRequest): KeyHolder => {
    const holder = holders.get(request);
    if (!holder) throw new Error('a submission passed without its key being checked');
    return holder;
  };

  await app.register(rateLimit, { global: false, enableDraftSpec: true });

  app.route({
    ...route,
    schema: { ...route.schema, body: submissionBody },
    config: {
      ...route.config,
      rateLimit: {
        hook: 'preHandler',
        timeWindow: 60_000,
        keyGenerator(request) {
          const { keyId, account, maxPerMinute } = holderOf(request);
          return maxPerMinute === null ? `account ${account.id}` : `key ${keyId}`;
        },
        max: (request) => holderOf(request).maxPerMinute ?? limits.perMinute,
        errorResponseBuilder(request, { max, ttl }) {
          const whose = holderOf(request).maxPerMinute === null ? 'account' : 'key';
          return new ApiError('rate_limited', `This ${whose} may make at most ${max} submissions a minute.`, {
            details: { max, retry_after_seconds: Math.ceil(ttl / 1_000) },
          });
        },
      },
    },
    // The key is checked before anything is said about the rest of the request.
    preValidation: async (request) => void holders.set(request, await requireKey(request, keys)),
    handler: async (request) => {
      const rejection = await rejectionFor(request.body);
      const accepted = await submissions.accept(request.body, holderOf(request), {
        idempotencyKey: request.headers[HEADERS.idempotencyKey] || undefined,
        apiError: rejection && apiErrorFor(rejection),
      });
      wake();
      return success(accepted);
    },
  });
};

function apiErrorFor({ field, reason, allowed }: Rejection): ApiError {
  const code = field === 'prompt' ? 'graph_not_supported' : 'invalid_request';
  return new ApiError(code, reason, { details: { field, ...(allowed && { allowed }) } });
}
