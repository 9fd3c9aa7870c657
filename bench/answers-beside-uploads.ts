import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startBot } from './bot.ts';
import { startBenchDiscord } from './discord.ts';
import { forkFile } from './forked.ts';
import type { Line } from './line.ts';
import { percentile } from './statistics.ts';
import { startUploadService } from './upload-service.ts';

const ROUNDS = 5;
const SERVERS = 30;
const OVER_MS = 5_000;
/** So few that nothing is busy: what pictures cost is seen, and not what a queue makes of it. */
const REQUESTS = 100;
const PICTURES = 10;
/** Until what a round has begun is over. */
const SETTLE_MS = 3_000;

/**
 * In turns: how long first answers take while other members bring pictures, and while they bring them to another bot,
 * which only sends them to a server that only reads.
 */
export async function answersBesideUploads(): Promise<readonly Line[]> {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-bench-'));
  const discord = await startBenchDiscord({ servers: SERVERS });
  const service = await startUploadService();
  const reader = forkFile(new URL('./bare-uploads-process.js', import.meta.url));
  const bot = await startBot({
    discord,
    imageUrl: service.url,
    folder,
    env: { IMAGE_API_KEY: service.accounts[0]?.['x-api-key'] ?? '' },
  });
  const otherBot = forkFile(new URL('./defer-process.js', import.meta.url), {
    args: [discord.apiUrl, discord.otherToken, await reader.ask<string>({})],
  });
  const runs: Record<'ours' | 'elsewhere', number[]> = { ours: [], elsewhere: [] };
  async function round(options: { elsewhere: boolean }): Promise<number> {
    const [answers, brought] = await Promise.all([
      discord.imagine(REQUESTS, OVER_MS),
      discord.bring(PICTURES, OVER_MS, options),
    ]);
    await delay(SETTLE_MS);
    for (const { kind, prompt } of [...answers, ...brought])
      if (kind !== 'message') throw new Error(`'${prompt}' was answered with ${kind}`);
    return percentile(
      answers.map(({ ms }) => ms),
      99,
    );
  }
  try {
    await otherBot.ask({});
    // What they load and compile for it.
    for (const elsewhere of [true, false]) await round({ elsewhere });
    for (let run = 0; run < ROUNDS; run++) {
      runs.elsewhere.push(await round({ elsewhere: true }));
      runs.ours.push(await round({ elsewhere: false }));
    }
  } finally {
    await Promise.all([bot.stop('SIGKILL'), otherBot.stop(), service.stop(), reader.stop(), discord.stop()]);
    await rm(folder, { recursive: true, force: true });
  }
  return [
    {
      name: '20 /imagine a second, while members bring two pictures of 2 MiB a second: first answer, p99',
      unit: 'ms',
      ours: runs.ours,
      bare: { what: 'the same while they bring them to a bot that only sends them on', runs: runs.elsewhere },
      goal: { atMostTimesBare: 2 },
    },
  ];
}
