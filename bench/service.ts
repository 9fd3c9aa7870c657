import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import Fastify from 'fastify';
import { systemClock } from '../src/clock.ts';
import { createLog } from '../src/log.ts';
import { createService } from '../src/service/service.ts';
import { VISIBLE } from '../src/service/tasks/task-queries.ts';
import { createVault } from '../src/vault.ts';
import { duration, median } from './figures.ts';

const DATABASE = 'service.sqlite';
const ROUNDS = 5;
const ROUND_MS = 1_500;
const ACCOUNTS = 100;
const TASKS = 1_000;
const NO_LIMIT = 1_000_000_000;

/**
 * Status polls beside a bare route that reads the same row by one prepared SELECT, submissions beside a bare route that
 * runs one durable INSERT.
 */
export async function service(): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-bench-'));
  const whole = await wholeService(folder);
  const bare = await bareService(folder);
  try {
    const polls = await compare(
      {
        origin: bare.url,
        method: 'GET',
        requests: whole.tasks.map(({ id }) => ({ path: `/task?id=${id}` })),
      },
      {
        origin: whole.url,
        method: 'GET',
        requests: whole.tasks.map(({ id, headers }) => ({
          path: `/v1/index.php?endpoint=task_status&task_id=${id}`,
          headers,
        })),
      },
    );
    const body = JSON.stringify({ prompt: 'a red fox in the snow' });
    const json = { 'content-type': 'application/json' };
    const submissions = await compare(
      { origin: bare.url, method: 'POST', requests: [{ path: '/task', headers: json }], body },
      {
        origin: whole.url,
        method: 'POST',
        requests: whole.accounts.map((headers) => ({
          path: '/v1/index.php?endpoint=image_generation',
          headers: { ...headers, ...json },
        })),
        body,
      },
    );
    return [
      `status polls: ${polls.line}`,
      `durable submissions: ${submissions.line}`,
      `longest event-loop delay of the service: polls ${polls.delay}, submissions ${submissions.delay}`,
    ];
  } finally {
    await bare.close();
    await whole.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Load {
  origin: string;
  method: 'GET' | 'POST';
  requests: readonly { path: string; headers?: Record<string, string> }[];
  body?: string;
}

/** Both in turn, so that whatever else the machine does meets both. */
async function compare(bare: Load, whole: Load) {
  const rates: Record<'bare' | 'whole', number[]> = { bare: [], whole: [] };
  await rate(bare);
  await rate(whole);
  let longest = 0;
  for (let round = 0; round < ROUNDS; round++) {
    rates.bare.push(await rate(bare));
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    rates.whole.push(await rate(whole));
    delay.disable();
    longest = Math.max(longest, delay.max / 1e6);
  }
  const ratios = rates.whole.map((value, round) => value / (rates.bare[round] ?? Number.NaN));
  return {
    line:
      `${Math.round(median(rates.whole))}/s beside ${Math.round(median(rates.bare))}/s bare: ` +
      `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
    delay: duration(longest),
  };
}

async function rate(load: Load): Promise<number> {
  const worker = new Worker(new URL('./load.js', import.meta.url), {
    workerData: { ...load, ms: ROUND_MS },
  });
  const [perSecond] = await once(worker, 'message');
  await worker.terminate();
  return Number(perSecond);
}

async function bareService(folder: string) {
  const tasks = new Database(join(folder, DATABASE), { readonly: true });
  const select = tasks.prepare(`select ${VISIBLE.map((name) => `"${name}"`)} from tasks where id = ?`);
  const bare = new Database(join(folder, 'bare.sqlite'));
  bare.pragma('journal_mode = WAL');
  bare.pragma('synchronous = FULL');
  bare.exec('create table tasks (id integer primary key autoincrement, body text not null)');
  const insert = bare.prepare('insert into tasks (body) values (?)');
  const app = Fastify();
  app.get<{ Querystring: { id: string } }>('/task', async (request) => select.get(request.query.id));
  app.post('/task', async (request) => ({ id: insert.run(JSON.stringify(request.body)).lastInsertRowid }));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    async close() {
      await app.close();
      tasks.close();
      bare.close();
    },
  };
}

async function wholeService(folder: string) {
  const whole = await createService({
    databaseUrl: `sqlite://${join(folder, DATABASE)}`,
    filesFolder: join(folder, 'pictures'),
    vault: createVault(['0'.repeat(64)]),
    engine: {
      name: 'none',
      draw: () => Promise.reject(new Error('nothing is drawn here')),
      close: async () => {},
    },
    clock: systemClock,
    log: createLog({ level: 'silent' }),
    limits: { slots: 0, waiting: NO_LIMIT, perMinute: NO_LIMIT },
  });
  const { url } = await whole.listen({ host: '127.0.0.1', port: 0 });
  const accounts: Record<string, string>[] = [];
  for (let account = 0; account < ACCOUNTS; account++) {
    const { id } = await whole.accounts.add(`bench${account}`);
    await whole.ledger.grant({ accountId: id, amount: NO_LIMIT });
    accounts.push({ 'x-api-key': await whole.keys.generate(id) });
  }
  const tasks: { id: string; headers: Record<string, string> }[] = [];
  for (let task = 0; task < TASKS; task++) {
    const headers = accounts[task % ACCOUNTS] ?? {};
    const { payload } = await whole.app.inject({
      method: 'POST',
      url: '/v1/index.php?endpoint=image_generation',
      headers,
      payload: { prompt: 'a red fox in the snow' },
    });
    tasks.push({ id: JSON.parse(payload).data.id, headers });
  }
  // As a poll mostly finds a task: being drawn, here by a process that never finishes.
  const file = new Database(join(folder, DATABASE));
  file.exec(`
    update tasks set state = 'processing', progress = 40, "startedAt" = "createdAt", "expectedMs" = 12000,
      "leaseOwner" = 'nobody', "leaseUntil" = ${Number.MAX_SAFE_INTEGER}`);
  file.close();
  return { url, accounts, tasks, close: whole.close };
}
