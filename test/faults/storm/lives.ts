import { setTimeout as delay } from 'node:timers/promises';
import { PATIENCE_MS } from '../../support/patience.ts';
import { type BotProcess, forkBot } from './bot-process.ts';
import type { Diary } from './diary.ts';
import type { Finding } from './inspection.ts';
import type { StormBot } from './protocol.ts';

/** How long a bot may take to stop in order. */
const STOPPING_MS = 10_000;

/** One bot after the other. The next one is loaded while one lives, as loading takes longer than many a life. */
export function createLives({
  config,
  lockedSince,
  diary,
}: {
  config: () => StormBot;
  /** Whether the store has been locked at some time since a moment, in real milliseconds since the epoch. */
  lockedSince: (moment: number) => boolean;
  diary: Diary;
}) {
  const findings: Finding[] = [];
  const deaths: number[] = [];
  let next = forkBot();
  let alive: BotProcess | undefined;
  let beganAt = 0;
  let isReady = false;

  function find(rule: string): void {
    findings.push({ rule: `life ${deaths.length} ${rule}`, about: [] });
  }

  return {
    findings,
    /** Real milliseconds since the epoch. */
    deaths,
    leap: (ms: number) => alive?.leap(ms),

    /** Begins a life; resolves when it is ready, where that is `awaited`. */
    async begin(awaited: boolean): Promise<BotProcess> {
      const bot = next;
      next = forkBot();
      alive = bot;
      isReady = false;
      beganAt = Date.now();
      diary.note('storm', `life ${deaths.length + 1} begins`);
      bot.begin(config());
      void bot.ready.then(() => {
        isReady = true;
      });
      if (awaited) await Promise.race([bot.ready, bot.ended, delay(PATIENCE_MS, undefined, { ref: false })]);
      return bot;
    },

    /** Ends it. Notes where it had ended by itself, and where it does not stop in order. */
    async end(wanted: 'SIGKILL' | 'SIGTERM'): Promise<void> {
      if (!alive) return;
      const asked = Date.now();
      const byItself = await Promise.race([alive.ended, delay(0)]);
      // A bot that is still being started has nothing to stop yet.
      const signal = isReady ? wanted : 'SIGKILL';
      const { code, signal: killedBy, words } = byItself ?? (await alive.end(signal));
      const tookMs = Date.now() - asked;
      deaths.push(Date.now());
      const how = byItself ? `by itself with ${code ?? killedBy}` : `by ${signal} with ${code ?? killedBy}`;
      diary.note('storm', `life ${deaths.length} ends ${how}, ${tookMs} ms after it was asked to`);
      alive = undefined;
      if (byItself && !lockedSince(beganAt)) find(`ended ${how}: ${words}`);
      if (!byItself && signal === 'SIGTERM' && (code !== 0 || tookMs > STOPPING_MS)) {
        find(`ended with ${code ?? killedBy} ${tookMs} ms after SIGTERM: ${words}`);
      }
    },

    async close(): Promise<void> {
      await Promise.all([alive, next].map((bot) => bot?.end('SIGKILL')));
    },
  };
}
