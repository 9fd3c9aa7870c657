import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { createFolder, createService } from '@darkroom/image-service';
import { createVault } from '@darkroom/storage';
import { silentLog } from '@darkroom/testing';
import { systemClock } from '@darkroom/time';
import Database from 'better-sqlite3';
import Fastify from 'fastify';
import type { Line } from './line.ts';

const DATABASE = 'service.sqlite';
/** What the service reads of a task to answer a poll. */
const POLLED_COLUMNS = [
  'id',
  'state',
  'seed',
  'cost',
  'charged',
  'turn',
  'progress',
  'expectedMs',
  'createdAt',
  'startedAt',
  'finishedAt',
  'picture',
  'preview',
  'error',
  'errorCode',
];
const ROUNDS = 5;
const ROUND_MS = 1_500;
const ACCOUNTS = 100;
const TASKS = 1_000;
const NO_LIMIT = 1_000_000_000;
const UNLIMITED = { slots: 0, waiting: NO_LIMIT, perMinute: NO_LIMIT };

/**
 * The throughput of status polls, compared with a bare Fastify route that runs one prepared SELECT of the same row, and of
 * submissions, compared with a bare route that runs one durable INSERT.
 */
export async function serviceThroughput(): Promise<readonly Line[]> {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-bench-'));
  const measured = await startService(folder);
  const baseline = await startBaseline(folder);
  const hostileFolder = await mkdtemp(join(tmpdir(), 'darkroom-bench-'));
  const hostile = await startService(hostileFolder, { slots: 0 });
  try {
    const polls = await compare(
      {
        origin: baseline.url,
        method: 'GET',
        requests: measured.tasks.map(({ id }) => ({ path: `/task?id=${id}` })),
      },
      {
        origin: measured.url,
        method: 'GET',
        requests: measured.tasks.map(({ id, headers }) => ({
          path: `/v1/index.php?endpoint=task_status&task_id=${id}`,
          headers,
        })),
      },
    );
    const body = JSON.stringify({ prompt: 'a red fox in the snow' });
    const json = { 'content-type': 'application/json' };
    const submissions = await compare(
      { origin: baseline.url, method: 'POST', requests: [{ path: '/task', headers: json }], body },
      {
        origin: measured.url,
        method: 'POST',
        requests: measured.accounts.map((headers) => ({
          path: '/v1/index.php?endpoint=image_generation',
          headers: { ...headers, ...json },
        })),
        body,
      },
    );
    const attacked = await attack(hostile);
    const bare = 'a Fastify route with one statement';
    return [
      {
        name: 'status polls',
        unit: '/s',
        ours: polls.measured,
        bare: { what: bare, runs: polls.baseline },
        goal: { atLeastTimesBare: 0.9 },
      },
      {
        name: 'status polls: longest event-loop delay of the service',
        unit: 'ms',
        ours: polls.delays,
      },
      {
        name: 'durable submissions',
        unit: '/s',
        ours: submissions.measured,
        bare: { what: bare, runs: submissions.baseline },
        goal: { atLeastTimesBare: 0.65 },
      },
      {
        name: 'durable submissions: longest event-loop delay of the service',
        unit: 'ms',
        ours: submissions.delays,
      },
      {
        name: 'status polls, p99, while one key sends invalid graphs of 1 MB on 50 connections',
        unit: 'ms',
        ours: attacked.under,
        bare: { what: 'the same without them', runs: attacked.without },
        goal: { atMostTimesBare: 2 },
      },
    ];
  } finally {
    await baseline.close();
    await measured.close();
    await hostile.close();
    for (const each of [folder, hostileFolder]) await rm(each, { recursive: true, force: true });
  }
}

interface Load {
  origin: string;
  method: 'GET' | 'POST';
  requests: readonly { path: string; headers?: Record<string, string> }[];
  body?: string;
}

/** In turns, so that other load on the machine affects both. */
async function compare(baseline: Load, measured: Load) {
  const runs: Record<'baseline' | 'measured' | 'delays', number[]> = {
    baseline: [],
    measured: [],
    delays: [],
  };
  await rate(baseline);
  await rate(measured);
  for (let round = 0; round < ROUNDS; round++) {
    runs.baseline.push(await rate(baseline));
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    runs.measured.push(await rate(measured));
    delay.disable();
    runs.delays.push(delay.max / 1e6);
  }
  return runs;
}

async function rate(load: Load): Promise<number> {
  const worker = new Worker(new URL('./load.js', import.meta.url), {
    workerData: { ...load, ms: ROUND_MS },
  });
  const [perSecond] = await once(worker, 'message');
  await worker.terminate();
  return Number(perSecond);
}

async function startBaseline(folder: string) {
  const tasks = new Database(join(folder, DATABASE), { readonly: true });
  const select = tasks.prepare(`select ${POLLED_COLUMNS.map((name) => `"${name}"`)} from tasks where id = ?`);
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

/** In turns: how long polls take while an account attacks and while it does not. */
async function attack({ url, accounts, tasks }: Awaited<ReturnType<typeof startService>>) {
  const [attacker = {}] = accounts;
  const [visited] = tasks.slice(1);
  const visitor = {
    origin: url,
    path: `/v1/index.php?endpoint=task_status&task_id=${visited?.id}`,
    headers: visited?.headers ?? {},
    ms: ROUND_MS,
  };
  const p99 = async () => {
    const worker = new Worker(new URL('./visitor.js', import.meta.url), { workerData: visitor });
    const [ms] = await once(worker, 'message');
    await worker.terminate();
    return Number(ms);
  };
  const runs: Record<'without' | 'under', number[]> = { without: [], under: [] };
  await p99();
  for (let round = 0; round < ROUNDS; round++) {
    runs.without.push(await p99());
    const attacking = new Worker(new URL('./attack.js', import.meta.url), {
      workerData: { origin: url, headers: { ...attacker, 'content-type': 'application/json' } },
    });
    runs.under.push(await p99());
    await attacking.terminate();
  }
  return runs;
}

async function startService(
  folder: string,
  limits: { slots: number; waiting?: number; perMinute?: number } = UNLIMITED,
) {
  const service = await createService({
    databaseUrl: `sqlite://${join(folder, DATABASE)}`,
    place: createFolder(join(folder, 'pictures')),
    vault: createVault(['0'.repeat(64)]),
    engine: {
      name: 'none',
      draw: () => Promise.reject(new Error('nothing is drawn here')),
      close: async () => {},
    },
    clock: systemClock,
    log: silentLog(),
    limits,
  });
  const { url } = await service.listen({ host: '127.0.0.1', port: 0 });
  const accounts: Record<string, string>[] = [];
  for (let account = 0; account < ACCOUNTS; account++) {
    const { id } = await service.accounts.add(`bench${account}`);
    await service.ledger.grant({ accountId: id, amount: NO_LIMIT });
    accounts.push({ 'x-api-key': await service.keys.generate(id) });
  }
  const tasks: { id: string; headers: Record<string, string> }[] = [];
  for (let task = 0; task < TASKS; task++) {
    const headers = accounts[task % ACCOUNTS] ?? {};
    const { payload } = await service.app.inject({
      method: 'POST',
      url: '/v1/index.php?endpoint=image_generation',
      headers,
      payload: { prompt: 'a red fox in the snow' },
    });
    tasks.push({ id: JSON.parse(payload).data.id, headers });
  }
  // Most polls find a task that is being drawn: here by a process that never finishes.
  const file = new Database(join(folder, DATABASE));
  file.exec(`
    update tasks set state = 'processing', progress = 40, "startedAt" = "createdAt", "expectedMs" = 12000,
      "leaseOwner" = 'nobody', "leaseUntil" = ${Number.MAX_SAFE_INTEGER}`);
  file.close();
  return { url, accounts, tasks, close: service.close };
}
