import { refdClock, retry } from '@darkroom/time';

/**
 * The codes of errors of connections that nobody takes; https://nodejs.org/api/errors.html#common-system-errors, and of
 * DNS.
 */
export const UNREACHABLE: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
]);

/**
 * Resolves once `attempt` does, or fails as no waiting mends, or once `signal` aborts: a service manager gives up a
 * program that ends again and again while its database or bucket is down. Whoever uses it then hears what is wrong.
 * `say` hears of the first failure that is waited out.
 */
export async function awaitAnswer(
  attempt: () => Promise<unknown>,
  {
    isAway,
    say,
    signal,
  }: {
    isAway: (error: unknown) => boolean;
    say: (error: unknown) => void;
    signal: AbortSignal | undefined;
  },
): Promise<void> {
  await retry(attempt, {
    policy: { isRetryable: isAway },
    clock: refdClock,
    signal,
    onRetry(error, _, count) {
      if (count === 1) say(error);
    },
  }).catch(() => undefined);
}
