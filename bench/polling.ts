import { setTimeout as delay } from 'node:timers/promises';
import type { BotQuestion } from './bot.ts';
import { forkFile } from './forked.ts';
import { type LightService, type LightServiceReport, startLightService } from './light-service.ts';
import type { Line } from './line.ts';
import { percentile } from './statistics.ts';
import { inWorld, type World } from './world.ts';

const JOBS = 5_000;
const ASKED_PER_SECOND = 200;
/** What begins must have settled before it is measured: connections, compiled code, the first polls. */
const SETTLE_MS = 6_000;
const ROUNDS = 3;
const ROUND_MS = 4_000;
const RESTART_MS = 8_000;
const COMPLETIONS_PER_SECOND = 50;
const COMPLETION_MS = 10_000;
/** Half a poll interval, and what a picture may take from then on. */
const PICTURE_GOAL_MS = 1_250 + 300;

/**
 * `npm run bench -- polling`: what 5,000 running jobs cost, in 300 servers and in 5,000, beside undici alone at the
 * same pace; how they go on after a restart; and how soon a completed picture is in the chat.
 */
export async function polling(): Promise<readonly Line[]> {
  const bare = await bareRounds();
  const some = await inWorld({ servers: 300 }, async (world) => [
    ...(await steadyLines('5,000 jobs in 300 servers', world, bare, { timesBare: 2.5, cores: 0.5, kib: 20 })),
    ...(await restartLines(world)),
    ...(await completionLines(world)),
  ]);
  const many = await inWorld({ servers: 5_000 }, (world) =>
    steadyLines('5,000 jobs in 5,000 servers', world, bare, { timesBare: 5 }),
  );
  return [...some, ...many];
}

interface SteadyGoals {
  timesBare: number;
  cores?: number;
  kib?: number;
}

async function steadyLines(
  what: string,
  { discord, service, bot }: World,
  bare: readonly Round[],
  { timesBare, cores, kib }: SteadyGoals,
): Promise<Line[]> {
  const idle = await bot.memory();
  await discord.imagine(JOBS, (JOBS / ASKED_PER_SECOND) * 1_000);
  await delay(SETTLE_MS);
  const ours = await rounds(service, bot.cpuMs);
  await service.progress(false);
  await delay(SETTLE_MS);
  const withoutEdits = await rounds(service, bot.cpuMs);
  await service.progress(true);
  const full = await bot.memory();
  const { running } = await service.report();
  const undici = (runs: readonly number[]) => ({ what: 'undici', runs });
  const gap = (percent: number) => (round: Round) => percentile(round.gaps, percent);
  return [
    { name: `${what}: of them, running`, unit: '', ours: [running], goal: { atLeast: JOBS } },
    {
      name: `${what}: CPU per poll`,
      unit: 'µs',
      ours: withoutEdits.map(({ cpuPerPoll }) => cpuPerPoll),
      bare: undici(bare.map(({ cpuPerPoll }) => cpuPerPoll)),
      goal: { atMostTimesBare: timesBare },
    },
    {
      name: `${what}: CPU per poll, progress edits included`,
      unit: 'µs',
      ours: ours.map(({ cpuPerPoll }) => cpuPerPoll),
      bare: undici(bare.map(({ cpuPerPoll }) => cpuPerPoll)),
    },
    {
      name: `${what}: CPU, progress edits included`,
      unit: 'cores',
      ours: ours.map(({ cores }) => cores),
      bare: undici(bare.map(({ cores }) => cores)),
      ...(cores !== undefined && { goal: { atMost: cores } }),
    },
    {
      name: `${what}: polls`,
      unit: '/s',
      ours: ours.map(({ perSecond }) => perSecond),
      bare: undici(bare.map(({ perSecond }) => perSecond)),
    },
    {
      name: `${what}: gap between polls of a task, p1`,
      unit: 'ms',
      ours: ours.map(gap(1)),
      bare: undici(bare.map(gap(1))),
      goal: { atLeast: 2_000 },
    },
    {
      name: `${what}: gap between polls of a task, p99`,
      unit: 'ms',
      ours: ours.map(gap(99)),
      bare: undici(bare.map(gap(99))),
      goal: { atMost: 3_500 },
    },
    {
      name: `${what}: heap of a running job`,
      unit: 'KiB',
      ours: [(full.heap - idle.heap) / running / 1_024],
      ...(kib !== undefined && { goal: { atMost: kib } }),
    },
    {
      name: `${what}: resident memory of a running job, garbage included`,
      unit: 'KiB',
      ours: [(full.resident - idle.resident) / running / 1_024],
    },
  ];
}

async function bareRounds(): Promise<Round[]> {
  const service = await startLightService();
  const undici = forkFile(new URL('./bare-polls-process.js', import.meta.url), {
    execArgv: ['--expose-gc', '--import', new URL('./usage-process.js', import.meta.url).href],
    args: [service.origin, String(JOBS)],
  });
  await delay(SETTLE_MS);
  const measured = await rounds(service, () => undici.ask<number>({ ask: 'cpuMs' } satisfies BotQuestion));
  await Promise.all([undici.stop(), service.stop()]);
  return measured;
}

interface Round {
  cpuPerPoll: number;
  cores: number;
  perSecond: number;
  gaps: readonly number[];
}

async function rounds(service: LightService, cpuMs: () => Promise<number>): Promise<Round[]> {
  const measured: Round[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await service.reset();
    const [before, startedAt] = [await cpuMs(), performance.now()];
    await delay(ROUND_MS);
    const [after, report] = [await cpuMs(), await service.report()];
    const seconds = (performance.now() - startedAt) / 1_000;
    const spentMs = after - before;
    measured.push({
      cpuPerPoll: (spentMs * 1_000) / report.polls,
      cores: spentMs / 1_000 / seconds,
      perSecond: report.polls / seconds,
      gaps: report.gaps,
    });
  }
  return measured;
}

async function restartLines({ restart, service }: World): Promise<Line[]> {
  const { running } = await service.report();
  await restart();
  const readyAt = Date.now();
  await delay(RESTART_MS);
  const { firstPolls, overlapping } = await service.report();
  const after = (at: number) => [Math.max(0, at - readyAt)];
  const name = 'start with 5,000 unfinished jobs, after the bot is on Discord';
  return [
    {
      name: `${name}: first poll`,
      unit: 'ms',
      ours: after(Math.min(...firstPolls)),
      goal: { atMost: 1_000 },
    },
    {
      name: `${name}: all polled`,
      unit: 'ms',
      ours: firstPolls.length < running ? [Number.POSITIVE_INFINITY] : after(Math.max(...firstPolls)),
      goal: { atMost: 5_000 },
    },
    { name: `${name}: tasks polled within 100 ms, most`, unit: '', ours: [fullest(firstPolls, 100)] },
    { name: `${name}: polls of one task at once, most`, unit: '', ours: [overlapping], goal: { atMost: 1 } },
  ];
}

/** The most of `moments` in any window of `ms`. */
function fullest(moments: LightServiceReport['firstPolls'], ms: number): number {
  const sorted = moments.toSorted((one, other) => one - other);
  let first = 0;
  let most = 0;
  for (const [last, at] of sorted.entries()) {
    while ((sorted[first] ?? at) <= at - ms) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

async function completionLines({ discord, service }: World): Promise<Line[]> {
  await discord.pictures();
  await service.complete(COMPLETIONS_PER_SECOND);
  await delay(COMPLETION_MS);
  const { completions } = await service.report();
  await service.complete(0);
  await delay(2 * PICTURE_GOAL_MS + 2_000);
  const pictures = new Map((await discord.pictures()).map(({ prompt, at }) => [prompt, at]));
  const waits = completions.flatMap(({ prompt, at }) => {
    const seenAt = pictures.get(prompt);
    return seenAt === undefined ? [] : [seenAt - at];
  });
  const name = `a picture completed at the service, ${COMPLETIONS_PER_SECOND} a second: in the chat`;
  return [
    { name: `${name}, median`, unit: 'ms', ours: [percentile(waits, 50)], goal: { atMost: PICTURE_GOAL_MS } },
    { name: `${name}, p99`, unit: 'ms', ours: [percentile(waits, 99)] },
    {
      name: `${name}, of ${completions.length}`,
      unit: '',
      ours: [waits.length],
      goal: { atLeast: completions.length },
    },
  ];
}
