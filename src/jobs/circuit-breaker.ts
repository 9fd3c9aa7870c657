import { randomUUID } from 'node:crypto';
import { type ImageClient, ServiceError, type ServiceErrorKind } from '@darkroom/image-api';
import type { Log } from '@darkroom/process';
import { type Clock, createBreaker } from '@darkroom/time';

/** The circuit opens when so many different tasks and submissions have failed in a row. */
const FAILURE_THRESHOLD = 5;

/** While it is open, one trial request is admitted each time that nothing new has failed for so long. */
const TRIAL_INTERVAL_MS = 5_000;

/** How calls to a service that is down fail; every other answer shows that it is there. */
const DOWN: ReadonlySet<ServiceErrorKind> = new Set([
  'unreachable',
  'timeout',
  'interrupted',
  'broken',
  'protocol',
]);

/** The image service is down: a new request would come to nothing, and was not begun. */
export class ServiceDownError extends Error {
  override readonly name = 'ServiceDownError';
}

type Observed = Pick<ImageClient, 'submit' | 'status'>;

/** Observes how calls fare: one notice instead of a hundred, and no new requests for a service that is down. */
interface CircuitBreaker<Client extends Observed> {
  /** The whole client; its submissions and polls are observed. */
  images: Client & Observed;
  /**
   * Admits one new request. Throws `ServiceDownError` while the circuit is open, except for a trial request now and
   * then.
   */
  admit(): void;
}

export function createCircuitBreaker<Client extends Observed>({
  images,
  clock,
  log,
}: {
  images: Client;
  clock: Clock;
  log: Log;
}): CircuitBreaker<Client> {
  const breaker = createBreaker({
    threshold: FAILURE_THRESHOLD,
    trialMs: TRIAL_INTERVAL_MS,
    clock,
    onOpen: (error) => log.error({ err: error }, 'the image service is down; new requests are refused'),
    onClose: () => log.info('the image service is back'),
  });

  /** `id`: a task or an idempotency key. One that fails again and again says nothing of the others. */
  async function observe<Result>(id: string, call: Promise<Result>): Promise<Result> {
    try {
      const result = await call;
      breaker.succeeded();
      return result;
    } catch (error) {
      if (error instanceof ServiceError) {
        if (DOWN.has(error.kind)) breaker.failed(error, id);
        else breaker.succeeded();
      }
      throw error;
    }
  }

  return {
    images: {
      ...images,
      submit: (submission, options) =>
        observe(options.idempotencyKey ?? randomUUID(), images.submit(submission, options)),
      status: (taskId, options) => observe(taskId, images.status(taskId, options)),
    },
    admit() {
      if (!breaker.admit()) throw new ServiceDownError('the image service is down');
    },
  };
}
