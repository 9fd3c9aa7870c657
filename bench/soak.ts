import { setTimeout as delay } from 'node:timers/promises';
import type { BenchDiscord } from './discord.ts';
import type { Line } from './line.ts';
import { inWorld } from './world.ts';

const SERVERS = 300;
const JOBS = 50_000;
const SAMPLE_EVERY = 5_000;
/** Enough that the bot has always something to do. */
const AT_ONCE = 600;
const PACE_MS = 4;
const LONGEST_MS = 30 * 60_000;
const SETTLING_MS = 5_000;

/**
 * 50,000 pictures, as fast as it goes: what the bot's memory is whenever 5,000 more have been delivered and nothing
 * runs. The first sample is left out of the growth: until then code is compiled and pools are filled.
 */
export async function soak(): Promise<readonly Line[]> {
  const refused: number[] = [];
  const samples: { jobs: number; heap: number; resident: number }[] = [];
  await inWorld({ servers: SERVERS }, async ({ discord, service, bot }) => {
    await service.complete(10_000);
    const giveUpAt = Date.now() + LONGEST_MS;
    for (let jobs = SAMPLE_EVERY; jobs <= JOBS && Date.now() < giveUpAt; jobs += SAMPLE_EVERY) {
      refused.push(await deliver(SAMPLE_EVERY, discord));
      await service.reset();
      await delay(SETTLING_MS);
      const { heap, resident } = await bot.memory();
      samples.push({ jobs, heap: heap / 1024, resident: resident / 1024 });
    }
  });
  const mib = (kib: number) => [kib / 1024];
  return [
    ...samples.flatMap(({ jobs, heap, resident }): Line[] => [
      { name: `heap after ${jobs.toLocaleString('en')} jobs`, unit: 'MiB', ours: mib(heap) },
      { name: `resident after ${jobs.toLocaleString('en')} jobs`, unit: 'MiB', ours: mib(resident) },
    ]),
    {
      name: `requests refused in ${SAMPLE_EVERY.toLocaleString('en')}`,
      unit: '',
      ours: refused,
      goal: { atMost: 0 },
    },
    {
      name: 'growth of the heap per 1,000 jobs',
      unit: 'KiB',
      ours: [1_000 * slope(samples.slice(1).map(({ jobs, heap }) => [jobs, heap]))],
      goal: { atMost: 50 },
    },
  ];
}

/** Has so many pictures made, `AT_ONCE` under way at a time; says how many requests were refused and made again. */
async function deliver(count: number, discord: BenchDiscord): Promise<number> {
  let accepted = 0;
  let arrived = 0;
  let refused = 0;
  while (arrived < count) {
    const more = Math.min(AT_ONCE - (accepted - arrived), count - accepted);
    if (more > 0) {
      const answers = await discord.imagine(more, more * PACE_MS);
      const begun = answers.filter(({ kind }) => kind === 'message').length;
      accepted += begun;
      refused += answers.length - begun;
    } else await delay(100);
    arrived += (await discord.pictures()).length;
  }
  return refused;
}

/** Of the straight line through `points` that lies nearest to them. */
function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const x = mean(points.map(([value]) => value));
  const y = mean(points.map(([, value]) => value));
  const rise = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  const run = points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
  return rise / run;
}
