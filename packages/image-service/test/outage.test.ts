import { setTimeout as delay } from 'node:timers/promises';
import { startTcpProxy, WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { systemClock } from '@darkroom/time';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { controlledEngine } from './support/engines.ts';
import { problemOf, serviceWorld } from './support/service.ts';
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
      expect(answer.headers.has('retry-after')).toBe(false);
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
});

/** Waits like the system's, and goes on only where the test says so: an outage is over a second after its last failure. */
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
