import { type ImageClient, ServiceError } from '@darkroom/image-api';
import type { ErrorCode } from '@darkroom/image-api/contract';
import type { Log } from '@darkroom/process';
import { type Clock, HOUR_MS, steadyClock, withTimeout } from '@darkroom/time';
import type { Job } from '../jobs/job.ts';
import { taskSubmission } from '../jobs/task-submission.ts';
import { mayAnswerLater } from './offers.ts';

/** How long a service that tells no prices is not asked again. */
const NOT_TOLD_MS = HOUR_MS;

const OF_SUBMISSION: ReadonlySet<string | undefined> = new Set([
  'invalid_submission',
  'invalid_request',
  'missing_prompt',
  'parameter_out_of_range',
  'unknown_workflow',
  'workflow_format_ui',
  'graph_not_supported',
  'operation_not_supported',
  'picture_unreadable',
  'picture_not_found',
  'picture_too_large',
] satisfies (ErrorCode | 'invalid_submission')[]);

/**
 * Whether a dry run was refused for its submission, by our service or before it was sent: of another one the price may
 * be told. A service that knows no dry runs may refuse them in words that say nothing of that.
 */
export const isOfSubmission = ({ code }: ServiceError): boolean => OF_SUBMISSION.has(code);

/** What one picture would cost, in credits, and what its key has left where the service says so. */
export interface Price {
  each: number;
  balance: number | undefined;
}

export type Prices = ReturnType<typeof createPrices>;

export function createPrices({
  images,
  clock: machineClock,
  log,
}: {
  images: Pick<ImageClient, 'dryRun'>;
  clock: Pick<Clock, 'now'>;
  log: Log;
}) {
  const clock = steadyClock(machineClock);
  let hasTold = false;
  /** Of a service that has told none. */
  let askAgainAt = 0;

  return {
    /** Whether the service has told one. */
    areTold: () => hasTold,

    /**
     * What a picture of this would cost. Undefined where the service does not say so within `withinMs`, in real
     * milliseconds. Never rejects.
     */
    async of(
      picture: Pick<Job, 'submission' | 'graph' | 'input'>,
      { apiKey, withinMs }: { apiKey: string; withinMs: number },
    ): Promise<Price | undefined> {
      if (!hasTold && clock.now() < askAgainAt) return undefined;
      try {
        const submission = taskSubmission(picture, { seed: 0 });
        const { cost, balance } = await withTimeout(withinMs, (signal) =>
          images.dryRun(submission, { apiKey, signal }),
        );
        if (cost === undefined || cost < 0) throw new ServiceError('protocol', 'a dry run without a price');
        hasTold = true;
        return { each: cost, balance };
      } catch (error) {
        if (error instanceof ServiceError && !mayAnswerLater(error) && !isOfSubmission(error))
          askAgainAt = clock.now() + NOT_TOLD_MS;
        log.debug({ err: error }, 'the image service tells no price');
        return undefined;
      }
    },
  };
}
