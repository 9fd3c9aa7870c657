import { type Clock, createCache, isTimeout, systemClock, withTimeout } from '@darkroom/time';
import type { Log } from './log.ts';

/** What a program reads of itself, in milliseconds. */
export const READING = {
  /** For so long it may be read: what is shown later comes too late for whoever watches. */
  timeoutMs: 2_000,
  /** For so long it is given again: whoever asks often costs no more than whoever asks now and then. */
  freshMs: 5_000,
} as const;

/**
 * What a check has found. `degraded`: it is missed, and the program can do its work without. `reason`: a sentence of
 * ours that may be read by anybody.
 */
export interface Finding {
  state: 'ok' | 'degraded' | 'failing';
  reason: string;
}

export const ok = (reason: string): Finding => ({ state: 'ok', reason });
export const failing = (reason: string): Finding => ({ state: 'failing', reason });

/** Looks at one thing that a program needs for its work. Where it rejects, that thing is failing. */
export type Check = (signal: AbortSignal) => Finding | Promise<Finding>;

/** Asks checks at once, each within its time. Never rejects. */
export function createReadiness(
  checks: Readonly<Record<string, Check>>,
  { log, clock = systemClock }: { log: Log; clock?: Clock },
) {
  const all = Object.entries(checks);
  const latest = createCache<string, Promise<Finding>>({ max: all.length, ttlMs: READING.freshMs, clock });

  /** Those that have failed since they answered last: each is told once, however often somebody asks. */
  const told = new Set<string>();

  /** What an error says may name addresses and requests, so its words stay in the log. */
  async function findingOf(name: string, check: Check): Promise<Finding> {
    try {
      const finding = await withTimeout(READING.timeoutMs, async (signal) => check(signal), { clock });
      told.delete(name);
      return finding;
    } catch (error) {
      if (isTimeout(error)) return failing(`no answer within ${READING.timeoutMs / 1_000} s`);
      log[told.has(name) ? 'debug' : 'warn']({ err: error, check: name }, 'a readiness check failed');
      told.add(name);
      return failing('failed; the log says why');
    }
  }

  /** `only`: the one check of that name. */
  return async (only?: string) => {
    const asked = all.filter(([name]) => only === undefined || name === only);
    const findings = await Promise.all(
      asked.map(
        async ([name, check]) => [name, await latest.recall(name, () => findingOf(name, check))] as const,
      ),
    );
    return {
      ready: findings.every(([, { state }]) => state !== 'failing'),
      checks: Object.fromEntries(findings),
    };
  };
}
