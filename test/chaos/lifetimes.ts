import { setTimeout as delay } from 'node:timers/promises';
import { WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { type BotProcess, forkBot } from './bot-process.ts';
import type { BotConfig } from './protocol.ts';
import type { Trace } from './trace.ts';
import type { Violation } from './violation.ts';

/**
 * Runs bot processes one after the other, `processes` of them at once. The next one is forked early: loading takes
 * longer than many a lifetime.
 */
export function createLifetimes({
  processes,
  config,
  lockedSince,
  trace,
}: {
  processes: number;
  config: () => BotConfig;
  /** Whether the store was locked at any time since a moment, in real milliseconds since the epoch. */
  lockedSince: (moment: number) => boolean;
  trace: Trace;
}) {
  const violations: Violation[] = [];
  const exits: number[] = [];
  let next = forkBot();
  /** The oldest first. */
  const running: { bot: BotProcess; startedAt: number; isReady: boolean }[] = [];

  const violate = (rule: string) => violations.push({ rule: `lifetime ${exits.length} ${rule}`, ids: [] });

  return {
    violations,
    /** When each process exited, in real milliseconds since the epoch. */
    exits,
    advance(ms: number): void {
      for (const { bot } of running) bot.advance(ms);
    },

    /** Starts the next bot, and waits until it is ready where `awaited`. */
    async start(awaited: boolean): Promise<BotProcess> {
      const bot = next;
      next = forkBot();
      const lifetime = { bot, startedAt: Date.now(), isReady: false };
      running.push(lifetime);
      trace.record('run', `lifetime ${exits.length + 1} starts`);
      bot.start(config());
      void bot.ready.then(() => {
        lifetime.isReady = true;
      });
      if (awaited)
        await Promise.race([bot.ready, bot.exited, delay(WAIT_TIMEOUT_MS, undefined, { ref: false })]);
      return bot;
    },

    /**
     * Ends the oldest bot where there are as many as are to run at once, or where `all` are to end. That it had
     * crashed before, or does not stop properly, is a violation.
     */
    async end(wanted: 'SIGKILL' | 'SIGTERM', { all = false } = {}): Promise<void> {
      const oldest = running.length >= processes || all ? running.shift() : undefined;
      if (!oldest) return;
      const { bot, startedAt, isReady } = oldest;
      const askedAt = Date.now();
      const crash = await Promise.race([bot.exited, delay(0)]);
      // A bot that is still starting has nothing to stop yet.
      const signal = isReady ? wanted : 'SIGKILL';
      const { code, signal: killedBy, stderr } = crash ?? (await bot.kill(signal));
      const tookMs = Date.now() - askedAt;
      exits.push(Date.now());
      const how = `${crash ? 'by itself' : `after ${signal}`} with ${code ?? killedBy}`;
      trace.record('run', `lifetime ${exits.length} ended ${how}, within ${tookMs} ms`);
      if (crash && !lockedSince(startedAt)) violate(`ended ${how}: ${stderr}`);
      // With 1 where its stop took too long.
      if (!crash && signal === 'SIGTERM' && code !== 0) {
        violate(`ended with ${code ?? killedBy} ${tookMs} ms after SIGTERM: ${stderr}`);
      }
      if (all) await this.end(wanted, { all });
    },

    async close(): Promise<void> {
      await Promise.all([...running.map(({ bot }) => bot), next].map((bot) => bot.kill('SIGKILL')));
    },
  };
}
