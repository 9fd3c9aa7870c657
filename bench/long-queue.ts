import { until } from '@darkroom/testing';
import {
  type AccountHeaders,
  NO_LIMIT,
  SUBMISSION,
  SUBMIT_PATH,
  startBenchService,
  statusPath,
} from './bench-service.ts';
import { compare, type Load, ROUNDS } from './compare.ts';
import type { Line } from './line.ts';
import type { BenchDatabase } from './service-database.ts';

/** Tasks that wait. */
const LONG = 100_000;
const SHORT = 100;
const ACCOUNTS = 500;
/** Tasks that are claimed one after another, and how many are being drawn while the rest is measured. */
const CLAIMS = 50;
const DRAWN = 8;
/** Of the tasks that wait, how many are polled. */
const POLLED = 1_000;
/** What the ids of the tasks that wait from the start begin with. A number of 12 digits follows. */
const ID = '00000000-0000-4000-8000-';
const FIRST_ID = 100_000_000_000;
/** So long that nothing is refused because it could not be drawn in time. */
const TASK_MS = 1_000_000_000;
const limits = (slots: number) => ({ slots, taskMs: TASK_MS, waiting: NO_LIMIT, perMinute: NO_LIMIT });

/**
 * How many claims, polls of waiting tasks and submissions a second there are while 100,000 tasks wait, compared with
 * 100. What a round submits is deleted after it.
 */
export async function longQueue(create: () => Promise<BenchDatabase>): Promise<readonly Line[]> {
  const queues: Queue[] = [];
  const services: Awaited<ReturnType<typeof startBenchService>>[] = [];
  try {
    for (const waiting of [SHORT, LONG]) queues.push(await fill(await create(), waiting));
    const [short, long] = queues;
    if (!short || !long) throw new Error('there are no queues');
    const claims: Record<'short' | 'long', number[]> = { short: [], long: [] };
    for (const queue of queues) await claimsPerSecond(queue);
    for (let round = 0; round < ROUNDS; round++) {
      claims.short.push(await claimsPerSecond(short));
      claims.long.push(await claimsPerSecond(long));
    }
    for (const { database } of queues)
      services.push(await startBenchService(database, { limits: limits(DRAWN) }));
    const [{ url: atShort } = { url: '' }, { url: atLong } = { url: '' }] = services;
    const polls = await compare({ baseline: pollsOf(short, atShort), measured: pollsOf(long, atLong) });
    const submissions = await compare(
      { baseline: submissionsTo(short, atShort), measured: submissionsTo(long, atLong) },
      {
        async settle() {
          for (const { database } of queues)
            await database.execute(`delete from tasks where "state" = 'pending' and "id" not like '${ID}%'`);
        },
      },
    );
    const on = long.database.name === 'SQLite' ? '' : ` on ${long.database.name}`;
    const line = (what: string, ours: readonly number[], runs: readonly number[]): Line => ({
      name: `${what}${on}, 100,000 tasks waiting`,
      unit: '/s',
      ours,
      bare: { what: 'the same with 100 tasks waiting', runs },
      goal: { atLeastTimesBare: 0.5 },
    });
    return [
      line('claims', claims.long, claims.short),
      line('status polls of waiting tasks', polls.measured, polls.baseline),
      line('durable submissions', submissions.measured, submissions.baseline),
    ];
  } finally {
    for (const service of services) await service.close();
    for (const { database } of queues) await database.remove();
  }
}

/** A database in which so many tasks wait, of all accounts in turn. */
interface Queue {
  database: BenchDatabase;
  waiting: number;
  accounts: readonly AccountHeaders[];
}

/** All tasks are copies of one, which counts as drawn, so that it is known how long they take. */
async function fill(database: BenchDatabase, waiting: number): Promise<Queue> {
  const { accounts, close } = await startBenchService(database, {
    accounts: ACCOUNTS,
    tasks: 1,
    limits: limits(0),
  });
  await close();
  await database.execute(`
    update tasks set "state" = 'completed', "startedAt" = "createdAt" - 3000, "finishedAt" = "createdAt";
    with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n + 1 < ${waiting})
    insert into tasks ("id", "accountId", "keyId", "state", "workflow", "seed", "cost", "turn", "progress", "expectedMs",
      "createdAt", "deadlineAt", "attempts", "drawing")
    select '${ID}' || (${FIRST_ID} + n), keys."accountId", keys."id", 'pending', drawn."workflow", drawn."seed",
      drawn."cost", n / ${ACCOUNTS}, 0, 3000, drawn."createdAt" + n, drawn."deadlineAt" + n, 0, drawn."drawing"
    from numbers
    join keys on keys."id" = (select min("id") from keys) + n % ${ACCOUNTS}
    cross join tasks as drawn;
    analyze`);
  return { database, waiting, accounts };
}

/** Claims of a service that has just been started; when it is closed, its tasks wait again. */
async function claimsPerSecond({ database }: Queue): Promise<number> {
  const times: number[] = [];
  const { close } = await startBenchService(database, {
    limits: limits(CLAIMS),
    onDraw: () => times.push(performance.now()),
  });
  await until(async () => times.length === CLAIMS, `${CLAIMS} claims`).finally(close);
  const [first = Number.NaN] = times;
  return ((CLAIMS - 1) / ((times.at(-1) ?? Number.NaN) - first)) * 1_000;
}

/** Polls of tasks from the beginning of the queue to its end, but for those that are being drawn. */
function pollsOf({ waiting, accounts }: Queue, origin: string): Load {
  const step = Math.max(1, Math.floor(waiting / POLLED));
  const requests = [];
  for (let n = DRAWN; n < waiting; n += step)
    requests.push({ path: statusPath(`${ID}${FIRST_ID + n}`), headers: accounts[n % ACCOUNTS] ?? {} });
  return { origin, method: 'GET', requests };
}

const submissionsTo = ({ accounts }: Queue, origin: string): Load => ({
  origin,
  method: 'POST',
  requests: accounts.map((headers) => ({ path: SUBMIT_PATH, headers: { ...headers, ...SUBMISSION.type } })),
  body: SUBMISSION.body,
});
