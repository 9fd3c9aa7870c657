import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commands } from '../../../commands/index.ts';
import type { World } from '../../../src/local-discord/world.ts';
import { createHurriedClock } from '../../support/hurried-clock.ts';
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
} from '../../support/local-discord.ts';
import { PEOPLE } from './acts.ts';
import { createDiary } from './diary.ts';
import { startImageService } from './image-service.ts';
import type { Submission } from './inspection-of-tasks.ts';
import { discordFate, serviceFate } from './odds.ts';
import { createPeople } from './people.ts';
import type { StormBot } from './protocol.ts';
import { createStreams } from './random.ts';
import { createSightings } from './sightings.ts';
import { createSlowEngine } from './slow-engine.ts';
import { createUnrulyProxy } from './unruly-proxy.ts';
import { createSky } from './weather.ts';

/** How many times as fast as the machine's a storm's time is. */
const FACTOR = 20;
export const SECRET = 'd'.repeat(64);

/** Who is there, the first of them in every channel. */
const others = Array.from({ length: PEOPLE - 3 }, (_, index) => `2000000000000001${index}0`);
const PEOPLE_IDS = [MEMBER, MODERATOR, OUTSIDER, ...others];
const CHANNELS = [CHANNEL, SECOND_CHANNEL, OTHER_CHANNEL];

const world: World = {
  ...smallWorld,
  users: [...smallWorld.users, ...others.map((id, index) => ({ id, username: `person-${index}` }))],
};

export type Stage = Awaited<ReturnType<typeof setStage>>;

/** Discord and an image service that fail, people in one who want pictures from the other, and a place for a bot. */
export async function setStage({ seed, idempotent }: { seed: number; idempotent: boolean }) {
  const streams = createStreams(seed);
  const folder = await mkdtemp(join(tmpdir(), `darkroom-storm-${seed}-`));
  const clock = createHurriedClock({ factor: FACTOR });
  const diary = createDiary();
  const submissions: Submission[] = [];

  const { engine, finishedAt } = createSlowEngine(streams, clock.now);
  const service = await startImageService(engine);
  const images = await createUnrulyProxy({
    name: 'service',
    upstream: service.url,
    fate: serviceFate(streams),
    diary,
    // Without these the service knows no submission again, and does not say that it would.
    hidden: idempotent ? [] : ['idempotency-key', 'idempotency-key-supported'],
    onAnswer({ path, headers }, { body }, own) {
      if (path.includes('endpoint=image_generation')) {
        const { data }: { data?: { id?: string } | null } = JSON.parse(body.toString());
        submissions.push({ idempotencyKey: `${headers['idempotency-key']}`, taskId: data?.id });
      }
      return path.startsWith('/files/')
        ? body
        : Buffer.from(body.toString().replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, own));
    },
  });

  const { discord, address, register, close } = await startLocalDiscord({
    clock,
    world,
    firstAnswerMs: 3_000 * FACTOR,
    rateLimits: {},
  });
  discord.world.addMember(OTHER_GUILD, BOT);
  for (const id of PEOPLE_IDS) {
    if (id !== MEMBER) discord.world.addMember(OTHER_GUILD, id);
    if (id !== MEMBER && id !== MODERATOR) discord.world.addMember(GUILD, id);
  }
  discord.world.openDirectMessages(MODERATOR, false);
  await register(...commands.map(({ data }) => data));
  const unrulyDiscord = await createUnrulyProxy({
    name: 'discord',
    upstream: () => address.url,
    fate: discordFate(streams),
    diary,
  });

  const storePath = join(folder, 'bot.sqlite');
  const sightings = createSightings({ discord, people: PEOPLE_IDS, diary, now: clock.now });
  const people = createPeople({ discord, people: PEOPLE_IDS, channels: CHANNELS, sightings, diary });
  const sky = createSky({ discord, channels: CHANNELS, service, storePath, diary });
  const views = PEOPLE_IDS.flatMap((person) => {
    const hand = discord.as(person);
    return [...CHANNELS, hand.openDirectMessage(BOT).id].map((channelId) => ({ hand, channelId }));
  });

  return {
    folder,
    storePath,
    logPath: join(folder, 'bot.log'),
    clock,
    diary,
    submissions,
    service,
    finishedAt,
    sightings,
    people,
    sky,

    /** What the next bot is begun with. */
    config: (): StormBot => ({
      token: discord.token(),
      apiUrl: `${unrulyDiscord.url}/api`,
      imageUrl: images.url,
      imageKey: service.key,
      store: storePath,
      secret: SECRET,
      log: join(folder, 'bot.log'),
      clock: { factor: FACTOR, origin: clock.origin() },
    }),

    /** Every message that any of the people can see. */
    messages: () => [
      ...new Map(
        views
          .flatMap(({ hand, channelId }) => hand.messages(channelId, { limit: 1_000_000 }))
          .map((message) => [message.id, message] as const),
      ).values(),
    ],

    /** From now on nothing fails. */
    async settle(): Promise<void> {
      await sky.settle();
      unrulyDiscord.settle();
      images.settle();
    },

    async close({ keep }: { keep: boolean }): Promise<void> {
      await sky.settle();
      await Promise.all([unrulyDiscord.close(), images.close()]);
      await Promise.all([close(), service.close()]);
      if (!keep) await rm(folder, { recursive: true, force: true });
    },
  };
}
