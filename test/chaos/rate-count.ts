import type { ProxiedRequest } from './fault-proxy.ts';

const WINDOW_MS = 1_000;

/** What Discord counts against a bot's requests per second: all but interactions and their webhooks. */
export const isBotRequest = ({ path, headers }: ProxiedRequest): boolean =>
  headers.authorization !== undefined && !/\/(interactions|webhooks)\//.test(path);

/** Counts requests in every second of real time, wherever it begins. */
export function createRateCount(counts: (request: ProxiedRequest) => boolean) {
  const recent: number[] = [];
  let most = 0;
  return {
    count(request: ProxiedRequest): void {
      if (!counts(request)) return;
      const now = performance.now();
      recent.push(now);
      while ((recent[0] ?? now) <= now - WINDOW_MS) recent.shift();
      most = Math.max(most, recent.length);
    },
    most: (): number => most,
  };
}
