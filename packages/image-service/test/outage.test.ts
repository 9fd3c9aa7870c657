import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { startTcpProxy, until, WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { systemClock } from '@darkroom/time';
import { createFakeClock } from '@darkroom/time/testing';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../src/database/database.ts';
import { createExpenses } from '../src/ledger/expenses.ts';
import { createPrometheus } from '../src/observability/prometheus.ts';
import { pngOf } from './support/brought-pictures.ts';
import { controlledEngine } from './support/engines.ts';
import { problemOf, type ServiceWorld, serviceWorld } from './support/service.ts';
import { testStorage, usePostgres } from './support/storage.ts';

const url = process.env.TEST_POSTGRES_URL;

describe.skipIf(url === undefined)('while PostgreSQL is away (TEST_POSTGRES_URL)', () => {
  if (url !== undefined) usePostgres(url);

  test('sessions that end under load are told to their callers, logged once, and replaced', async () => {
    const storage = await testStorage();
    const clock = standingClock();
    const world = await serviceWorld({ storage, clock });
    const admin = await session(storage.databaseUrl);
    let over = false;
    const answers: Response[] = [];
    const callers = Array.from({ length: 12 }, async () => {
      while (!over) answers.push(await world.call('/v1/index.php?endpoint=user_balance'));
    });
    const lost = () => answers.filter(({ status }) => status !== 200);
    for (let more = 0; more < 3 || lost().length === 0; more++) {
      await delay(100);
      await admin.query(END_SESSIONS, ['%']);
    }
    await delay(100);
    over = true;
    await Promise.all(callers);

    for (const answer of lost()) {
      expect(answer.status).toBe(503);
      expect(await problemOf(answer)).toMatchObject({ code: 'database_unavailable' });
    }
    clock.pass(1_000);
    const task = await world.until(await world.submitted({ prompt: 'a fox' }));
    expect(task.status).toBe('completed');
    expect(outageIn(world.lines)).toEqual([
      'PostgreSQL cannot be reached; trying again',
      'PostgreSQL answers again',
    ]);
  });

  test('what is done every minute adds no line to an outage', async () => {
    const storage = await testStorage();
    const proxy = await startTcpProxy(new URL(storage.databaseUrl));
    const world = await serviceWorld({ storage: { ...storage, databaseUrl: proxy.url } });
    proxy.refuse();
    await world.service.sweep();
    expect(outageIn(world.lines)).toEqual(['PostgreSQL cannot be reached; trying again']);
    proxy.recover();
  });

  test('a PostgreSQL that falls silent is given up, and its next connections serve as before', async () => {
    const storage = await testStorage();
    const proxy = await startTcpProxy(new URL(storage.databaseUrl));
    const clock = standingClock();
    const world = await serviceWorld({ storage: { ...storage, databaseUrl: proxy.url }, clock });
    // Within the transaction of a claim, which would otherwise lock out every claim after it.
    await proxy.silenceAfter('pg_advisory_xact_lock');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => world.call('/v1/index.php?endpoint=user_balance')),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503));
    proxy.recover();
    await expect.poll(() => world.balance().catch(() => undefined)).toBe(100);
    expect((await world.until(await world.submitted({ prompt: 'a fox' }))).status).toBe('completed');
    // Whatever else was asked of the silent connections fails later, each in its own time.
    await expect
      .poll(() => {
        clock.pass(1_000);
        return outageIn(world.lines).at(-1);
      })
      .toBe('PostgreSQL answers again');
    expect(outageIn(world.lines)[0]).toBe('PostgreSQL cannot be reached; trying again');
  });

  test('a picture that cannot be written down is kept until it can, and not drawn again', async () => {
    const storage = await testStorage();
    const engine = controlledEngine();
    const world = await serviceWorld({ storage, engine });
    const id = await world.submitted({ prompt: 'a fox' });
    const drawing = await engine.next();
    const admin = await session(storage.databaseUrl);
    const other = await session(storage.databaseUrl);
    await other.query('begin');
    await other.query('select id from tasks for update');
    await drawing.finish();
    await expect.poll(async () => (await admin.query(END_SESSIONS, ['Lock'])).rowCount).toBeGreaterThan(0);
    await other.query('commit');
    expect(await world.until(id)).toMatchObject({ status: 'completed' });
    expect(engine.begun).toHaveLength(1);
    expect(await world.balance()).toBe(99);
  });

  test('an expense that may have been taken back is not taken back once more: too much is written down, not too little', async () => {
    const { databaseUrl } = await testStorage();
    const proxy = await startTcpProxy(new URL(databaseUrl));
    const db = await openDatabase(proxy.url, { statementTimeoutMs: 2_000 });
    onTestFinished(() => db.destroy());
    const expenses = createExpenses({ db, budget: { day: 1, month: 1 }, clock: createFakeClock() });
    const takeBack = await expenses.spend({ unit: 'money', amount: 0.5 });
    await expenses.spend({ unit: 'money', amount: 0.4 });
    const lost = proxy.silenceAfter('commit');
    const taken = takeBack();
    await lost;
    // As a run does, until it does not reject.
    await taken.catch(() => {
      proxy.recover();
      return takeBack();
    });
    proxy.recover();
    expect(await expenses.readings()).toMatchObject([{ spent: 0.4 }, { spent: 0.4 }]);
  });

  test('metrics wait for no longer than a scrape for a budget that cannot be read', async () => {
    const storage = await testStorage();
    const world = await serviceWorld({ storage, budget: { day: 1 }, prometheus: createPrometheus() });
    const other = await session(storage.databaseUrl);
    await other.query('begin');
    await other.query('lock table expenses in access exclusive mode');
    const db = await openDatabase(storage.databaseUrl, { statementTimeoutMs: 10_000 });
    onTestFinished(() => db.destroy());
    let aScrapeIsOver = false;
    const scrape = createExpenses({ db, clock: systemClock })
      .byDay({ from: 0, to: 1 })
      .catch(() => {
        aScrapeIsOver = true;
      });
    const metrics = await (await world.call('/metrics')).text();
    expect(aScrapeIsOver).toBe(false);
    expect(metrics).toContain('image_service_waiting_tasks');
    expect(metrics).not.toContain('image_service_spent{');
    await other.query('commit');
    await scrape;
  });

  test('a PostgreSQL that refuses connections: submissions say when to try again, and pictures are fetched', async () => {
    const storage = await testStorage();
    const proxy = await startTcpProxy(new URL(storage.databaseUrl));
    const clock = standingClock();
    const world = await serviceWorld({ storage: { ...storage, databaseUrl: proxy.url }, clock });
    const task = await world.until(await world.submitted({ prompt: 'a fox' }));
    const picture = task.status === 'completed' ? task.result.image_url : '';

    proxy.refuse();
    const refused = await until(async () => {
      const answer = await world.submit({ prompt: 'a bear' });
      return answer.headers.has('retry-after') && answer;
    }, 'a submission that is refused before it reaches the database');
    expect(refused.status).toBe(503);
    expect(await problemOf(refused)).toMatchObject({
      code: 'database_unavailable',
      message: "The service's database does not answer. Nothing was queued or charged; try again later.",
    });
    const fetched = await fetch(picture);
    expect([fetched.status, fetched.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(fetched.headers.get('cache-control')).toBe('no-store');
    // Nobody can say that there never was such a picture.
    expect((await world.call(`/files/${'0'.repeat(32)}.png`)).status).toBe(503);
    expect(await readyz(world, clock)).toMatchObject({
      status: 503,
      database: { state: 'failing', reason: 'the database does not answer' },
    });
    expect((await world.call('/healthz')).status).toBe(200);

    proxy.recover();
    await expect.poll(() => world.balance().catch(() => undefined)).toBe(99);
    expect((await readyz(world, clock)).status).toBe(200);
    expect((await world.until(await world.submitted({ prompt: 'a bear' }))).status).toBe('completed');
    expect(await world.balance()).toBe(98);
  });

  test.each([undefined, ['10.0.0.0/8'], 1])(
    'a caller that is gone before its key is found to be unknown harms nobody, behind the proxies %j',
    async (trustProxy) => {
      const storage = await testStorage();
      const world = await serviceWorld({ storage, ...(trustProxy && { trustProxy }) });
      const failed: unknown[] = [];
      const note = (error: unknown) => void failed.push(error);
      process.on('unhandledRejection', note);
      onTestFinished(() => void process.off('unhandledRejection', note));
      const requests = arrivingRequests();
      const other = await session(storage.databaseUrl);
      await other.query('begin');
      await other.query('lock table "keyHolders" in access exclusive mode');
      const caller = connect(Number(new URL(world.url).port), '127.0.0.1');
      caller.write('GET /v1/user_balance HTTP/1.1\r\nhost: service\r\nx-api-key: sk-unknown\r\n\r\n');
      await expect.poll(() => requests).toHaveLength(1);
      const gone = requests.map(({ socket }) => once(socket, 'close'));
      caller.destroy();
      await Promise.all(gone);
      await other.query('commit');
      expect(await world.balance()).toBe(100);
      expect(failed).toEqual([]);
    },
  );

  test.each([
    ['whole', '--x--\r\n'],
    ['in part', ''],
  ])(
    'uploads that have arrived %s take no place once their callers are gone, however long their keys are looked up',
    async (_, end) => {
      const storage = await testStorage();
      const world = await serviceWorld({ storage });
      const requests = arrivingRequests();
      const other = await session(storage.databaseUrl);
      await other.query('begin');
      await other.query('lock table "keyHolders" in access exclusive mode');
      const form = `--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\na fox\r\n${end}`;
      const head = [
        'POST /v1/index.php?endpoint=upload HTTP/1.1',
        'host: service',
        `x-api-key: ${world.key}`,
        'content-type: multipart/form-data; boundary=x',
        `content-length: ${end ? form.length : 1_000}`,
      ];
      // As many as an account may send at once.
      const callers = Array.from({ length: 8 }, () => {
        const socket = connect(Number(new URL(world.url).port), '127.0.0.1');
        socket.write([...head, '', form].join('\r\n'));
        return socket;
      });
      await expect
        .poll(() => requests.filter(({ complete }) => complete === (end !== '')))
        .toHaveLength(callers.length);
      const gone = requests.map(({ socket }) => once(socket, 'close'));
      for (const caller of callers) caller.destroy();
      await Promise.all(gone);
      await other.query('commit');

      const body = new FormData();
      body.append('file', new Blob([new Uint8Array(await pngOf(64, 64))]), 'fox.png');
      const upload = { method: 'POST', body, headers: { 'x-api-key': world.key } };
      expect((await world.call('/v1/index.php?endpoint=upload', upload)).status).toBe(200);
    },
  );

  test.each([
    ['whose disk is full', 'has no room left', 'could not extend file', 'disk_full'],
    [
      'that takes no writes',
      'cannot be read or written',
      'a read-only transaction',
      'read_only_sql_transaction',
    ],
    ['whose user may not write', 'cannot be read or written', 'permission denied', 'insufficient_privilege'],
    ['that gives a statement up', 'does not answer', 'canceling statement', 'query_canceled'],
    ['that ends a deadlock', 'does not answer', 'deadlock detected', 'deadlock_detected'],
  ])(
    'a PostgreSQL %s: nothing is charged, polls go on, and the log has the cause',
    async (_, problem, cause, code) => {
      const storage = await testStorage();
      const clock = standingClock();
      const world = await serviceWorld({ storage, clock });
      const id = await world.submitted({ prompt: 'a fox' });
      await world.until(id);
      const admin = await session(storage.databaseUrl);
      await admin.query(refusing(cause, code));

      const refused = await world.submit({ prompt: 'a bear' });
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
      expect((await problemOf(refused)).message).toContain(`The service's database ${problem}.`);
      expect((await world.status(id)).status).toBe(200);
      expect(await world.balance()).toBe(99);
      expect(await readyz(world, clock)).toMatchObject({
        status: 503,
        database: { state: 'failing', reason: `the database ${problem}` },
      });
      clock.pass(2_000);
      expect((await world.submit({ prompt: 'a bear' })).status).toBe(503);
      const lines = world.lines.filter((said) => said.includes(`PostgreSQL ${problem}`));
      expect(lines).toHaveLength(1);
      expect(lines[0]).toContain(cause);

      await admin.query('drop function refusing cascade');
      clock.pass(1_000);
      expect((await world.until(await world.submitted({ prompt: 'a bear' }))).status).toBe('completed');
      expect(await world.balance()).toBe(98);
      expect((await readyz(world, clock)).status).toBe(200);
    },
  );
});

/** Findings are given again for 5 seconds; asked here as if they had passed. */
async function readyz(world: ServiceWorld, clock: ReturnType<typeof standingClock>) {
  clock.pass(6_000);
  const answer = await world.call('/readyz');
  return { status: answer.status, ...JSON.parse(await answer.text()).checks };
}

/** Fails every write as PostgreSQL does, with an error of this code. */
const refusing = (cause: string, code: string) => `
  create function refusing() returns trigger language plpgsql as $$
    begin raise exception '${cause}' using errcode = '${code}'; end
  $$;
  do $$ declare name text; begin
    for name in select tablename from pg_tables where schemaname = current_schema() loop
      execute format('create trigger refusing before insert or update or delete on %I
        for each statement execute function refusing()', name);
    end loop;
  end $$`;

/**
 * Waits like the system's, and goes on only where the test says so: an outage is over a second after its last
 * failure.
 */
function standingClock() {
  let now = Date.now();
  return {
    ...systemClock,
    now: () => now,
    pass(ms: number): void {
      now += ms;
    },
  };
}

/** Every request that a server of this process begins to serve while the test goes on. */
function arrivingRequests(): IncomingMessage[] {
  const requests: IncomingMessage[] = [];
  // Node publishes it so.
  const note = (message: unknown) => void requests.push((message as { request: IncomingMessage }).request);
  subscribe('http.server.request.start', note);
  onTestFinished(() => void unsubscribe('http.server.request.start', note));
  return requests;
}

/** What is logged of an outage. */
const outageIn = (lines: readonly string[]): string[] =>
  lines.map((line) => JSON.parse(line).msg).filter((said) => /PostgreSQL|failed/.test(said));

/** Ends the service's sessions that wait for what is like $1. */
const END_SESSIONS =
  'select pg_terminate_backend(pid) from pg_stat_activity ' +
  "where datname = current_database() and pid <> pg_backend_pid() and coalesce(wait_event_type, '') like $1";

/** A session of the database that is not the service's. */
async function session(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString, connectionTimeoutMillis: WAIT_TIMEOUT_MS });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}
