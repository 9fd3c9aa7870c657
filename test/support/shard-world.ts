import { join } from 'node:path';
import { createImageClient } from '@darkroom/image-api';
import { createVault } from '@darkroom/storage';
import { captureLog, until, WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { createFastClock } from '@darkroom/time/testing';
import { onTestFinished } from 'vitest';
import { commands } from '../../commands/index.ts';
import {
  createServiceWorld,
  type ServiceWorldOptions,
} from '../../packages/image-service/test/support/service.ts';
import {
  BOT,
  CHANNEL,
  MEMBER,
  sees,
  seesOutcome,
  smallWorld,
  startLocalDiscord,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { createBot } from '../../src/app/bot.ts';
import { payloadsOf } from '../../src/bot/registered-commands.ts';
import { scrub } from '../../src/log.ts';
import type { ShardSetting } from '../../src/shards/installation.ts';
import { openStore } from '../../src/storage/store.ts';
import { isSqlite, type StoreUrl } from '../../src/storage/store-url.ts';

/** A server in the second of two shards, and its channel; those of the small world are in the first. */
export const SECOND_SHARD_CHANNEL = `${500_000_000_001n << 22n}`;
const SECOND_SHARD_GUILD = `${400_000_000_001n << 22n}`;

/** Another application, on whose token nobody is. */
export const OTHER_BOT = '300000000000000009';

const world = {
  ...smallWorld,
  applications: [...(smallWorld.applications ?? []), { id: OTHER_BOT, name: 'Other' }],
  guilds: [
    ...(smallWorld.guilds ?? []),
    {
      id: SECOND_SHARD_GUILD,
      name: 'Third',
      ownerId: MEMBER,
      channels: [{ id: SECOND_SHARD_CHANNEL, name: 'general' }],
      members: [{ userId: MEMBER }, { userId: BOT }],
    },
  ],
};

/**
 * A bot of two shards on one store, in as many processes as a test starts; here they are all one, on connections of
 * their own.
 */
export async function createShardWorld(
  url: StoreUrl,
  service: ServiceWorldOptions = {},
  { recommendedShards = 2, sessionStarts = 1_000 } = {},
) {
  const images = await createServiceWorld(service);
  const clock = createFastClock();
  const { discord, address, register, close } = await startLocalDiscord({
    world,
    clock,
    recommendedShards,
    sessionStarts,
    maxConcurrency: 16,
    initialResponseMs: WAIT_TIMEOUT_MS * clock.factor,
  });
  const { log, lines } = captureLog(scrub);
  await register(...payloadsOf(commands));
  const stops: (() => Promise<void>)[] = [];
  onTestFinished(async () => {
    await Promise.all(stops.map((stop) => stop()));
    await close();
    await images.close();
  });

  /** `by`: how this process reaches the store; as any other unless given. */
  async function startProcess({
    by = url,
    shards = 'auto',
    token = discord.token(BOT),
  }: {
    by?: StoreUrl;
    shards?: ShardSetting;
    token?: string;
  } = {}) {
    const store = await openStore({ url: by, log });
    const client = createImageClient({ baseUrl: images.url, clock });
    const bot = await createBot({
      commands,
      discord: { token, apiUrl: address.apiUrl, shards },
      storage: {
        store,
        vault: createVault(['b'.repeat(64)]),
        spoolFolder: join(images.folder, 'spool'),
        sharedBy: isSqlite(by) ? undefined : by,
      },
      service: { client, name: images.url, callsPerSecond: 50 },
      operator: { key: images.key },
      clock,
      log,
    });
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= bot
        .stop()
        .then(store.close)
        .catch(() => undefined)
        .then(client.close);
      return stopped;
    };
    stops.push(stop);
    const { lost } = await bot.start();
    let isLost = false;
    void lost.then(() => {
      isLost = true;
    });
    return {
      stop,
      served: () => bot.readings().shards.connected,
      /** What `/readyz` says of its connections. */
      gateway: async () => bot.checks.gateway(AbortSignal.timeout(WAIT_TIMEOUT_MS)),
      isLost: () => isLost,
    };
  }

  const member = discord.as(MEMBER);
  return {
    discord,
    startProcess,

    /** Lines of the log that begin like this, of all processes. */
    logged: (words: string) =>
      lines
        .map((line): { msg?: string; time?: string; shards?: number[] } => JSON.parse(line))
        .filter(({ msg }) => msg?.startsWith(words)),

    /** Asks for a picture, and says how to wait for what its message shows. */
    async imagine(channelId = CHANNEL) {
      const answer = messageOf(await member.invoke(channelId, 'imagine', { prompt: 'a red fox' }));
      const { id } = answer;
      return {
        ended: () => seesOutcome(member, id),
        shows: (words: string) =>
          sees(member, (message) => message.id === id && message.content.includes(words)),
      };
    },

    /** Resolves when every process serves so many shards. */
    async serve(...expected: [process: { served(): number }, count: number][]): Promise<void> {
      await until(
        () => expected.every(([process, count]) => process.served() === count),
        `shards: ${expected.map(([, count]) => count)}; ${lines.slice(-5).join('')}`,
      );
    },
  };
}
