import { setMaxListeners } from 'node:events';

/**
 * Runs `work` with a signal that aborts when `signal` does or after `ms`, and rejects at that moment, whether `work`
 * listens or not: undici leaves a request that still waits for a connection pending. Rejects with the signal's own
 * reason, or with a `TimeoutError`.
 *
 * Not `AbortSignal.any` with `AbortSignal.timeout`: on Node 20 the pair costs 13 µs, a third of a whole poll, and keeps
 * a timer and an entry in the caller's long-lived signal for every call.
 */
export async function within<Result>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  // Hundreds of calls may wait on one signal, and that is no leak.
  if (signal) setMaxListeners(0, signal);
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  const timer = setTimeout(() => controller.abort(timeoutError(ms)), ms);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await new Promise<Result>((resolve, reject) => {
      controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
      work(controller.signal).then(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

const timeoutError = (ms: number) => new DOMException(`nothing within ${ms} ms`, 'TimeoutError');

export const isTimeout = (error: unknown) => error instanceof DOMException && error.name === 'TimeoutError';
