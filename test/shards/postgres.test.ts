import { startTcpProxy, until } from '@darkroom/testing';
import { describe, expect, test } from 'vitest';
import { controlledEngine } from '../../packages/image-service/test/support/engines.ts';
import { CHANNEL, MEMBER } from '../../packages/local-discord/test/support/local-discord.ts';
import { runStoreCommand } from '../../src/operator/store-commands.ts';
import { openLocks } from '../../src/shards/locks.ts';
import type { PostgresUrl } from '../../src/storage/store-url.ts';
import { postgresSchema, postgresSession } from '../support/postgres.ts';
import { createShardWorld, OTHER_BOT, SECOND_SHARD_CHANNEL } from '../support/shard-world.ts';

const server = process.env.TEST_POSTGRES_URL ?? '';

describe.skipIf(server === '')('processes on one PostgreSQL (TEST_POSTGRES_URL)', () => {
  test('they share the shards, also after a command has changed the number, and leave theirs when they stop', async () => {
    const url = await postgresSchema(server);
    const { startProcess, serve, imagine, discord } = await createShardWorld(url);
    const first = await startProcess();
    await serve([first, 2]);
    const second = await startProcess();
    await serve([first, 1], [second, 1]);
    const jobs = await Promise.all([CHANNEL, SECOND_SHARD_CHANNEL].map(imagine));
    for (const { ended } of jobs) expect((await ended()).attachments).toHaveLength(1);

    const env = { STORE_URL: url, SECRET_KEY: 'b'.repeat(64) };
    expect(await runStoreCommand(['shards', '4'], env)).toContain('has 4 shards from now on');
    await serve([first, 2], [second, 2]);
    await first.stop();
    await serve([second, 4]);
    expect(discord.gateway.shards()).toEqual([0, 1, 2, 3]);
    expect((await (await imagine(SECOND_SHARD_CHANNEL)).ended()).attachments).toHaveLength(1);
  });

  test('one for which no shard is left is ready to take over, so that the other may end', async () => {
    const url = await postgresSchema(server);
    const { startProcess, serve } = await createShardWorld(url, {}, { recommendedShards: 1 });
    const first = await startProcess();
    await serve([first, 1]);
    const second = await startProcess();
    await expect.poll(second.gateway).toEqual({ state: 'ok', reason: 'others serve every shard' });
    await first.stop();
    await serve([second, 1]);
    expect(await second.gateway()).toEqual({ state: 'ok', reason: '1 of 1 shards are connected' });
  });

  test('one that starts beside others changes all over to twice the shards where Discord recommends them', async () => {
    const url = await postgresSchema(server);
    const { startProcess, serve, discord } = await createShardWorld(url, {}, { recommendedShards: 4 });
    const first = await startProcess({ shards: 2 });
    await serve([first, 2]);
    const second = await startProcess();
    await serve([first, 2], [second, 2]);
    expect(discord.gateway.shards()).toEqual([0, 1, 2, 3]);
  });

  test('one that starts where Discord recommends a few shards more says how to get them, and changes nothing', async () => {
    const url = await postgresSchema(server);
    const { startProcess, serve, logged } = await createShardWorld(url, {}, { recommendedShards: 3 });
    const first = await startProcess({ shards: 2 });
    expect(logged('SHARDS is 2, and Discord recommends 3')).toHaveLength(1);
    const second = await startProcess();
    await serve([first, 1], [second, 1]);
    const [told] = logged('the bot has 2 shards, and Discord recommends 3');
    expect(told?.msg).toContain('store shards 3');
  });

  test('a shard with too many servers ends no process: the others are served, and the log says what to do', async () => {
    const url = await postgresSchema(server);
    const { startProcess, serve, imagine, discord, logged } = await createShardWorld(url);
    const first = await startProcess();
    await serve([first, 2]);
    discord.gateway.overfill(1, 2);
    await serve([first, 1]);
    expect(first.isLost()).toBe(false);
    const [told] = logged('Discord does not serve a shard');
    expect(told?.msg).toContain('store shards 4');
    const second = await startProcess();
    await serve([first, 1], [second, 0]);
    expect((await (await imagine()).ended()).attachments).toHaveLength(1);

    const env = { STORE_URL: url, SECRET_KEY: 'b'.repeat(64) };
    await runStoreCommand(['shards', '4'], env);
    await serve([first, 2], [second, 2]);
  });

  test('with SHARDS at auto a shard with too many servers changes all over by itself once Discord recommends more', async () => {
    const url = await postgresSchema(server);
    const { startProcess, serve, discord } = await createShardWorld(url);
    const first = await startProcess();
    const second = await startProcess();
    await serve([first, 1], [second, 1]);
    discord.gateway.recommendShards(4);
    discord.gateway.overfill(1, 2);
    await serve([first, 2], [second, 2]);
    await second.stop();
    await serve([first, 4]);
    discord.gateway.recommendShards(5);
    discord.gateway.overfill(1, 4);
    await serve([first, 5]);
  });

  test('where Discord lets the bot identify few times more, no shard changes hands but those of a process that ends', async () => {
    const url = await postgresSchema(server);
    const { startProcess, serve, logged } = await createShardWorld(url, {}, { sessionStarts: 5 });
    const first = await startProcess();
    await serve([first, 2]);
    const second = await startProcess();
    const told = () => logged('no shard changes hands: the bot may identify only 3 times more');
    await until(() => told().length > 0, 'it says why');
    await first.stop();
    await serve([second, 2]);
    expect(logged('took shards').map(({ shards }) => shards)).toEqual([
      [0, 1],
      [0, 1],
    ]);
    expect(told()).toHaveLength(1);
  });

  test('a standby, whose locks the primary does not know, is none to hold shards by', async () => {
    const url = new URL(await postgresSchema(server));
    const schema = url.searchParams.get('application_name');
    const session = await postgresSession(server);
    await session.query(
      `create function ${schema}.pg_is_in_recovery() returns boolean language sql as 'select true'`,
    );
    url.searchParams.set('options', `-c search_path=${schema},pg_catalog`);
    await expect(openLocks(url.href)).rejects.toThrow('it is a standby, which takes no writes');
  });

  test('one whose packets are lost stops following before another takes over, and nothing is posted twice', async () => {
    const url = await postgresSchema(server);
    const engine = controlledEngine();
    const { startProcess, serve, imagine, discord, logged } = await createShardWorld(url, { engine });
    const proxy = await startTcpProxy(new URL(url));
    const first = await startProcess({ by: proxy.url as PostgresUrl });
    const second = await startProcess();
    await serve([first, 1], [second, 1]);
    const { ended, shows } = await imagine();
    const drawing = await engine.next();
    drawing.progress(40);
    await shows('40');
    await proxy.silenceAfter('pg_locks');
    await serve([second, 2]);
    expect(logged('no job is followed')).toHaveLength(1);
    const [, , taken] = logged('took shards');
    expect(taken?.shards).toEqual([0]);
    expect(`${taken?.time}` > `${logged('no job is followed')[0]?.time}`).toBe(true);
    await until(() => logged('took up unfinished jobs').length > 0, 'the job is taken up');
    await drawing.finish();
    expect((await ended()).attachments).toHaveLength(1);
    const pictures = discord
      .as(MEMBER)
      .messages(CHANNEL)
      .filter(({ attachments }) => attachments.length > 0);
    expect(pictures).toHaveLength(1);
  });

  test('while PostgreSQL is away jobs wait, and who asks is told; then it goes on by itself', async () => {
    const url = await postgresSchema(server);
    const engine = controlledEngine();
    const { startProcess, imagine, discord, logged } = await createShardWorld(url, { engine });
    const proxy = await startTcpProxy(new URL(url));
    await startProcess({ by: proxy.url as PostgresUrl });
    const { ended, shows } = await imagine();
    const drawing = await engine.next();
    drawing.progress(40);
    await shows('40');
    proxy.refuse();
    await until(() => logged('no job is followed').length > 0, 'the loss is noticed');
    await drawing.finish();
    const answer = await discord.as(MEMBER).invoke(CHANNEL, 'imagine', { prompt: 'a second fox' });
    expect(answer).toMatchObject({
      message: { content: expect.stringContaining('storage does not answer') },
    });
    proxy.recover();
    expect((await ended()).attachments).toHaveLength(1);
    const again = await imagine();
    await (await engine.next()).finish();
    expect((await again.ended()).attachments).toHaveLength(1);
  });

  test('another number of shards than that of the others is refused, and so is the token of another bot', async () => {
    const { startProcess, discord } = await createShardWorld(await postgresSchema(server));
    await startProcess();
    await expect(startProcess({ shards: 4 })).rejects.toThrow(
      'Other processes run this bot with 2 shards, and SHARDS is 4.',
    );
    await expect(startProcess({ token: discord.token(OTHER_BOT) })).rejects.toThrow(
      'Give this bot a store of its own with STORE_URL, or use the token of that application.',
    );
  });
});
