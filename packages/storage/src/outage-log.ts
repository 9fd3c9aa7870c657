import type { Log } from '@darkroom/process';
import { type Clock, steadyClock } from '@darkroom/time';

/** An outage counts as over at the first success this long after its last failure. */
const RECOVERED_MS = 1_000;

/** Writes one line when a database is lost and one when it is back, however many callers notice. */
export function createOutageLog({
  name,
  trouble = 'cannot be reached',
  clock: givenClock,
  log,
}: {
  name: string;
  /** Goes on from the name. */
  trouble?: string;
  clock: Clock;
  log: Log | undefined;
}) {
  const clock = steadyClock(givenClock);
  let failedAt: number | undefined;
  return {
    failed(error: unknown): void {
      if (failedAt === undefined) log?.error({ err: error }, `${name} ${trouble}; trying again`);
      failedAt = clock.now();
    },

    answered(): void {
      if (failedAt === undefined || clock.now() < failedAt + RECOVERED_MS) return;
      failedAt = undefined;
      log?.info(`${name} answers again`);
    },
  };
}
