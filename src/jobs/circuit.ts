import { randomUUID } from 'node:crypto';
import type { ImageClient } from '../client/client.ts';
import type { Clock } from '../clock.ts';
import { ServiceError, type ServiceErrorKind } from '../errors.ts';
import type { Log } from '../log.ts';

/** When so many different tasks and submissions have failed in a row, the service counts as down. */
const FAILURES = 5;

/** While it does, one new request is let through each time that nothing new has failed for so long, to see. */
const RETRY_MS = 15_000;

/** How calls to a service that is down fail; every other answer shows that it is there. */
const DOWN: ReadonlySet<ServiceErrorKind> = new Set([
  'unreachable',
  'timeout',
  'interrupted',
  'broken',
  'protocol',
]);

/** Watches how calls fare: one notice instead of a hundred, and no new requests for a service that is down. */
export interface Circuit {
  images: Pick<ImageClient, 'submit' | 'status'>;
  /** Whether a new request is worth making now. While the service is down, a yes is for one request alone. */
  admits(): boolean;
}

export function createCircuit({
  images,
  clock,
  log,
}: {
  images: Pick<ImageClient, 'submit' | 'status'>;
  clock: Clock;
  log: Log;
}): Circuit {
  /** By task or idempotency key: one that fails again and again says nothing of the others. */
  const failing = new Set<string>();
  let retryAt = 0;

  async function watch<Result>(id: string, call: Promise<Result>): Promise<Result> {
    try {
      const result = await call;
      recover();
      return result;
    } catch (error) {
      if (error instanceof ServiceError) {
        if (DOWN.has(error.kind)) fail(id, error);
        else recover();
      }
      throw error;
    }
  }

  function fail(id: string, error: ServiceError): void {
    if (failing.has(id)) return;
    failing.add(id);
    retryAt = clock.now() + RETRY_MS;
    if (failing.size === FAILURES)
      log.error({ err: error }, 'the image service is down; new requests are refused');
  }

  function recover(): void {
    if (failing.size >= FAILURES) log.info('the image service is back');
    failing.clear();
  }

  return {
    images: {
      submit: (submission, options) =>
        watch(options.idempotencyKey ?? randomUUID(), images.submit(submission, options)),
      status: (taskId, options) => watch(taskId, images.status(taskId, options)),
    },
    admits() {
      if (failing.size < FAILURES) return true;
      if (clock.now() < retryAt) return false;
      retryAt = clock.now() + RETRY_MS;
      return true;
    },
  };
}
