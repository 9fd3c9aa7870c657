import { type ErrorCode, HEADERS, OPERATIONS, type Submission } from '@darkroom/image-api/contract';
import { type Clock, steadyClock } from '@darkroom/time';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { KeyHolder } from '../accounts/key-holders.ts';
import { ApiError } from '../api-error.ts';
import type { Rejection, Unavailable } from '../engines/engine.ts';
import { picturesUnavailable } from '../files/pictures-unavailable.ts';
import type { WatchedPlace } from '../files/watched-place.ts';
import type { Stay } from '../inputs/room.ts';
import type { Sources } from '../inputs/sources.ts';
import type { ServiceLimits } from '../limits.ts';
import { type RateState, rateHeaders, wholeSeconds } from '../rate-limit.ts';
import { tooManySubmissions } from '../tasks/submission-rate.ts';
import type { Examined, Submissions } from '../tasks/submissions.ts';
import type { Rejections } from '../workflows/rejections.ts';
import { holderOf } from './authentication.ts';
import { keyInHead } from './credentials.ts';
import { limitHolders } from './holder-rate.ts';
import { bodyTooLarge } from './json-body.ts';
import { routeOf } from './operation.ts';
import { success } from './responses.ts';
import { submissionBody } from './submission-body.ts';
import type { TaskAnswers } from './task-answers.ts';
import { warnOfUnknown } from './unknown-parameters.ts';

/** Bytes: a graph of some hundred nodes has about 100,000. */
const GRAPH_BODY = 1_048_576;
/** Bytes: the longest texts, with every character escaped. */
const TEXT_BODY = 131_072;

declare module 'fastify' {
  interface FastifyRequest {
    /** A warning for each parameter that is dropped when the body is read. */
    unknownParameters: readonly string[] | undefined;
  }
}

export interface SubmitRoute {
  answers: TaskAnswers;
  submissions: Submissions;
  sources: Pick<Sources, 'find' | 'within'>;
  limits: ServiceLimits;
  clock: Clock;
  rejections: Pick<Rejections, 'ofSubmission' | 'warningFor'>;
  place: Pick<WatchedPlace, 'problem'>;
  /** Something was queued. */
  wake(): void;
}

/** Submitting a task, and trying it. */
export const submitRoute: FastifyPluginAsyncZod<SubmitRoute> = async (
  app,
  { submissions, sources, limits, clock, rejections, place, wake, answers },
) => {
  const { now } = steadyClock(clock);

  /** How a submission is read, for whichever operation. The attempts of each are counted apart. */
  function reading() {
    // Every attempt, before its body is read; `submissions` counts what all processes accept.
    const countAttempt = limitHolders({ limits, clock, refusal: tooManySubmissions });

    return {
      bodyLimit: GRAPH_BODY,
      async onRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
        if (request.caller) countAttempt(request, reply);
      },
      async preValidation(request: FastifyRequest, reply: FastifyReply): Promise<void> {
        if (keyInHead(request) === undefined) countAttempt(request, reply);
        if (request.bodyBytes > TEXT_BODY && !mayBeLarge(request.body))
          throw bodyTooLarge(TEXT_BODY, 'The body of this request is too large for a prompt in words.');
        request.unknownParameters = warnOfUnknown(request.body);
      },
    };
  }

  /** Why a new submission would be refused, what it begins with, and warnings. Its pictures are looked at last. */
  async function examine(
    {
      body: submission,
      unknownParameters: unknown = [],
    }: { body: Submission; unknownParameters: FastifyRequest['unknownParameters'] },
    holder: KeyHolder,
    stay: Stay | undefined,
  ): Promise<Examined> {
    const refused = (apiError: ApiError) => ({ apiError, warnings: unknown });
    const problem = place.problem();
    try {
      const rejection = await rejections.ofSubmission(submission);
      if (problem) return refused(picturesUnavailable(problem));
      if (rejection) return refused(apiErrorFor(rejection));
      if (stay) await submissions.requireMeans(submission, holder);
      const found = await sources.find(submission, { accountId: holder.account.id, stay });
      if (!found) return { warnings: unknown };
      const ofFound = await rejections.ofSubmission(submission, found.source);
      if (ofFound) return refused(apiErrorFor(ofFound));
      const warning = await rejections.warningFor(submission, found.source);
      return {
        found,
        warnings: [...unknown, ...found.warnings, ...(warning === undefined ? [] : [warning])],
      };
    } catch (error) {
      if (error instanceof ApiError) return refused(error);
      throw error;
    }
  }

  app.decorateRequest('unknownParameters', undefined);
  const submit = routeOf(OPERATIONS.submit);
  app.route({
    ...submit,
    ...reading(),
    schema: { ...submit.schema, body: submissionBody },
    config: { ...submit.config, limited: true },
    handler: async (request, reply) => {
      const onCounted = (rateState: RateState) => {
        // Of the two counts, the one that allows less.
        if (rateState.remaining < Number(reply.getHeader('ratelimit-remaining')))
          reply.headers(rateHeaders(rateState));
      };
      const holder = holderOf(request);
      const arrivedAt = now();
      const accepted = await sources.within(request.body, holder.account.id, async (stay) =>
        submissions.accept(request.body, holder, {
          ...(await examine(request, holder, stay)),
          idempotencyKey: request.headers[HEADERS.idempotencyKey] || undefined,
          onCounted,
        }),
      );
      wake();
      const { wait } = request.query;
      if (wait === undefined) return success(accepted);
      // Since it has arrived, as its connection is silent from then on.
      const seconds = Math.max(0, wait - (now() - arrivedAt) / 1_000);
      // It is accepted, whatever becomes of waiting for it.
      const task = await answers
        .within(accepted.id, holder.account.id, { seconds, reply })
        .catch(() => undefined);
      return success({ ...accepted, task });
    },
  });

  const dryRun = routeOf(OPERATIONS.dryRun);
  app.route({
    ...dryRun,
    ...reading(),
    schema: { ...dryRun.schema, body: submissionBody },
    config: { ...dryRun.config, limited: true },
    handler: async (request) => {
      const holder = holderOf(request);
      return sources.within(request.body, holder.account.id, async (stay) =>
        success(await submissions.dryRun(request.body, holder, await examine(request, holder, stay))),
      );
    },
  });
};

/** A graph may be large, and so may what holds the pictures themselves. */
const mayBeLarge = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  (('prompt' in body && typeof body.prompt === 'object') || 'image' in body || 'mask' in body);

const CODES = {
  prompt: 'graph_not_supported',
  model: 'invalid_request',
  workflow: 'unknown_workflow',
  operation: 'operation_not_supported',
  image: 'operation_not_supported',
  mask: 'operation_not_supported',
  expand: 'parameter_out_of_range',
} as const satisfies Record<Rejection['field'], ErrorCode>;

function apiErrorFor(rejection: Rejection | Unavailable): ApiError {
  if ('retryAfterMs' in rejection) return engineUnavailable(rejection);
  const { field, reason, allowed } = rejection;
  const code = CODES[field];
  return new ApiError(code, reason, { details: { field, ...(allowed && { allowed }) } });
}

const engineUnavailable = ({ reason, retryAfterMs }: Unavailable): ApiError =>
  new ApiError('engine_unavailable', `${reason} Nothing was queued or charged; try again later.`, {
    headers: { 'retry-after': String(wholeSeconds(retryAfterMs)) },
  });
