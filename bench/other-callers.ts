import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { startBenchService, statusPath } from './bench-service.ts';
import type { Line } from './line.ts';
import type { BenchDatabase } from './service-database.ts';

const ROUNDS = 7;
const ROUND_MS = 1_500;

/** What one account does meanwhile, each in a worker that says when it begins. */
const LOADS = [
  {
    worker: new URL('./attack.js', import.meta.url),
    account: () => 1,
    name: 'status polls, p99, while one key sends invalid graphs of 1 MB on 50 connections',
  },
  {
    worker: new URL('./uploading.js', import.meta.url),
    // Another one in each round, as there is a limit of uploads in a minute.
    account: (round: number) => 2 + round,
    name: 'status polls, p99, while one key uploads pictures of 8 MiB on 2 connections',
  },
];

/** In turns: how long polls take while another account asks for much and while it does not. */
export async function otherCallers(create: () => Promise<BenchDatabase>): Promise<readonly Line[]> {
  const database = await create();
  const { url, accounts, tasks, close } = await startBenchService(database, {
    accounts: 2 + ROUNDS,
    tasks: 1,
    limits: { slots: 0 },
  });
  const [visited = { id: '', headers: {} }] = tasks;
  const visitor = { origin: url, path: statusPath(visited.id), headers: visited.headers, ms: ROUND_MS };
  const p99 = async () => {
    const worker = new Worker(new URL('./visitor.js', import.meta.url), { workerData: visitor });
    const [ms] = await once(worker, 'message');
    await worker.terminate();
    return Number(ms);
  };
  const without: number[] = [];
  const under = LOADS.map((load) => ({ ...load, runs: [] as number[] }));
  try {
    await p99();
    for (let round = 0; round < ROUNDS; round++) {
      without.push(await p99());
      for (const { worker, account, runs } of under) {
        const headers = accounts[account(round)];
        const asking = new Worker(worker, { workerData: { origin: url, headers } });
        await once(asking, 'message');
        runs.push(await p99());
        await asking.terminate();
      }
    }
  } finally {
    await close();
    await database.remove();
  }
  return under.map(({ name, runs }) => ({
    name,
    unit: 'ms',
    ours: runs,
    bare: { what: 'the same without them', runs: without },
    goal: { atMostTimesBare: 2 },
  }));
}
