import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { commands } from '../../../commands/index.ts';
import { createJobStore } from '../../../src/jobs/job-store.ts';
import { createLog } from '../../../src/log.ts';
import { openStore } from '../../../src/store.ts';
import { createVault } from '../../../src/vault.ts';
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
  startLocalDiscord,
} from '../../support/local-discord.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { createServiceWorld } from '../../support/service.ts';
import { startBot } from './bot-process.ts';
import { createCrowd } from './crowd.ts';
import { createDiscordFaults } from './discord-faults.ts';
import { inspect, type Verdict } from './inspection.ts';
import type { StormBot } from './protocol.ts';
import { createRandom } from './random.ts';
import { slowEngine } from './slow-engine.ts';
import { createUnrulyService } from './unruly-service.ts';

const FACTOR = 20;
const MINUTE = 60_000;
const SECRET = 'd'.repeat(64);
/** How long what is left may take to come to its end once nothing fails any more, in real milliseconds. */
const SETTLING_MS = 3 * PATIENCE_MS;

export interface StormOptions {
  seed: number;
  /** How often the bot is killed. */
  kills: number;
  /** Told how far the storm is. */
  report?: (line: string) => void;
}

/** Kills the bot at random points under load, while Discord and the image service fail at random, and looks what is left. */
export async function runStorm({ seed, kills, report = () => undefined }: StormOptions): Promise<Verdict> {
  const random = createRandom(seed);
  const folder = await mkdtemp(join(tmpdir(), `darkroom-storm-${seed}-`));
  const clock = createHurriedClock({ factor: FACTOR });
  const idempotent = random.chance(0.5);
  const service = await createServiceWorld({
    engine: slowEngine(createRandom(seed + 1)),
    credits: 1_000_000,
    limits: { perMinute: 1_000_000, waiting: 1_000_000, running: 50, slots: 8 },
  });
  const unruly = await createUnrulyService(service.url, createRandom(seed + 2), idempotent);
  const { discord, address, register, close } = await startLocalDiscord({
    clock,
    firstAnswerMs: 3_000 * FACTOR,
    rateLimits: {},
  });
  for (const id of [BOT, MODERATOR, OUTSIDER]) discord.world.addMember(OTHER_GUILD, id);
  discord.world.addMember(GUILD, OUTSIDER);
  discord.world.openDirectMessages(MODERATOR, false);
  const faults = createDiscordFaults(discord.faults, createRandom(seed + 3));
  await register(...commands.map(({ data }) => data));
  faults.begin();

  const start: Omit<StormBot, 'clock'> = {
    token: discord.token(),
    apiUrl: address.apiUrl,
    imageUrl: unruly.url,
    imageKey: service.key,
    store: join(folder, 'bot.sqlite'),
    secret: SECRET,
    log: join(folder, 'bot.log'),
  };
  const nextBot = () => startBot({ ...start, clock: { factor: FACTOR, origin: clock.origin() } });
  let bot = nextBot();
  function leap(ms: number): void {
    clock.leap(ms);
    bot.tell({ leap: ms });
  }

  const crowd = createCrowd(
    discord,
    [MEMBER, MODERATOR, OUTSIDER],
    [CHANNEL, SECOND_CHANNEL, OTHER_CHANNEL],
    seed,
  );

  try {
    for (let kill = 1; kill <= kills; kill += 1) {
      if (random.chance(0.85)) await Promise.race([bot.ready, bot.ended, delay(PATIENCE_MS)]);
      await delay(random.between(0, 1_500));
      if (random.chance(0.08)) leap(random.between(1, 16) * MINUTE);
      await bot.kill();
      if (random.chance(0.04)) clock.leap(random.between(1, 16) * MINUTE);
      bot = nextBot();
      if (kill % 10 === 0) report(`${kill} of ${kills} kills, ${crowd.asked.length} requests`);
    }
    await crowd.goHome();
    faults.end();
    unruly.settle();
    await Promise.race([bot.ready, bot.ended]);
    const giveUpAt = Date.now() + SETTLING_MS;
    let left = await bot.unfinished();
    while (left.some((state) => state !== 'waiting') && Date.now() < giveUpAt) {
      await delay(1_000);
      leap(MINUTE);
      left = await bot.unfinished();
    }
    await bot.stop();

    const store = await openStore({ url: `sqlite://${start.store}`, log: createLog({ level: 'silent' }) });
    const verdict = await inspect({
      discord,
      jobs: createJobStore({ store, vault: createVault([SECRET]) }),
      asked: crowd.asked,
      deleted: crowd.deleted,
      people: [MEMBER, MODERATOR, OUTSIDER],
      channels: [CHANNEL, SECOND_CHANNEL, OTHER_CHANNEL],
      submissions: unruly.submissions,
      idempotent,
      now: clock.now(),
    });
    await store.close();
    if (verdict.violations.length === 0) await rm(folder, { recursive: true, force: true });
    else report(`what is left of it: ${folder}`);
    return verdict;
  } finally {
    await crowd.goHome();
    await bot.kill();
    await close();
    await unruly.close();
    await service.close();
  }
}
