import { startBenchService } from './bench-service.ts';
import type { Line } from './line.ts';
import { beside, pollWaitP99 } from './poll-wait.ts';
import type { BenchDatabase } from './service-database.ts';

const ROUNDS = 7;
const ROUND_MS = 1_500;

/** In turns: how long polls take while another account asks for much and while it does not. */
export async function otherCallers(create: () => Promise<BenchDatabase>): Promise<readonly Line[]> {
  const database = await create();
  const { url, accounts, tasks, close } = await startBenchService(database, {
    accounts: 2,
    tasks: 1,
    limits: { slots: 0 },
  });
  const [visited = { id: '', headers: {} }] = tasks;
  const p99 = () => pollWaitP99(url, visited, ROUND_MS);
  const attack = { origin: url, headers: accounts[1] };
  const runs: Record<'without' | 'under', number[]> = { without: [], under: [] };
  try {
    await p99();
    for (let round = 0; round < ROUNDS; round++) {
      runs.without.push(await p99());
      runs.under.push(await beside(new URL('./attack.js', import.meta.url), attack, p99));
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
