import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { startBenchService, statusPath } from './bench-service.ts';
import type { Line } from './line.ts';
import type { BenchDatabase } from './service-database.ts';

const ROUNDS = 9;
const ROUND_MS = 1_500;

/** In turns: how long polls take while an account attacks the service and while it does not. */
export async function hostileCallers(create: () => Promise<BenchDatabase>): Promise<readonly Line[]> {
  const database = await create();
  const { url, accounts, tasks, close } = await startBenchService(database, {
    accounts: 2,
    tasks: 2,
    limits: { slots: 0 },
  });
  const [attacker = {}] = accounts;
  const [, visited = { id: '', headers: {} }] = tasks;
  const visitor = { origin: url, path: statusPath(visited.id), headers: visited.headers, ms: ROUND_MS };
  const p99 = async () => {
    const worker = new Worker(new URL('./visitor.js', import.meta.url), { workerData: visitor });
    const [ms] = await once(worker, 'message');
    await worker.terminate();
    return Number(ms);
  };
  const runs: Record<'without' | 'under', number[]> = { without: [], under: [] };
  try {
    await p99();
    for (let round = 0; round < ROUNDS; round++) {
      runs.without.push(await p99());
      const attacking = new Worker(new URL('./attack.js', import.meta.url), {
        workerData: { origin: url, headers: { ...attacker, 'content-type': 'application/json' } },
      });
      await once(attacking, 'message');
      runs.under.push(await p99());
      await attacking.terminate();
    }
  } finally {
    await close();
    await database.remove();
  }
  return [
    {
      name: 'status polls, p99, while one key sends invalid graphs of 1 MB on 50 connections',
      unit: 'ms',
      ours: runs.under,
      bare: { what: 'the same without them', runs: runs.without },
      goal: { atMostTimesBare: 2 },
    },
  ];
}
