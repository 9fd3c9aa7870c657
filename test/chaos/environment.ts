import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createVault, type VaultKeys } from '@darkroom/storage';
import { createStreams, silentLog } from '@darkroom/testing';
import { systemClock } from '@darkroom/time';
import { createFastClock } from '@darkroom/time/testing';
import type { World } from 'local-discord';
import { commands } from '../../commands/index.ts';
import { paint } from '../../packages/image-service/test/support/engines.ts';
import {
  BOT,
  CHANNEL,
  GUILD,
  MEMBER,
  MODERATOR,
  OTHER_CHANNEL,
  OTHER_GUILD,
  OUTSIDER,
  SECOND_CHANNEL,
  smallWorld,
  startLocalDiscord,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { payloadsOf } from '../../src/bot/registered-commands.ts';
import { createCredentials } from '../../src/credentials/credentials.ts';
import { createGuildSettings } from '../../src/guilds/guild-settings.ts';
import { createMemberSettings } from '../../src/requests/member-settings.ts';
import { openStore } from '../../src/storage/store.ts';
import type { StoreUrl } from '../../src/storage/store-url.ts';
import { USERS } from './actions.ts';
import { openChaosStore } from './chaos-store.ts';
import { createDisruptions } from './disruptions.ts';
import { createFaultProxy } from './fault-proxy.ts';
import { discordFaults, serviceFaults } from './faults.ts';
import { startImageService } from './image-service.ts';
import { createObservations } from './observations.ts';
import type { BotConfig } from './protocol.ts';
import { createRateCount } from './rate-count.ts';
import { createSecrets } from './secrets.ts';
import { createSlowEngine } from './slow-engine.ts';
import type { Submission } from './task-checks.ts';
import { createTrace } from './trace.ts';
import { createUsers } from './users.ts';

/** How many times as fast as real time the clock of a run is. */
const CLOCK_FACTOR = 20;
/** Servers are in the sixth, direct conversations in the first; the others only change hands. */
const SHARDS = 7;
/** Some requests reach the first two. The others are counted, and exact to the last picture and credit. */
const LIMITS = { openRequests: 5, memberHour: 40 };
const UNREACHED = 1_000_000;
const BUDGETS = { keyMonth: UNREACHED, keyCreditsMonth: UNREACHED };
/** Likewise, of the first server, until its moderator changes them. */
export const LIMITS_OF_SERVER = { openRequests: 3, memberDay: UNREACHED, guildDay: UNREACHED, ...BUDGETS };

/** The first user is in every channel. */
const others = Array.from({ length: USERS - 3 }, (_, index) => `2000000000000001${index}0`);
const USER_IDS = [MEMBER, MODERATOR, OUTSIDER, ...others];
const CHANNELS = [CHANNEL, SECOND_CHANNEL, OTHER_CHANNEL];

const world: World = {
  ...smallWorld,
  users: [...smallWorld.users, ...others.map((id, index) => ({ id, username: `user-${index}` }))],
};

/**
 * Nobody wants to be asked for the price of several pictures: every request is a job, under the id of its
 * interaction. The first server has limits and a key of its own.
 */
async function decideSettings(
  url: StoreUrl,
  { secrets, key }: { secrets: VaultKeys; key: string },
): Promise<void> {
  const log = silentLog();
  const store = await openStore({ url, log });
  await createGuildSettings({ store, log }).change(GUILD, (settings) => ({
    ...settings,
    limits: LIMITS_OF_SERVER,
  }));
  const vault = createVault(secrets);
  await createCredentials({ store, vault, clock: systemClock, log, operatorKey: undefined }).link(
    { kind: 'guild', id: GUILD },
    { apiKey: key, username: undefined, visibleIn: [] },
  );
  const own = createMemberSettings({ store });
  for (const id of USER_IDS) await own.change(id, (settings) => ({ ...settings, asksPrice: false }));
  await store.close();
}

export type Environment = Awaited<ReturnType<typeof createEnvironment>>;

/**
 * What the bot runs in: Discord and the image service behind fault proxies, simulated users, and a folder for its
 * store.
 */
export async function createEnvironment({
  seed,
  idempotent,
  processes,
}: {
  seed: number;
  idempotent: boolean;
  processes: number;
}) {
  const streams = createStreams(seed);
  const folder = await mkdtemp(join(tmpdir(), `darkroom-chaos-${seed}-`));
  const callsPath = join(folder, 'calls.jsonl');
  const logPath = join(folder, 'bot.log');
  const clock = createFastClock({ factor: CLOCK_FACTOR });
  const trace = createTrace();
  const submissions: Submission[] = [];

  const botRequests = createRateCount();
  const { engine, finishedAt } = createSlowEngine(streams, clock.now);
  const service = await startImageService(engine);
  const imageProxy = await createFaultProxy({
    name: 'service',
    upstream: service.url,
    chooseFault: serviceFaults(streams),
    trace,
    // Without these headers the service does not support idempotency, and does not say that it does.
    removedHeaders: idempotent ? [] : ['idempotency-key', 'idempotency-key-supported'],
    onResponse({ path, headers }, { body }, proxyUrl) {
      if (path.includes('endpoint=image_generation')) {
        const { data }: { data?: { id?: string } | null } = JSON.parse(body.toString());
        const idempotencyKey = `${headers['idempotency-key']}`;
        submissions.push({ idempotencyKey, taskId: data?.id, answeredAt: clock.now() });
      }
      return path.startsWith('/files/')
        ? body
        : Buffer.from(body.toString().replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, proxyUrl));
    },
  });

  const store = await openChaosStore(folder, processes);
  const secrets = createSecrets(store.url, trace);
  await decideSettings(store.url, { secrets: secrets.keys(), key: service.linkedKey });
  const budgets = streams('budgets');
  let widest = false;
  const { discord, address, register, close } = await startLocalDiscord({
    clock,
    world,
    initialResponseMs: 3_000 * CLOCK_FACTOR,
    rateLimits: {},
    recommendedShards: processes > 1 ? SHARDS : 1,
    maxConcurrency: SHARDS,
  });
  discord.world.addMember(OTHER_GUILD, BOT);
  for (const id of USER_IDS) {
    if (id !== MEMBER) discord.world.addMember(OTHER_GUILD, id);
    if (id !== MEMBER && id !== MODERATOR) discord.world.addMember(GUILD, id);
  }
  discord.world.openDirectMessages(MODERATOR, false);
  await register(...payloadsOf(commands));
  const discordProxy = await createFaultProxy({
    name: 'discord',
    upstream: () => address.url,
    chooseFault: discordFaults(streams),
    trace,
    onRequest: botRequests.count,
  });

  const observations = createObservations({ discord, userIds: USER_IDS, trace, now: clock.now });
  const photograph = await paint({ width: 64, height: 80 });
  const users = createUsers({
    discord,
    userIds: USER_IDS,
    channels: CHANNELS,
    key: service.linkedKey,
    photograph: { name: 'cat.png', bytes: photograph.bytes, contentType: 'image/png' },
    observations,
    trace,
    now: clock.now,
  });
  const disruptions = createDisruptions({
    discord,
    channels: CHANNELS,
    service,
    storePath: store.path,
    trace,
  });
  const views = USER_IDS.flatMap((id) => {
    const user = discord.as(id);
    return [...CHANNELS, user.openDirectMessage(BOT).id].map((channelId) => ({ user, channelId }));
  });

  return {
    folder,
    storeUrl: store.url,
    secrets,
    /** The most requests that count for the bot in any second of real time. */
    mostBotRequests: botRequests.most,
    logPath,
    callsPath,
    clock,
    trace,
    submissions,
    service,
    finishedAt,
    observations,
    users,
    disruptions,

    /** From the next bot process on there is room for another picture, however many there have been. */
    widenBudgets(): void {
      widest = true;
    },

    /** For the next bot process, with budgets of its own. */
    botConfig: (): BotConfig => ({
      token: discord.token(),
      apiUrl: `${discordProxy.url}/api`,
      imageUrl: imageProxy.url,
      imageKey: service.key,
      limits: {
        ...LIMITS,
        ...BUDGETS,
        ...(!widest && {
          keyMonth: budgets.pick([UNREACHED, 100]),
          keyCreditsMonth: budgets.pick([UNREACHED, 20]),
        }),
      },
      store: store.url,
      folder,
      secrets: secrets.keys(),
      log: logPath,
      calls: callsPath,
      clock: { factor: CLOCK_FACTOR, origin: clock.origin() },
    }),

    /** Every message that any user can see. */
    messages: () => [
      ...new Map(
        views
          .flatMap(({ user, channelId }) => user.messages(channelId, { limit: 1_000_000 }))
          .map((message) => [message.id, message] as const),
      ).values(),
    ],

    /** Ends every disruption and fault, for good. */
    async stopFaults(): Promise<void> {
      await disruptions.stop();
      discordProxy.stopFaults();
      imageProxy.stopFaults();
    },

    async close({ keep }: { keep: boolean }): Promise<void> {
      botRequests.stop();
      await Promise.all([discordProxy.close(), imageProxy.close()]);
      await Promise.all([close(), service.close()]);
      if (!keep) await store.remove();
      if (!keep) await rm(folder, { recursive: true, force: true });
    },
  };
}
