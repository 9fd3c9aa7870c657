import { randomUUID } from 'node:crypto';
import { type ImageClient, ServiceError } from '@darkroom/image-api';
import type { Log } from '@darkroom/process';
import { type Clock, createBreaker } from '@darkroom/time';

/** The circuit opens when so many different tasks and submissions have failed in a row. */
const FAILURE_THRESHOLD = 5;

/** While it is open, one trial request is admitted each time that nothing new has failed for so long. */
const TRIAL_INTERVAL_MS = 5_000;

/** The image service is down: a new request would come to nothing, and was not begun. */
export class ServiceDownError extends Error {
  override readonly name = 'ServiceDownError';
}

type Observed = Pick<ImageClient, 'submit' | 'status'>;

/** Observes how calls fare: one notice instead of a hundred, and no new requests for a service that is down. */
export function createCircuitBreaker<Client extends Observed>({
  images,
  clock,
  log,
}: {
  images: Client;
  clock: Clock;
  log: Log;
}) {
  const breaker = createBreaker({
    threshold: FAILURE_THRESHOLD,
    trialMs: TRIAL_INTERVAL_MS,
    clock,
    // A refusal shows that it is there, and so does that it has too much to do.
    isDown: (error) => (error instanceof ServiceError ? error.retryable && error.kind !== 'busy' : undefined),
    onOpen: (error) => log.error({ err: error }, 'the image service is down; new requests are refused'),
    onClose: () => log.info('the image service is back'),
  });

  const observed: Observed = {
    // By its key, or task: one that fails again and again says nothing of the others.
    submit: (submission, options) =>
      breaker.observe(images.submit(submission, options), { id: options.idempotencyKey ?? randomUUID() }),
    status: (taskId, options) => breaker.observe(images.status(taskId, options), { id: taskId }),
  };

  return {
    /** The whole client; its submissions and polls are observed. */
    images: { ...images, ...observed },
    /**
     * Admits one new request. Throws `ServiceDownError` while the circuit is open, except for a trial request now and
     * then.
     */
    admit(): void {
      if (!breaker.admit()) throw new ServiceDownError('the image service is down');
    },
  };
}
