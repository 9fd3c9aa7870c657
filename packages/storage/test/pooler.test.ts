import { pgbouncerPath, startPgbouncer, startTcpProxy } from '@darkroom/testing';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connectPostgres } from '../src/postgres.ts';

const server = process.env.TEST_POSTGRES_URL ?? '';

/** A connection that is silent for a second longer is closed: no busy machine is. */
const STATEMENT_TIMEOUT_MS = 5_000;

const open = (url: string, statementTimeoutMs = 15_000) => {
  const postgres = connectPostgres(url, { statementTimeoutMs });
  onTestFinished(postgres.end);
  return postgres;
};

describe.skipIf(server === '' || !pgbouncerPath)('behind PgBouncer (TEST_POSTGRES_URL)', () => {
  test('by session every statement runs, also one that is prepared, and ends in its time', async () => {
    const { url } = await startPgbouncer(server, { mode: 'session' });
    const postgres = open(url);
    const asked = Array.from({ length: 60 }, (_, nth) =>
      postgres.query<{ one: number }>('select $1::int as one', [nth]),
    );
    expect((await Promise.all(asked)).map(({ rows }) => rows[0]?.one)).toEqual([...asked.keys()]);
    // A connection that is silent for a second longer is closed, and a busy machine is slow.
    const hasty = open(url, 2_000);
    await expect(hasty.query('select pg_sleep(60)')).rejects.toThrow('statement timeout');
  });

  test('by session it is used also where each answer takes a fifth of a second', async () => {
    const { url } = await startPgbouncer(server, { mode: 'session' });
    const far = await startTcpProxy(new URL(url), { delayMs: 100 });
    expect((await open(far.url).query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  test.each(['transaction', 'statement'] as const)(
    'by %s it is refused, and left as it was',
    async (mode) => {
      const { url } = await startPgbouncer(server, { mode });
      await expect(open(url).query('select 1')).rejects.toThrow(
        'in transaction or statement mode: the next transaction may have another session. ' +
          'Name PostgreSQL itself, or a pool in session mode.',
      );
      const client = new Client({ connectionString: url });
      await client.connect();
      onTestFinished(() => client.end());
      const { rows } = await client.query('show statement_timeout');
      expect(rows).toEqual([{ statement_timeout: '0' }]);
    },
  );

  test('it is noticed beside others who use the same pool', async () => {
    const { url } = await startPgbouncer(server, { mode: 'transaction' });
    const others = Array.from({ length: 4 }, () => new Client({ connectionString: url }));
    await Promise.all(others.map((client) => client.connect()));
    let over = false;
    const busy = others.map(async (client) => {
      while (!over) await client.query('select 1');
      await client.end();
    });
    try {
      for (let round = 0; round < 50; round++)
        await expect(open(url).query('select 1')).rejects.toThrow('in transaction or statement mode');
    } finally {
      over = true;
      await Promise.all(busy);
    }
  });

  test('encrypted it is used for longer than a silent connection is kept, by a certificate that is known', async () => {
    const { url, ca } = await startPgbouncer(server, { mode: 'session', tls: true });
    const warned: Error[] = [];
    const warning = (one: Error) => warned.push(one);
    process.on('warning', warning);
    onTestFinished(() => void process.off('warning', warning));
    const by = (parameters: string) => open(`${url}?${parameters}`, STATEMENT_TIMEOUT_MS);
    const postgres = by(`sslmode=verify-full&sslrootcert=${ca}`);
    const connection = await postgres.connect();
    try {
      const until = performance.now() + 2 * STATEMENT_TIMEOUT_MS;
      while (performance.now() < until) await connection.query('select pg_sleep(0.1)');
    } finally {
      connection.release();
    }
    await by(`sslrootcert=${ca}&sslmode=require`).query('select 1');
    await by('sslmode=require&uselibpqcompat=true').query('select 1');
    const byName = (parameters: string) =>
      open(`${url.replace('127.0.0.1', 'localhost')}?sslrootcert=${ca}&${parameters}`, STATEMENT_TIMEOUT_MS);
    await expect(byName('sslmode=require').query('select 1')).rejects.toThrow(
      /altnames.*; name it as its certificate does, .+ sslmode=verify-ca&uselibpqcompat=true/,
    );
    await byName('sslmode=verify-ca&uselibpqcompat=true').query('select 1');
    await expect(by('sslmode=verify-full&sslrootcert=system').query('select 1')).rejects.toThrow(
      'self-signed certificate',
    );
    await expect(by('sslmode=require').query('select 1')).rejects.toThrow(
      // Node says more from version 24 on.
      /self-signed certificate.*; name .+ sslrootcert=FILE/,
    );
    await expect(by('sslmode=disable').query('select 1')).rejects.toThrow(/SSL required|terminated/);
    await expect(by('sslrootcert=/nowhere/ca.pem').query('select 1')).rejects.toThrow('/nowhere/ca.pem');
    expect(warned).toEqual([]);
  });
});
