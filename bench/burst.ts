import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startBot } from './bot.ts';
import { whileBusy } from './busy.ts';
import { type Answered, type BenchDiscord, startBenchDiscord } from './discord.ts';
import { forkFile } from './forked.ts';
import { type LightService, startLightService } from './light-service.ts';
import type { Line } from './line.ts';
import { percentile } from './statistics.ts';

const RUNS = 5;
const REQUESTS = 300;
const OVER_MS = 1_000;
const SERVERS = 30;

/** Jobs that run already, in as many servers as fit their pace, and how fast they are asked for. */
const RUNNING = 5_000;
const RUNNING_SERVERS = 300;
const RUNNING_PER_SECOND = 200;
/** How long the last of them may take to be submitted after their first answer. */
const SUBMITTED_WITHIN_MS = 30_000;

/** How long the pictures of one burst may take to appear before the next burst begins. */
const DELIVERED_WITHIN_MS = 60_000;

/** `npm run bench -- burst`: 300 `/imagine` in one second, beside a discord.js client that only defers. */
export async function firstAnswers(): Promise<readonly Line[]> {
  const quiet = await burstLines('', { servers: SERVERS, most: 150, max: 1_000 });
  const busy = await whileBusy(() => burstLines(', busy', { servers: SERVERS }));
  const running = await burstLines(', 5,000 jobs running', {
    servers: RUNNING_SERVERS,
    running: RUNNING,
    most: 400,
    max: 1_500,
  });
  return [...quiet, ...busy, ...running];
}

interface Burst {
  servers: number;
  /** Jobs that run at the same time. */
  running?: number;
  /** Goals in milliseconds: of the 99th percentile above the client that only defers, and of the slowest answer. */
  most?: number;
  max?: number;
}

async function burstLines(name: string, { servers, running = 0, most, max }: Burst): Promise<Line[]> {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-bench-'));
  const [discord, bareDiscord] = [await startBenchDiscord({ servers }), await startBenchDiscord({ servers })];
  const service = await startLightService();
  const bot = await startBot({ discord, imageUrl: service.origin, folder });
  const bare = forkFile(new URL('./defer-process.js', import.meta.url), {
    args: [bareDiscord.apiUrl, bareDiscord.token],
  });
  const ours: Answered[][] = [];
  const theirs: Answered[][] = [];
  let delivered = 0;
  let runningMeanwhile = 0;
  /** Says how many pictures appeared. */
  async function completeAll(jobs: number): Promise<number> {
    await service.complete(jobs);
    const appeared = await picturesOf(discord, jobs);
    await service.complete(0);
    return appeared;
  }
  try {
    await bare.ask({});
    await bareDiscord.imagine(1, 0);
    if (running > 0) {
      await discord.imagine(running, (running / RUNNING_PER_SECOND) * 1_000);
      runningMeanwhile = await runningOf(service, running);
    } else {
      await discord.imagine(1, 0);
      await completeAll(1);
    }
    for (let run = 0; run < RUNS; run++) {
      theirs.push(await bareDiscord.imagine(REQUESTS, OVER_MS));
      ours.push(await discord.imagine(REQUESTS, OVER_MS));
      if (running === 0) delivered += await completeAll(REQUESTS);
    }
  } finally {
    await Promise.all([bot.stop('SIGKILL'), bare.stop(), service.stop()]);
    await Promise.all([discord.stop(), bareDiscord.stop()]);
    await rm(folder, { recursive: true, force: true });
  }
  const times = (bursts: readonly Answered[][]) => bursts.map((answers) => answers.map(({ ms }) => ms));
  const line = (percent: number, called: string) => ({
    name: `300 /imagine in one second${name}: first answer, ${called}`,
    unit: 'ms' as const,
    ours: times(ours).map((each) => percentile(each, percent)),
    bare: {
      what: 'a client that only defers',
      runs: times(theirs).map((each) => percentile(each, percent)),
    },
  });
  return [
    line(50, 'p50'),
    { ...line(99, 'p99'), ...(most !== undefined && { goal: { atMostOverBare: most } }) },
    { ...line(100, 'slowest'), ...(max !== undefined && { goal: { atMost: max } }) },
    {
      name: `300 /imagine in one second${name}: refused or unanswered`,
      unit: '',
      ours: ours.map((answers) => answers.filter(({ kind }) => kind !== 'message').length),
      goal: { atMost: 0 },
    },
    running > 0
      ? {
          name: `300 /imagine in one second${name}: jobs that run already`,
          unit: '',
          ours: [runningMeanwhile],
          goal: { atLeast: running },
        }
      : {
          name: `300 /imagine in one second${name}: of ${RUNS * REQUESTS}, delivered`,
          unit: '',
          ours: [delivered],
          goal: { atLeast: RUNS * REQUESTS },
        },
  ];
}

/** How many tasks run, as soon as they are `wanted` or the time is over. */
const runningOf = (service: LightService, wanted: number): Promise<number> =>
  countUntil(wanted, SUBMITTED_WITHIN_MS, async () => (await service.report()).running);

/** How many pictures appear, until they are `wanted` or the time is over. */
function picturesOf(discord: BenchDiscord, wanted: number): Promise<number> {
  let appeared = 0;
  return countUntil(wanted, DELIVERED_WITHIN_MS, async () => {
    appeared += (await discord.pictures()).length;
    return appeared;
  });
}

async function countUntil(wanted: number, withinMs: number, count: () => Promise<number>): Promise<number> {
  const giveUpAt = performance.now() + withinMs;
  let counted = 0;
  while (counted < wanted && performance.now() < giveUpAt) {
    await delay(200);
    counted = await count();
  }
  return counted;
}
