import { setTimeout as delay } from 'node:timers/promises';
import { PermissionFlagsBits as P } from 'discord.js';
import type { LocalDiscord } from '../../../src/local-discord/local-discord.ts';
import { openSqlite } from '../../../src/sqlite.ts';
import { BOT, GUILD } from '../../support/local-discord.ts';
import { BLOCKED_WORD } from './acts.ts';
import type { Diary } from './diary.ts';
import type { ImageService } from './image-service.ts';
import type { Random } from './random.ts';

/** What comes over everybody for a while, in real milliseconds. */
export interface Weather {
  kind: 'auto-mod' | 'withdrawn-rights' | 'locked-store' | 'service-restart';
  /** Which channel, and which right, where that matters. */
  nth: number;
  lastsMs: number;
}

const RIGHTS = ['ViewChannel', 'SendMessages', 'ReadMessageHistory'] as const;

/** How often in a life each comes up, and how long it lasts at most. */
const CLIMATE = [
  ['auto-mod', 0.15, 5_000],
  ['withdrawn-rights', 0.1, 4_000],
  ['locked-store', 0.05, 6_000],
  ['service-restart', 0.06, 1_500],
] as const;

export const drawWeather = (random: Random): Weather[] =>
  CLIMATE.flatMap(([kind, probability, longestMs]) => {
    const weather = { kind, nth: random.between(0, 1_000_000), lastsMs: random.between(200, longestMs) };
    return random.chance(probability) ? [weather] : [];
  });

/** Makes the weather. What one of a kind has begun, another one of it does not begin again before it is over. */
export function createSky({
  discord,
  channels,
  service,
  storePath,
  diary,
}: {
  discord: LocalDiscord;
  channels: readonly string[];
  service: ImageService;
  storePath: string;
  diary: Diary;
}) {
  const present = new Map<Weather['kind'], Promise<void>>();
  const clear = new AbortController();
  let lockedUntil = 0;

  /** Each begins what it does, and resolves with how it is undone. */
  const begin: Record<Weather['kind'], (weather: Weather) => Promise<() => void | Promise<void>>> = {
    async 'auto-mod'() {
      discord.world.blockWords(GUILD, [BLOCKED_WORD]);
      return () => discord.world.blockWords(GUILD, []);
    },
    async 'withdrawn-rights'({ nth }) {
      const channel = channels[nth % channels.length] ?? '';
      const right = RIGHTS[Math.floor(nth / channels.length) % RIGHTS.length] ?? 'ViewChannel';
      diary.note('weather', `the bot loses ${right} in ${channel}`);
      discord.world.deny(channel, BOT, P[right]);
      return () => discord.world.deny(channel, BOT, 0n);
    },
    async 'locked-store'() {
      const store = openSqlite(storePath, { timeoutMs: 0 });
      while (!clear.signal.aborted) {
        try {
          store.exec('BEGIN IMMEDIATE');
          break;
        } catch {
          await delay(5);
        }
      }
      lockedUntil = Number.POSITIVE_INFINITY;
      return () => {
        store.close();
        lockedUntil = Date.now();
      };
    },
    async 'service-restart'() {
      await service.stop();
      return service.start;
    },
  };

  async function make(weather: Weather): Promise<void> {
    const { kind, lastsMs } = weather;
    const undo = await begin[kind](weather);
    diary.note('weather', `${kind} for ${lastsMs} ms`);
    await delay(lastsMs, undefined, { signal: clear.signal }).catch(() => undefined);
    await undo();
    diary.note('weather', `${kind} is over`);
  }

  return {
    make(weather: Weather): void {
      if (clear.signal.aborted || present.has(weather.kind)) return;
      present.set(
        weather.kind,
        make(weather).finally(() => present.delete(weather.kind)),
      );
    },
    /** Whether the store has been locked at some time since `moment`, in real milliseconds since the epoch. */
    lockedSince: (moment: number) => lockedUntil >= moment,
    /** Ends all of it, for good. */
    async settle(): Promise<void> {
      clear.abort();
      await Promise.all(present.values());
    },
  };
}
