import rateLimit from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { ENDPOINTS, HEADERS } from '../../contract/endpoints.ts';
import { type Submission, taskQueued } from '../../contract/submission.ts';
import type { KeyHolder } from '../accounts/key-holders.ts';
import type { Keys } from '../accounts/keys.ts';
import type { Objection } from '../engines/engine.ts';
import type { ServiceLimits } from '../limits.ts';
import { Refusal } from '../refusal.ts';
import type { Submissions } from '../tasks/submissions.ts';
import { answer, answers, OF_BODY, OF_KEY } from './answer.ts';
import { requireKey } from './credentials.ts';
import { at } from './operation.ts';
import { submissionBody } from './submission-body.ts';

/** Longer keys are refused, because they are stored. */
const headers = z.looseObject({ [HEADERS.idempotencyKey]: z.string().max(255).optional() });

export interface SubmitRoute {
  keys: Keys;
  submissions: Submissions;
  limits: ServiceLimits;
  /** Why a submission would not be drawn; undefined where it may be. */
  objectionTo(submission: Submission): Promise<Objection | undefined>;
  /** Something was queued. */
  wake(): void;
}

/** Submitting a task. */
export const submitRoute: FastifyPluginAsyncZod<SubmitRoute> = async (
  app,
  { keys, submissions, limits, objectionTo, wake },
) => {
  const holders = new WeakMap<FastifyRequest, KeyHolder>();
  const holderOf = (request: FastifyRequest): KeyHolder => {
    const holder = holders.get(request);
    if (!holder) throw new Error('a submission passed without its key being checked');
    return holder;
  };

  await app.register(rateLimit, { global: false, enableDraftSpec: true });

  app.route({
    ...at(ENDPOINTS.submit),
    schema: {
      summary: 'Submit a task',
      description:
        'Numbers may be sent as text, null counts as absent, and parameters that are not listed are ignored.',
      headers,
      body: submissionBody,
      response: answers(
        taskQueued,
        ...OF_KEY,
        ...OF_BODY,
        'missing_prompt',
        'parameter_out_of_range',
        'unknown_workflow',
        'workflow_format_ui',
        'graph_not_supported',
        'insufficient_balance',
        'idempotency_conflict',
        'rate_limited',
        'queue_full',
      ),
    },
    config: {
      ...at(ENDPOINTS.submit).config,
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
          return new Refusal('rate_limited', `This ${whose} may make at most ${max} submissions a minute.`, {
            details: { max, retry_after_seconds: Math.ceil(ttl / 1_000) },
          });
        },
      },
    },
    // The key is checked before anything is said about the rest of the request.
    preValidation: async (request) => void holders.set(request, await requireKey(request, keys)),
    handler: async (request) => {
      const objection = await objectionTo(request.body);
      const accepted = await submissions.accept(request.body, holderOf(request), {
        idempotencyKey: request.headers[HEADERS.idempotencyKey] || undefined,
        refusal: objection && refusalOf(objection),
      });
      wake();
      return answer(accepted);
    },
  });
};

function refusalOf({ field, reason, allowed }: Objection): Refusal {
  const code = field === 'prompt' ? 'graph_not_supported' : 'invalid_request';
  return new Refusal(code, reason, { details: { field, ...(allowed && { allowed }) } });
}
