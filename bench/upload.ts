import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { measuringTurns, silentLog } from '@darkroom/testing';
import { REST, Routes } from 'discord.js';
import { startDiscord } from 'local-discord';
import { commands } from '../commands/index.ts';
import { messageOf } from '../packages/local-discord/test/support/message-of.ts';
import { payloadsOf } from '../src/bot/registered-commands.ts';
import { BOT_ID, DEMO_WORLD, FIRST_CHANNEL, MEMBER } from '../src/playground/demo-world.ts';
import { startBot } from './bot.ts';
import type { Line } from './line.ts';
import type { Memory } from './memory.ts';
import { noisePicture } from './noise-picture.ts';
import { startUploadService } from './upload-service.ts';

const RUNS = 5;
const MEBIBYTE = 1024 ** 2;
/** Until what an upload has left behind is settled. */
const SETTLE_MS = 1_000;
/** Of the picture's size. */
const MOST_TIMES = 3;
const LONGEST_TURN_MS = 20;

/**
 * What a picture of 8 MiB that a member brings costs the bot, which fetches and sends it, and the image service,
 * which decodes and keeps it: what each holds meanwhile at most, how far its memory grows with what is not collected
 * yet, and the CPU time of its longest turn of the event loop. Linux tells the last two.
 */
export async function uploads(): Promise<readonly Line[]> {
  const folders = { bot: await newFolder(), service: await newFolder() };
  const turns = { bot: measuringTurns(folders.bot), service: measuringTurns(folders.service) };
  const discord = await startDiscord({
    log: silentLog(),
    world: DEMO_WORLD,
  });
  const rest = new REST({ api: discord.apiUrl, version: '10' }).setToken(discord.token(BOT_ID));
  await rest.put(Routes.applicationCommands(BOT_ID), { body: payloadsOf(commands) });
  const service = await startUploadService({ env: turns.service.env });
  const bot = await startBot({
    discord: { apiUrl: discord.apiUrl, token: discord.token(BOT_ID) },
    imageUrl: service.url,
    folder: folders.bot,
    env: { ...turns.bot.env, IMAGE_API_KEY: service.accounts[0]?.['x-api-key'] ?? '' },
  });
  const member = discord.as(MEMBER.id);
  let brought = 0;

  /** Resolves once something is made of it. */
  async function bring(picture: Uint8Array): Promise<void> {
    brought += 1;
    // What follows the picture is no part of it, and makes the file another one.
    const bytes = Buffer.concat([picture, Buffer.from(`${brought}`)]);
    const image = { name: 'noise.png', bytes: new Uint8Array(bytes), contentType: 'image/png' };
    messageOf(await member.invoke(FIRST_CHANNEL, 'imagine', { prompt: 'a cat', size: '64x64', image }));
    while ((await service.begun()) < brought) await delay(20);
  }

  const sides = [
    { name: 'the bot', pid: bot.pid, memory: bot.memory, held: [] as number[], grown: [] as number[] },
    {
      name: 'the image service',
      pid: service.pid,
      memory: service.memory,
      held: [] as number[],
      grown: [] as number[],
    },
  ];
  const longest: number[] = [];
  try {
    // What they load for it.
    await bring(await noisePicture(100));
    const picture = await noisePicture();
    await delay(SETTLE_MS);
    for (let run = 0; run < RUNS; run += 1) {
      const brought = bring(picture);
      const held = await Promise.all(sides.map(({ memory }) => mostLive(memory, brought)));
      for (const [nth, most] of held.entries()) sides[nth]?.held.push(most);
    }
    await delay(SETTLE_MS);
    const idle = await Promise.all(sides.map(({ pid }) => resident(pid, 'VmRSS')));
    for (const { pid } of sides) process.kill(pid, 'SIGUSR2');
    for (let run = 0; run < RUNS; run += 1) {
      // From here on the greatest is kept anew.
      for (const { pid } of sides) await writeFile(`/proc/${pid}/clear_refs`, '5');
      await bring(picture);
      for (const [nth, { pid, grown }] of sides.entries())
        grown.push((await resident(pid, 'VmHWM')) - (idle[nth] ?? 0));
      await delay(SETTLE_MS);
    }
  } finally {
    await Promise.all([bot.stop(), service.stop()]);
    longest.push(await turns.bot.longestMs(), await turns.service.longestMs());
    await discord.close();
    await Promise.all(Object.values(folders).map((folder) => rm(folder, { recursive: true, force: true })));
  }
  return sides.flatMap(({ name, held, grown }, nth): Line[] => [
    {
      name: `a picture of 8 MiB is brought: memory of ${name}`,
      unit: 'MiB',
      ours: held,
      goal: { atMost: MOST_TIMES * 8 },
    },
    { name: `a picture of 8 MiB is brought: memory of ${name}, garbage included`, unit: 'MiB', ours: grown },
    {
      name: `a picture of 8 MiB is brought: longest turn of ${name}, CPU time`,
      unit: 'ms',
      ours: longest.slice(nth, nth + 1),
      goal: { atMost: LONGEST_TURN_MS },
    },
  ]);
}

const newFolder = () => mkdtemp(join(tmpdir(), 'darkroom-bench-'));

/** MiB that a process holds more than at the beginning, at the most, until `work` is done. */
async function mostLive(memory: () => Promise<Memory>, work: Promise<void>): Promise<number> {
  let over = false;
  const end = () => {
    over = true;
  };
  work.then(end, end);
  const { live: before } = await memory();
  let most = before;
  while (!over) most = Math.max(most, (await memory()).live);
  await work;
  return (most - before) / MEBIBYTE;
}

/** MiB. */
async function resident(pid: number, field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const [, kibibytes] =
    new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kibibytes) * 1024) / MEBIBYTE;
}
