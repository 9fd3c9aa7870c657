import { HOUR_MS } from '@darkroom/time';
import { startBareService } from './bare-service.ts';
import { NO_LIMIT, SUBMISSION, SUBMIT_PATH, startBenchService, statusPath } from './bench-service.ts';
import { compare } from './compare.ts';
import type { Line } from './line.ts';
import type { BenchDatabase } from './service-database.ts';

const ACCOUNTS = 100;
const TASKS = 1_000;

/** Of a bare route with one statement, on the same database. */
const GOALS = {
  SQLite: { polls: { atLeastTimesBare: 0.9 }, submissions: { atLeastTimesBare: 0.65 } },
  PostgreSQL: { polls: { atLeastTimesBare: 1.0 }, submissions: { atLeastTimesBare: 0.4 } },
} as const;

/**
 * The throughput of status polls, compared with a bare Fastify route that runs one prepared SELECT of the same row,
 * and of submissions, compared with a bare route that runs one durable INSERT.
 */
export async function throughput(create: () => Promise<BenchDatabase>): Promise<readonly Line[]> {
  const database = await create();
  const service = await startBenchService(database, {
    accounts: ACCOUNTS,
    tasks: TASKS,
    limits: { slots: 0, waiting: NO_LIMIT, perMinute: NO_LIMIT },
  });
  // Most polls find a task that is being drawn: here by a process that finishes after the bench.
  await database.execute(`
    update tasks set "state" = 'processing', "progress" = 40, "startedAt" = "createdAt", "expectedMs" = 12000,
      "leaseOwner" = 'nobody', "leaseUntil" = ${Date.now() + HOUR_MS}`);
  const bare = await startBareService(database);
  try {
    const polls = await compare({
      baseline: {
        origin: bare.url,
        method: 'GET',
        requests: service.tasks.map(({ id }) => ({ path: `/task?id=${id}` })),
      },
      measured: {
        origin: service.url,
        method: 'GET',
        requests: service.tasks.map(({ id, headers }) => ({ path: statusPath(id), headers })),
      },
    });
    const { type, body } = SUBMISSION;
    const submissions = await compare({
      baseline: { origin: bare.url, method: 'POST', requests: [{ path: '/task', headers: type }], body },
      measured: {
        origin: service.url,
        method: 'POST',
        requests: service.accounts.map((headers) => ({
          path: SUBMIT_PATH,
          headers: { ...headers, ...type },
        })),
        body,
      },
    });
    const what = 'a Fastify route with one statement';
    const on = database.name === 'SQLite' ? '' : ` on ${database.name}`;
    const goals = GOALS[database.name];
    return [
      {
        name: `status polls${on}`,
        unit: '/s',
        ours: polls.measured,
        bare: { what, runs: polls.baseline },
        goal: goals.polls,
      },
      {
        name: `status polls${on}: longest event-loop delay of the service`,
        unit: 'ms',
        ours: polls.delays,
      },
      {
        name: `durable submissions${on}`,
        unit: '/s',
        ours: submissions.measured,
        bare: { what, runs: submissions.baseline },
        goal: goals.submissions,
      },
      {
        name: `durable submissions${on}: longest event-loop delay of the service`,
        unit: 'ms',
        ours: submissions.delays,
      },
    ];
  } finally {
    await bare.close();
    await service.close();
    await database.remove();
  }
}
