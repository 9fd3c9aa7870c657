import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Job } from '../../../src/jobs/job.ts';
import { createJobStore, type JobStore } from '../../../src/jobs/job-store.ts';
import { createLog } from '../../../src/log.ts';
import { openStore } from '../../../src/store.ts';
import { createVault } from '../../../src/vault.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { copyLog } from './bot-log.ts';
import type { BotProcess } from './bot-process.ts';
import { type Excuse, inspect } from './inspection.ts';
import { createLives } from './lives.ts';
import { drawPlan } from './plan.ts';
import { SECRET, type Stage, setStage } from './stage.ts';

const MINUTE = 60_000;

/** How long what is left may take to come to its end once nothing fails any more, in real milliseconds. */
const SETTLING_MS = 3 * PATIENCE_MS;

export interface StormOptions {
  seed: number;
  /** How often the bot is killed. */
  kills: number;
  /** Told how far the storm is. */
  report?: (line: string) => void;
}

/** A broken rule in a sentence, and what was seen of it, line by line. */
export interface Violation {
  rule: string;
  trail: string[];
}

export interface Verdict {
  /** None where all is well. */
  violations: Violation[];
  idempotent: boolean;
  /** How often people asked for pictures, whether a bot was there or not. */
  requests: number;
  /** How many jobs ended how. */
  ends: Record<string, number>;
  /** How many tasks failed for which reason. */
  failures: Record<string, number>;
  submissions: number;
  excused: Partial<Record<Excuse, number>>;
}

/** Kills the bot at random points under load, while Discord and the image service fail at random, and looks what is left. */
export async function runStorm({ seed, kills, report = () => undefined }: StormOptions): Promise<Verdict> {
  const { digest, idempotent, lives: planned } = drawPlan({ seed, kills });
  report(`plan ${digest}`);
  const stage = await setStage({ seed, idempotent });
  const { clock, people, sky, diary, folder } = stage;
  const lives = createLives({ config: stage.config, lockedSince: sky.lockedSince, diary });
  function leap(ms: number): void {
    if (ms === 0) return;
    diary.note('storm', `time leaps by ${Math.round(ms / MINUTE)} minutes`);
    clock.leap(ms);
    lives.leap(ms);
  }

  let keep = true;
  try {
    for (const [index, life] of planned.entries()) {
      await lives.begin(life.awaited);
      for (const { atMs, what } of life.acts) setTimeout(() => people.perform(what), atMs);
      for (const { atMs, what } of life.weather) setTimeout(() => sky.make(what), atMs);
      await delay(life.lastsMs);
      leap(life.leapMs);
      await lives.end(life.end);
      leap(life.leapAfterMs);
      const ended = index + 1;
      if (ended % 10 === 0)
        report(`${ended} of ${kills} kills, ${stage.people.doings.asked.length} requests`);
    }
    await stage.settle();
    await people.idle();
    const bot = await lives.begin(true);
    await comeToRest(bot, stage, leap);
    await lives.end('SIGTERM');

    const verdict = await judge(stage, { idempotent, lives });
    keep = verdict.violations.length > 0;
    if (keep) {
      report(`what is left of it: ${folder}`);
      const trails = verdict.violations.map(({ rule, trail }) => [rule, ...trail].join('\n'));
      await writeFile(join(folder, 'violations.txt'), trails.join('\n\n'));
    }
    return verdict;
  } finally {
    await stage.settle();
    await people.idle();
    await lives.close();
    await stage.close({ keep });
  }
}

/** Lets time pass until nothing is under way, and has people fetch what waits for them. */
async function comeToRest(bot: BotProcess, { people }: Stage, leap: (ms: number) => void): Promise<void> {
  for (const giveUpAt = Date.now() + SETTLING_MS; Date.now() < giveUpAt; await delay(500)) {
    const left = await bot.unfinished();
    if (left.length === 0) return;
    if (left.some(({ goesOn }) => goesOn)) leap(MINUTE);
    else for (const memberId of new Set(left.map(({ memberId }) => memberId))) await people.collect(memberId);
  }
}

async function judge(
  stage: Stage,
  { idempotent, lives }: { idempotent: boolean; lives: ReturnType<typeof createLives> },
): Promise<Verdict> {
  const { people, sightings, submissions, service, diary } = stage;
  const { doings } = people;
  const store = await openStore({ url: `sqlite://${stage.storePath}`, log: createLog({ level: 'silent' }) });
  const jobs = await everyJob(createJobStore({ store, vault: createVault([SECRET]) }), stage);
  await store.close();
  const { findings, excused } = await inspect({
    jobs,
    messages: stage.messages(),
    outcomes: sightings.outcomes(),
    doings,
    submissions,
    idempotent,
    stopped: doings.stopped,
    finishedAt: ({ submission }, { seed }) => stage.finishedAt(`${submission.prompt}`, seed),
    stateOf: service.stateOf,
    deaths: lives.deaths,
  });
  findings.push(...lives.findings);
  if (findings.length > 0) await copyLog(stage.logPath, diary);
  const failures = jobs.flatMap(({ tasks }) =>
    tasks.flatMap((task) => (task.state === 'failed' ? [task.failure.kind] : [])),
  );
  return {
    violations: findings.map(({ rule, about }) => ({ rule, trail: diary.trail(about) })),
    idempotent,
    requests: doings.asked.filter(({ forPictures }) => forPictures).length,
    ends: counted(jobs.map(({ state }) => state)),
    failures: counted(failures),
    submissions: submissions.length,
    excused,
  };
}

/** Those that somebody knows of, and those that the store calls unfinished. */
async function everyJob(store: JobStore, { people }: Stage): Promise<Job[]> {
  const known = await Promise.all(people.doings.asked.map(({ answer }) => store.find(answer.interactionId)));
  const all = [...known, ...(await store.unfinished())].flatMap((job) => job ?? []);
  return [...new Map(all.map((job) => [job.id, job])).values()];
}

const counted = (words: readonly string[]): Record<string, number> =>
  Object.fromEntries([...new Set(words)].map((word) => [word, words.filter((one) => one === word).length]));
