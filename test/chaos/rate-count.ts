import type { ProxiedRequest } from './fault-proxy.ts';

const WINDOW_MS = 1_000;

/** How often it is seen how late this process is: requests that came meanwhile are counted all at once. */
const LATENESS_MS = 20;

/** What Discord counts against a bot's requests per second: all but interactions and their webhooks. */
const isBotRequest = ({ path, headers }: ProxiedRequest): boolean =>
  headers.authorization !== undefined && !/\/(interactions|webhooks)\//.test(path);

/**
 * Counts these in every second of real time, wherever it begins. Those that came while this process was held up are
 * seen all at once, so it looks back by so much less.
 */
export function createRateCount() {
  const recent: number[] = [];
  let most = 0;
  let heldUp: { until: number; ms: number }[] = [];
  let seenAt = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    if (now - seenAt > 2 * LATENESS_MS) heldUp.push({ until: now, ms: now - seenAt });
    seenAt = now;
  }, LATENESS_MS);

  return {
    count(request: ProxiedRequest): void {
      if (!isBotRequest(request)) return;
      const now = performance.now();
      recent.push(now);
      while (recent[0] !== undefined && recent[0] <= now - WINDOW_MS) recent.shift();
      heldUp = heldUp.filter(({ until }) => until > now - WINDOW_MS);
      const lateMs = heldUp.reduce((sum, { ms }) => sum + ms, now - seenAt);
      most = Math.max(most, recent.filter((at) => at > now - WINDOW_MS + lateMs).length);
    },
    most: (): number => most,
    stop: () => clearInterval(timer),
  };
}
