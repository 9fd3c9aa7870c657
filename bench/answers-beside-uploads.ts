import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startBot } from './bot.ts';
import { startBenchDiscord } from './discord.ts';
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

/** In turns: how long first answers take while other members bring pictures and while nobody does. */
export async function answersBesideUploads(): Promise<readonly Line[]> {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-bench-'));
  const discord = await startBenchDiscord({ servers: SERVERS });
  const service = await startUploadService();
  const bot = await startBot({
    discord,
    imageUrl: service.url,
    folder,
    env: { IMAGE_API_KEY: service.accounts[0]?.['x-api-key'] ?? '' },
  });
  const runs: Record<'without' | 'beside', number[]> = { without: [], beside: [] };
  async function round(pictures: number): Promise<number> {
    const [answers, brought] = await Promise.all([
      discord.imagine(REQUESTS, OVER_MS),
      discord.imagine(pictures, OVER_MS, { withPictures: true }),
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
    // What they load and compile for it.
    await round(PICTURES);
    for (let run = 0; run < ROUNDS; run++) {
      runs.without.push(await round(0));
      runs.beside.push(await round(PICTURES));
    }
  } finally {
    await Promise.all([bot.stop('SIGKILL'), service.stop(), discord.stop()]);
    await rm(folder, { recursive: true, force: true });
  }
  return [
    {
      name: '20 /imagine a second, while members bring two pictures of 2 MiB a second: first answer, p99',
      unit: 'ms',
      ours: runs.beside,
      bare: { what: 'the same without them', runs: runs.without },
      goal: { atMostTimesBare: 2 },
    },
  ];
}
