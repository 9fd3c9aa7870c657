import { createServer } from 'node:http';
import { listen, until } from '@darkroom/testing';
import { NO_LIMIT, startBenchService } from './bench-service.ts';
import type { Line } from './line.ts';
import type { BenchDatabase } from './service-database.ts';

const RUNS = 3;
/** All of one account, to one receiver, due at once. */
const WEBHOOKS = 200;

/** How many webhooks a second one receiver of one account gets that are due at once, counted from that moment. */
export async function webhooks(create: () => Promise<BenchDatabase>): Promise<readonly Line[]> {
  const ours: number[] = [];
  for (let run = 0; run < RUNS; run++) ours.push(await webhooksPerSecond(await create()));
  return [{ name: 'webhooks to one receiver, 200 due at once', unit: '/s', ours, goal: { atLeast: 50 } }];
}

async function webhooksPerSecond(database: BenchDatabase): Promise<number> {
  let received = 0;
  const receiver = createServer((_, response) => {
    received += 1;
    response.end();
  });
  const origin = `http://127.0.0.1:${await listen(receiver)}`;
  const service = await startBenchService(database, {
    accounts: 1,
    tasks: WEBHOOKS,
    webhook: origin,
    limits: { slots: 0, waiting: NO_LIMIT, perMinute: NO_LIMIT },
  });
  try {
    await database.execute(`
      update tasks set "state" = 'failed', "finishedAt" = "createdAt", "error" = 'not drawn';
      update webhooks set "dueAt" = 0, "status" = '{"state":"pending","attempts":[]}'`);
    const dueAt = performance.now();
    await until(async () => received >= WEBHOOKS, 'all webhooks');
    return WEBHOOKS / ((performance.now() - dueAt) / 1_000);
  } finally {
    await service.close();
    receiver.closeAllConnections();
    receiver.close();
    await database.remove();
  }
}
