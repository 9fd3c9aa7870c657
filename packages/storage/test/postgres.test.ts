import { randomInt } from 'node:crypto';
import { captureLog } from '@darkroom/testing';
import { describe, expect, onTestFinished, type TestContext, test } from 'vitest';
import { awaitPostgres, connectPostgres } from '../src/postgres.ts';

const server = process.env.TEST_POSTGRES_URL ?? '';

/** A connection of its own, which ends with the test. */
async function open(statementTimeoutMs?: number) {
  const { connect, end } = connectPostgres(server, { ...(statementTimeoutMs && { statementTimeoutMs }) });
  onTestFinished(end);
  const connection = await connect();
  onTestFinished(connection.release);
  return connection;
}

/** An advisory lock that others hold; how many wait for it. */
async function heldLock() {
  const key = randomInt(1, 2 ** 31);
  const holder = await open();
  await holder.query('select pg_advisory_lock($1)', [key]);
  const waiting = () =>
    holder.query<{ pid: number }>(
      "select pid from pg_locks where locktype = 'advisory' and objid = $1 and not granted",
      [key],
    );
  return { key, holder, waiting };
}

describe.skipIf(server === '')('a statement that PostgreSQL gives up (TEST_POSTGRES_URL)', () => {
  test('because it waits too long for a lock was not carried out, and the next one is', async () => {
    const { key } = await heldLock();
    const { query } = await open(1_000);
    await expect(query('select pg_advisory_lock($1)', [key])).rejects.toMatchObject({
      name: 'DatabaseUnavailable',
      message: 'PostgreSQL does not answer: canceling statement due to statement timeout',
      problem: 'does not answer',
      untouched: true,
    });
    expect((await query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  test('while it commits has written nothing', async () => {
    const { key, holder, waiting } = await heldLock();
    const { query } = await open();
    await query('create temp table foxes (id int)');
    await query(`create function pg_temp.wait() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(${key}); return null; end $$`);
    await query(`create constraint trigger waiting after insert on foxes deferrable initially deferred
      for each row execute function pg_temp.wait()`);
    await query('begin');
    await query('insert into foxes values (1)');
    const committed = expect(query('commit')).rejects.toMatchObject({ untouched: true });
    await expect.poll(async () => (await waiting()).rowCount).toBe(1);
    for (const { pid } of (await waiting()).rows) await holder.query('select pg_cancel_backend($1)', [pid]);
    await committed;
    expect((await query('select * from foxes')).rows).toEqual([]);
  });
});

/** A user with so many sessions at most, by a URL; gone with the test, which is skipped where none can be made. */
async function userWith(
  { sessions }: { sessions: number },
  { skip }: Pick<TestContext, 'skip'>,
): Promise<string> {
  const name = `few_${randomInt(2 ** 31)}`;
  const { query } = await open();
  const right = 'select from pg_roles where rolname = current_user and (rolsuper or rolcreaterole)';
  skip((await query(right)).rowCount === 0, 'the user of TEST_POSTGRES_URL may not create roles');
  await query(`create role ${name} login password '${name}' connection limit ${sessions}`);
  onTestFinished(async () => void (await query(`drop role ${name}`)));
  const url = new URL(server);
  [url.username, url.password] = [name, name];
  return url.href;
}

describe.skipIf(server === '')('a PostgreSQL that has no session left (TEST_POSTGRES_URL)', () => {
  test('serves whoever has others by these', async ({ skip }) => {
    const { query, end } = connectPostgres(await userWith({ sessions: 2 }, { skip }));
    onTestFinished(end);
    const asked = Array.from({ length: 6 }, () => query<{ one: number }>('select 1 as one, pg_sleep(0.1)'));
    for (const { rows } of await Promise.all(asked)) expect(rows[0]?.one).toBe(1);
  });

  test('is waited for at a start', async ({ skip }) => {
    const url = await userWith({ sessions: 1 }, { skip });
    const { connect, end } = connectPostgres(url);
    const only = await connect();
    const { log, lines } = captureLog();
    const waited = awaitPostgres(url, { log });
    let isOver = false;
    void waited.then(() => {
      isOver = true;
    });
    try {
      await expect.poll(() => isOver || lines.join('')).toContain('too many connections');
    } finally {
      only.release();
      await end();
    }
    await waited;
  });
});

describe.skipIf(server === '')('a PostgreSQL that takes no writes (TEST_POSTGRES_URL)', () => {
  test('is waited for at a start, until another session may write', async ({ skip }) => {
    const url = await userWith({ sessions: 5 }, { skip });
    const { query } = await open();
    const alter = `alter role ${new URL(url).username}`;
    await query(`${alter} set default_transaction_read_only = on`);
    const { log, lines } = captureLog();
    const waited = awaitPostgres(url, { log });
    let isOver = false;
    void waited.then(() => {
      isOver = true;
    });
    await expect.poll(() => isOver || lines.join('')).toContain('PostgreSQL takes no writes');
    await query(`${alter} reset default_transaction_read_only`);
    await waited;
  });
});

describe.skipIf(server === '')('a session (TEST_POSTGRES_URL)', () => {
  test('that takes no writes is left, as another one may by now', async () => {
    const { connect, query, end } = connectPostgres(server);
    onTestFinished(end);
    const table = `written_${randomInt(2 ** 31)}`;
    const connection = await connect();
    await connection.query('set default_transaction_read_only = on').finally(connection.release);
    await expect(query(`create table ${table} (id int)`)).rejects.toThrow('cannot be read or written');
    await query(`create table ${table} (id int)`);
    await query(`drop table ${table}`);
  });

  test('that has prepared a statement whose columns have changed is left, as another one prepares it anew', async () => {
    const { query, end } = connectPostgres(server);
    onTestFinished(end);
    const table = `upgraded_${randomInt(2 ** 31)}`;
    await query(`create table ${table} (id int)`);
    const read = () => query(`select id from ${table}`);
    for (let nth = 0; nth < 10; nth++) await read();
    await query(`alter table ${table} alter column id type bigint`);
    await expect(read()).rejects.toMatchObject({ name: 'DatabaseUnavailable', untouched: true });
    expect((await read()).rows).toEqual([]);
    await query(`drop table ${table}`);
  });

  test('that rests within a transaction is ended soon, however long its statements may take', async () => {
    const { query } = await open(3_600_000);
    const settings = ['statement_timeout', 'idle_in_transaction_session_timeout'];
    const shown = settings.map(async (setting) =>
      Object.values((await query(`show ${setting}`)).rows[0] ?? {}),
    );
    expect((await Promise.all(shown)).flat()).toEqual(['1h', '15s']);
  });

  test('reads what others have committed, whatever its server or user would have it do', async () => {
    const url = new URL(server);
    url.searchParams.set('options', '-c default_transaction_isolation=serializable');
    const { query, end } = connectPostgres(url.href);
    onTestFinished(end);
    expect((await query('show transaction_isolation')).rows).toEqual([
      { transaction_isolation: 'read committed' },
    ]);
  });
});
