import { setTimeout as delay } from 'node:timers/promises';
import { captureLog, startTcpProxy } from '@darkroom/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { controlledEngine } from '../../packages/image-service/test/support/engines.ts';
import { CHANNEL, MODERATOR } from '../../packages/local-discord/test/support/local-discord.ts';
import { openPostgresDatabase } from '../../src/storage/postgres-database.ts';
import { openStore } from '../../src/storage/store.ts';
import type { PostgresUrl } from '../../src/storage/store-url.ts';
import type { Table, TableRow } from '../../src/storage/table.ts';
import { botWorld } from '../support/bot.ts';
import { postgresSchema, postgresSession } from '../support/postgres.ts';

const server = process.env.TEST_POSTGRES_URL ?? '';

describe.skipIf(server === '')('a store in PostgreSQL (TEST_POSTGRES_URL)', () => {
  async function open(url: PostgresUrl) {
    const { log, lines } = captureLog();
    const store = await openStore({ url, log });
    onTestFinished(store.close);
    return { store, lines, numbers: store.collection('numbers', z.number()) };
  }

  /** A proxy in front of a schema of its own, as the URL of a store. */
  async function proxied() {
    const url = await postgresSchema(server);
    const proxy = await startTcpProxy(new URL(url));
    return { ...proxy, url: proxy.url as PostgresUrl };
  }

  test('processes that open it at the same moment all find its tables, and what each writes', async () => {
    const url = await postgresSchema(server);
    const [one, other] = await Promise.all([open(url), open(url), open(url)]);
    await one.numbers.set('a', 1);
    expect(await other.numbers.get('a')).toBe(1);
    const inserted = [one, other].map(({ store, numbers }) => store.insert([numbers.row('b', 2)]));
    expect((await Promise.all(inserted)).toSorted()).toEqual([false, true]);
  });

  test('it holds rows, lists them in the order of their bytes, and forgets what has expired', async () => {
    const { store, numbers } = await open(await postgresSchema(server));
    const ids = Array.from({ length: 2_200 }, (_, nth) => `a:${`${nth}`.padStart(4, '0')}`);
    await store.write([...ids, 'B', 'b', 'ä', 'b%_\\'].map((id, nth) => numbers.row(id, nth)));
    const listed = async (options = {}) => (await numbers.list(options)).map(({ id }) => id);
    expect(await listed({ prefix: 'a:' })).toEqual(ids);
    expect(await listed({ prefix: 'a:', backwards: true, limit: 2 })).toEqual(['a:2199', 'a:2198']);
    expect((await listed()).filter((id) => !id.startsWith('a:'))).toEqual(['B', 'b', 'b%_\\', 'ä']);
    await numbers.set('gone', 1, 1);
    await numbers.delete('b');
    await delay(20);
    expect(await numbers.getMany(['gone', 'b', 'B', 'ä'])).toEqual([2_200, 2_202]);
  });

  test.each<[what: string, write: (rows: Table, given: TableRow[]) => Promise<unknown>]>([
    ['written', (rows, given) => rows.upsert(given)],
    ['inserted', (rows, given) => rows.insert(given.toReversed(), Date.now())],
    ['deleted', (rows, given) => rows.delete(given.map(({ key }) => key))],
    ['swept', (rows, given) => rows.deleteExpired(Date.now(), given.length)],
  ])('rows that two processes write in other orders can be %s', async (_, write) => {
    const url = await postgresSchema(server);
    const opened = await Promise.all([url, url].map((same) => openPostgresDatabase(same, captureLog())));
    onTestFinished(async () => void (await Promise.all(opened.map(({ close }) => close()))));
    const [one, other] = opened.map(({ rows }) => rows);
    const given = ['z', 'm', 'a'].map((key) => ({ key, text: '1', expires: 1 }));
    await one?.upsert(given);
    const session = await postgresSession(url);
    await session.query('begin');
    await session.query("select from bot_rows where key = 'm' for update");
    const waiting = async () => {
      const all = await session.query(
        "select from pg_stat_activity where application_name = $1 and wait_event_type = 'Lock'",
        [new URL(url).searchParams.get('application_name')],
      );
      return all.rowCount;
    };
    const first = one?.upsert(given.toReversed());
    await expect.poll(waiting).toBe(1);
    const second = other && write(other, given);
    await Promise.race([second, expect.poll(waiting).toBe(2)]);
    await session.query('commit');
    await expect(Promise.all([first, second])).resolves.toBeDefined();
  });

  test('sessions that end under load take nothing with them that was confirmed, and are replaced', async () => {
    const url = await postgresSchema(server);
    const { numbers } = await open(url);
    const admin = await postgresSession(server);
    const schema = new URL(url).searchParams.get('application_name');
    const confirmed: string[] = [];
    let lost = 0;
    for (let round = 0; round < 3 || lost === 0; round++) {
      const writes = Array.from({ length: 50 }, async (_, nth) => {
        const id = `${round}:${nth}`;
        await delay(nth / 5);
        await numbers.set(id, nth).then(
          () => confirmed.push(id),
          () => {
            lost += 1;
          },
        );
      });
      await delay(5);
      await admin.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
        [schema],
      );
      await Promise.all(writes);
    }
    const works = () =>
      numbers
        .set('after', 1)
        .then(() => true)
        .catch(() => false);
    await expect.poll(works).toBe(true);
    const there = new Set((await numbers.list()).map(({ id }) => id));
    expect(confirmed.filter((id) => !there.has(id))).toEqual([]);
    expect(there).toContain('after');
  });

  test('while it is silent everything rejects in time, a listing too, and it serves as before when it is back', async () => {
    const proxy = await proxied();
    const { numbers } = await open(proxy.url);
    await numbers.set('a', 1);
    const silent = proxy.silenceAfter('ORDER BY');
    const asked = [numbers.list(), numbers.get('a'), numbers.set('b', 2)];
    await silent;
    const settled = await Promise.allSettled(asked);
    expect(settled[0]).toMatchObject({ status: 'rejected' });
    proxy.recover();
    await expect.poll(() => numbers.list().catch(() => [])).toContainEqual({ id: 'a', value: 1 });
  });

  test('while it is away jobs wait, a new request is told so, and nothing is lost', async () => {
    const proxy = await proxied();
    const engine = controlledEngine();
    const world = await botWorld({ service: { engine }, storeUrl: proxy.url });
    const answer = await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a red fox' });
    if (answer.kind !== 'message') throw new Error(answer.kind);
    const drawing = await engine.next();
    proxy.refuse();
    const refused = await world.as(MODERATOR).invoke(CHANNEL, 'imagine', { prompt: 'a late fox' });
    expect(refused.kind === 'message' && refused.message.content).toContain('My own storage does not answer');
    await drawing.finish();
    await world.logs('PostgreSQL cannot be reached; trying again');
    proxy.recover();
    expect((await world.ended(answer.message.id)).attachments).toHaveLength(1);
    expect(engine.begun).toHaveLength(1);
    const another = world.imagined({ prompt: 'another fox' });
    await (await engine.next()).finish();
    expect((await another).attachments).toHaveLength(1);
  });

  test('of a newer version it is refused, and one that is not there says what to look at', async () => {
    const url = await postgresSchema(server);
    await (await openStore({ url, log: captureLog().log })).close();
    const admin = await postgresSession(url);
    await admin.query(`update bot_rows set value = '{"value":99}' where key = 'store:layout'`);
    await expect(open(url)).rejects.toThrow(/^The store postgres:\/\/.+ cannot be opened: a newer version/);
    const nowhere = 'postgres://somebody:secret@127.0.0.1:1/nowhere';
    await expect(open(nowhere)).rejects.toThrow(
      /^The store postgres:\/\/127\.0\.0\.1:1\/nowhere cannot be opened: PostgreSQL cannot be reached: .+ECONNREFUSED.+STORE_URL/,
    );
  });
});
