import { createServer, type RequestListener } from 'node:http';
import { listen, until } from '@darkroom/testing';
import { NO_LIMIT, startBenchService } from './bench-service.ts';
import type { Line } from './line.ts';
import type { BenchDatabase } from './service-database.ts';

const RUNS = 3;
/** All of one account, to one receiver, due at once. */
const WEBHOOKS = 200;

/**
 * How many webhooks a second one receiver of one account gets that are due at once, counted from that moment: alone,
 * and while as many receivers of another account, of which each is due one, never answer.
 */
export async function webhooks(create: () => Promise<BenchDatabase>): Promise<readonly Line[]> {
  const runs: Record<'alone' | 'attacked', number[]> = { alone: [], attacked: [] };
  for (let run = 0; run < RUNS; run++) {
    runs.alone.push(await webhooksPerSecond(await create(), 0));
    runs.attacked.push(await webhooksPerSecond(await create(), WEBHOOKS));
  }
  const goal = { atLeast: 50 };
  return [
    { name: `webhooks to one receiver, ${WEBHOOKS} due at once`, unit: '/s', ours: runs.alone, goal },
    {
      name: `the same, while ${WEBHOOKS} receivers of another account hang`,
      unit: '/s',
      ours: runs.attacked,
      goal,
    },
  ];
}

async function webhooksPerSecond(database: BenchDatabase, hanging: number): Promise<number> {
  let received = 0;
  const answering = await receiver((_, response) => {
    received += 1;
    response.end();
  });
  const others = await Promise.all(Array.from({ length: hanging }, () => receiver(() => {})));
  const service = await startBenchService(database, {
    // In turn: the tasks of the other account are due first.
    accounts: hanging > 0 ? 2 : 1,
    tasks: WEBHOOKS + hanging,
    webhooks: hanging > 0 ? others.flatMap(({ origin }) => [origin, answering.origin]) : [answering.origin],
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
    for (const { close } of [answering, ...others]) close();
    await service.close();
    await database.remove();
  }
}

async function receiver(listener: RequestListener) {
  const server = createServer(listener);
  const origin = `http://127.0.0.1:${await listen(server)}`;
  return {
    origin,
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}
