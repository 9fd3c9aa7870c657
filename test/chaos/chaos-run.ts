import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createVault } from '@darkroom/storage';
import { silentLog, WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { MINUTE_MS } from '@darkroom/time';
import type { Job } from '../../src/jobs/job.ts';
import { createJobStore, type JobStore } from '../../src/jobs/job-store.ts';
import { openStore } from '../../src/storage/store.ts';
import { checkAccounts } from './account-checks.ts';
import { copyLog } from './bot-log.ts';
import type { BotProcess } from './bot-process.ts';
import { type Observed, runChecks } from './checks.ts';
import { createEnvironment, type Environment } from './environment.ts';
import { createLifetimes } from './lifetimes.ts';
import { drawPlan } from './plan.ts';
import { checkCalls, readCalls } from './service-calls.ts';
import type { KnownLimit } from './violation.ts';

/** A bot's requests in any second, of all its processes. Source: 'Rate Limits', global rate limit. */
const BOT_REQUESTS = 50;

/** How long jobs may take to end once there are no more faults, in real milliseconds. */
const SETTLING_MS = 3 * WAIT_TIMEOUT_MS;

interface ChaosOptions {
  seed: number;
  /** How often the bot is killed, or restarted. */
  kills: number;
  /** How many processes run at once; more than one share the PostgreSQL of `TEST_POSTGRES_URL`. One unless given. */
  processes?: number;
  /** Whether each process is restarted in good order, by SIGTERM, instead of being killed. */
  rolling?: boolean;
  /** Called with a line about how far the run is. */
  report?: (line: string) => void;
}

interface ChaosResult {
  /** Each with an excerpt of the trace, line by line. */
  violations: { rule: string; trace: string[] }[];
  /** Whether the image service supported `Idempotency-Key`. */
  idempotent: boolean;
  /** How often users asked for pictures, whether a bot was running or not. */
  requests: number;
  /** How many jobs ended in each state. */
  ends: Record<string, number>;
  /** How many jobs with a picture in chat there were of each operation. */
  operations: Record<string, number>;
  /** How many tasks failed, by reason. */
  failures: Record<string, number>;
  submissions: number;
  /** How many pictures are known to be deleted. */
  removed: number;
  /** The most of the bot to Discord, in any second. */
  requestsPerSecond: number;
  /** The most of one guild to the image service, in any second. */
  callsPerSecond: number;
  /** How often limits were changed while the bot ran. */
  limitChanges: number;
  /** How many interactions nobody answered: no process was connected, or the one that was died. */
  unanswered: number;
  tolerated: Partial<Record<KnownLimit, number>>;
}

/**
 * Kills the bot at random moments under load, injects faults into Discord and the image service, and checks what is
 * left.
 */
export async function runChaos({
  seed,
  kills,
  processes = 1,
  rolling = false,
  report = () => undefined,
}: ChaosOptions): Promise<ChaosResult> {
  const plan = drawPlan({ seed, kills, processes, rolling });
  report(`plan ${plan.digest}`);
  const environment = await createEnvironment({ seed, idempotent: plan.idempotent, processes });
  const { clock, users, disruptions, trace, folder, secrets } = environment;
  const lifetimes = createLifetimes({
    processes,
    config: environment.botConfig,
    lockedSince: disruptions.lockedSince,
    trace,
  });
  const advances: Observed['advances'][number][] = [];
  function advance(ms: number): void {
    if (ms === 0) return;
    trace.record('run', `the clock is advanced by ${Math.round(ms / MINUTE_MS)} minutes`);
    const from = clock.now();
    advances.push({ from, to: from + ms });
    clock.advance(ms);
    lifetimes.advance(ms);
  }

  /** While the bot runs, and is killed. A store that is locked is sealed anew at the end. */
  const sealAnew = async (atMs: number) => {
    await delay(atMs);
    await secrets.sealAnew().catch((error: unknown) => trace.record('run', `not sealed anew: ${error}`));
  };
  let sealing = Promise.resolve();
  let keep = true;
  try {
    for (const [index, lifetime] of plan.lifetimes.entries()) {
      await sealing;
      if (lifetime.sealedAnewAtMs !== undefined) secrets.putNew();
      await lifetimes.start(lifetime.awaited);
      if (lifetime.sealedAnewAtMs !== undefined) sealing = sealAnew(lifetime.sealedAnewAtMs);
      for (const { atMs, event } of lifetime.actions) setTimeout(() => users.perform(event), atMs);
      for (const { atMs, event } of lifetime.disruptions) setTimeout(() => disruptions.start(event), atMs);
      await delay(lifetime.lastsMs);
      advance(lifetime.advanceMs);
      await lifetimes.end(lifetime.end);
      advance(lifetime.advanceAfterMs);
      const ended = index + 1;
      if (ended % 10 === 0)
        report(
          `${ended} of ${kills} ${rolling ? 'restarts' : 'kills'}, ${users.history.invocations.length} interactions`,
        );
    }
    await environment.stopFaults();
    await users.idle();
    await sealing;
    environment.widenBudgets();
    const bot = await lifetimes.start(true);
    await secrets.sealAnew();
    await untilJobsEnd(bot, environment, advance);
    await users.makeEach();
    await untilJobsEnd(bot, environment, advance);
    await lifetimes.end('SIGTERM', { all: true });

    const result = await resultOf(environment, { idempotent: plan.idempotent, lifetimes, advances });
    keep = result.violations.length > 0;
    if (keep) {
      report(`the files of the run: ${folder}`);
      const excerpts = result.violations.map((violation) => [violation.rule, ...violation.trace].join('\n'));
      await writeFile(join(folder, 'violations.txt'), excerpts.join('\n\n'));
    }
    return result;
  } finally {
    await environment.stopFaults();
    await users.idle();
    await lifetimes.close();
    await environment.close({ keep });
  }
}

/** Advances the clock until no job continues by itself, and makes users fetch what waits for them. */
async function untilJobsEnd(
  bot: BotProcess,
  { users }: Environment,
  advance: (ms: number) => void,
): Promise<void> {
  for (const giveUpAt = Date.now() + SETTLING_MS; Date.now() < giveUpAt; await delay(500)) {
    const jobs = await bot.unfinished();
    if (jobs.length === 0) return;
    if (jobs.some(({ continues }) => continues)) advance(MINUTE_MS);
    else for (const id of new Set(jobs.map(({ memberId }) => memberId))) await users.fetchWaiting(id);
  }
}

async function resultOf(
  environment: Environment,
  {
    idempotent,
    lifetimes,
    advances,
  }: {
    idempotent: boolean;
    lifetimes: ReturnType<typeof createLifetimes>;
    advances: Observed['advances'];
  },
): Promise<ChaosResult> {
  const { users, observations, submissions, service, trace, secrets } = environment;
  const { history } = users;
  const store = await openStore({ url: environment.storeUrl, log: silentLog() });
  const jobs = await everyJob(createJobStore({ store, vault: createVault(secrets.keys()) }), environment);
  const accounts = await checkAccounts({
    store,
    secrets: secrets.keys(),
    jobs,
    keys: history.keys,
    shown: history.shown,
    limits: history.limits,
    now: environment.clock.now(),
    linkedKey: service.linkedKey,
    spent: { operator: await service.spent(service.key), linked: await service.spent(service.linkedKey) },
  });
  await store.close();
  const { violations, tolerated } = await runChecks({
    jobs,
    messages: environment.messages(),
    outcomes: observations.outcomes(),
    history,
    submissions,
    idempotent,
    wasStopped: ({ id, guildId, createdAt }) =>
      history.stopped.has(id) ||
      history.stops.some((stop) => stop.guildId === guildId && createdAt <= stop.at),
    finishedAt: ({ submission }, { seed }) => environment.finishedAt(submission, seed),
    stateOf: (taskId, { kind }) => service.stateOf(taskId, kind),
    exits: lifetimes.exits,
    advances,
  });
  violations.push(...accounts, ...lifetimes.violations);
  const requestsPerSecond = environment.mostBotRequests();
  if (requestsPerSecond > BOT_REQUESTS) {
    violations.push({ rule: `the bot sent ${requestsPerSecond} requests to Discord in one second`, ids: [] });
  }
  const calls = checkCalls(await readCalls(environment.callsPath), jobs, history.shown);
  violations.push(...calls.violations);
  if (violations.length > 0) await copyLog(environment.logPath, trace);
  const failures = jobs.flatMap(({ tasks }) =>
    tasks.flatMap((task) => (task.state === 'failed' ? [task.failure.kind] : [])),
  );
  return {
    violations: violations.map(({ rule, ids }) => ({ rule, trace: trace.excerpt(ids) })),
    idempotent,
    requests: history.invocations.filter(({ forPictures }) => forPictures).length,
    ends: counted(jobs.map(({ state }) => state)),
    operations: counted(
      jobs.flatMap(({ state, submission }) =>
        state === 'delivered' ? [submission.operation ?? 'generate'] : [],
      ),
    ),
    failures: counted(failures),
    submissions: submissions.length,
    removed: jobs.filter(({ removed }) => removed).length,
    requestsPerSecond,
    callsPerSecond: calls.most,
    limitChanges: history.limits.filter(({ done }) => done).length,
    unanswered: history.invocations.filter(({ answer }) => answer.kind === 'failure').length,
    tolerated,
  };
}

/** The jobs of every interaction, and those that the store calls unfinished. */
async function everyJob(store: JobStore, { users }: Environment): Promise<Job[]> {
  const known = await Promise.all(
    users.history.invocations.map(({ answer }) => store.find(answer.interactionId)),
  );
  const all = [...known, ...(await store.unfinished())].flatMap((job) => job ?? []);
  return [...new Map(all.map((job) => [job.id, job])).values()];
}

const counted = (words: readonly string[]): Record<string, number> =>
  Object.fromEntries([...new Set(words)].map((word) => [word, words.filter((one) => one === word).length]));
