import { setTimeout as delay } from 'node:timers/promises';
import { openSqlite } from '@darkroom/storage';
import type { Random } from '@darkroom/testing';
import { PermissionFlagsBits as P } from 'discord.js';
import type { LocalDiscord } from 'local-discord';
import { BOT, GUILD } from '../../packages/local-discord/test/support/local-discord.ts';
import { BLOCKED_WORD } from './actions.ts';
import type { ImageService } from './image-service.ts';
import type { Trace } from './trace.ts';

/** Something that is broken for a while. */
export interface Disruption {
  kind: 'auto-mod' | 'missing-permission' | 'locked-store' | 'service-restart';
  /** Picks the channel and the permission of `missing-permission`. */
  nth: number;
  /** Real milliseconds. */
  lastsMs: number;
}

const PERMISSIONS = ['ViewChannel', 'SendMessages', 'ReadMessageHistory'] as const;

/** The probability of each in one lifetime of a bot, and how long it lasts at most. */
const DISRUPTIONS = [
  ['auto-mod', 0.15, 5_000],
  ['missing-permission', 0.1, 4_000],
  ['locked-store', 0.05, 6_000],
  ['service-restart', 0.06, 1_500],
] as const;

export const drawDisruptions = (random: Random): Disruption[] =>
  DISRUPTIONS.flatMap(([kind, probability, longestMs]) => {
    const disruption = { kind, nth: random.between(0, 1_000_000), lastsMs: random.between(200, longestMs) };
    return random.chance(probability) ? [disruption] : [];
  });

/** Starts and ends disruptions. While one of a kind lasts, another one of that kind is ignored. */
export function createDisruptions({
  discord,
  channels,
  service,
  storePath,
  trace,
}: {
  discord: LocalDiscord;
  channels: readonly string[];
  service: ImageService;
  /** Undefined where it is no file. */
  storePath: string | undefined;
  trace: Trace;
}) {
  const active = new Map<Disruption['kind'], Promise<void>>();
  const stopping = new AbortController();
  let lockedUntil = 0;

  /** Each causes the disruption and resolves with a function that ends it. */
  const cause: Record<Disruption['kind'], (disruption: Disruption) => Promise<() => void | Promise<void>>> = {
    async 'auto-mod'() {
      discord.world.blockWords(GUILD, [BLOCKED_WORD]);
      return () => discord.world.blockWords(GUILD, []);
    },
    async 'missing-permission'({ nth }) {
      const channel = channels[nth % channels.length] ?? '';
      const permission = PERMISSIONS[Math.floor(nth / channels.length) % PERMISSIONS.length] ?? 'ViewChannel';
      trace.record('disrupt', `the bot loses ${permission} in ${channel}`);
      discord.world.deny(channel, BOT, P[permission]);
      return () => discord.world.deny(channel, BOT, 0n);
    },
    async 'locked-store'() {
      if (storePath === undefined) return () => undefined;
      const store = openSqlite(storePath, { timeoutMs: 0 });
      while (!stopping.signal.aborted) {
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

  async function run(disruption: Disruption): Promise<void> {
    const { kind, lastsMs } = disruption;
    const end = await cause[kind](disruption);
    trace.record('disrupt', `${kind} for ${lastsMs} ms`);
    await delay(lastsMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    await end();
    trace.record('disrupt', `${kind} has ended`);
  }

  return {
    start(disruption: Disruption): void {
      if (stopping.signal.aborted || active.has(disruption.kind)) return;
      active.set(
        disruption.kind,
        run(disruption).finally(() => active.delete(disruption.kind)),
      );
    },
    /** Whether the store was locked at any time since `moment`, in real milliseconds since the epoch. */
    lockedSince: (moment: number) => lockedUntil >= moment,
    /** Ends every disruption; no other one starts after that. */
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all(active.values());
    },
  };
}
