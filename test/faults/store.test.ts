import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { KeyvSqlite } from '@keyv/sqlite';
import { MessageFlags } from 'discord.js';
import { expect, onTestFinished, test } from 'vitest';
import { calls, refusal } from '../../packages/local-discord/test/support/discord-faults.ts';
import { CHANNEL, MODERATOR } from '../../packages/local-discord/test/support/local-discord.ts';
import { en } from '../../src/messages/locale/en.ts';
import { botWorld } from '../support/bot.ts';
import { buttonOf } from '../support/buttons.ts';
import { acknowledge, createJobWorld, request } from '../support/job-world.ts';
import { startedJob } from '../support/started-job.ts';

const TABLES = ['bot_rows', 'bot_pictures'];

/** SQL on a bot's store past it. */
function spoil({ folder }: { folder: string }) {
  const intruder = new KeyvSqlite({
    uri: `sqlite://${join(folder, 'bot.sqlite')}`,
    table: 'intruder',
    busyTimeout: WAIT_TIMEOUT_MS,
  });
  onTestFinished(() => intruder.close());

  return {
    sql: (statement: string) => intruder.query(statement),
    /** From now on nothing more can be written, as on a disk without room. */
    async fill(): Promise<void> {
      for (const table of TABLES) {
        await intruder.query(
          `CREATE TRIGGER full_${table} BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`,
        );
      }
    },
    async makeRoom(): Promise<void> {
      for (const table of TABLES) await intruder.query(`DROP TRIGGER full_${table}`);
    },
  };
}

/** A bot at work on one job, and SQL on its store past it. */
async function spoilableWorld() {
  const world = await startedJob();
  return { ...world, ...spoil(world) };
}

test('on a full disk running jobs go on, and a new request is told that nothing was submitted', async () => {
  const world = await spoilableWorld();
  await world.fill();
  const refused = await world.as(MODERATOR).invoke(CHANNEL, 'imagine', { prompt: 'a late fox' });
  expect(refused).toMatchObject({ kind: 'message', message: { flags: MessageFlags.Ephemeral } });
  expect(refused.kind === 'message' && refused.message.content).toMatch(
    /it cost nothing.*Reference [0-9a-f]{8}/,
  );
  await world.drawing.finish();
  expect((await world.ended(world.reply.id)).attachments).toHaveLength(1);
  expect(world.lines.join('')).toContain('database or disk is full');
  expect(world.engine.begun).toHaveLength(1);
  await world.stopBot();
  await world.makeRoom();
  await world.startBot();
  await world.logs('the outcome had arrived already');
  expect(world.engine.begun).toHaveLength(1);
  const pictures = world.member.messages(CHANNEL).filter(({ attachments }) => attachments.length > 0);
  expect(pictures).toHaveLength(1);
  const another = world.imagined({ prompt: 'another fox' });
  await (await world.engine.next()).finish();
  expect((await another).attachments).toHaveLength(1);
});

test('while its store takes no writes a bot is not ready, and its metrics tell of it although nobody asks for a picture', async () => {
  const world = await botWorld({ observed: true });
  const { fill, makeRoom } = spoil(world);
  const isReady = async () => (await world.outside('/readyz')).status === 200;
  await expect.poll(isReady).toBe(true);
  await fill();
  const metrics = async () => (await world.outside('/metrics')).text();
  const asked = async () => {
    await metrics();
    return world.lines.join('');
  };
  await expect.poll(asked).toContain('a readiness check failed');
  expect(await metrics()).toMatch(
    /darkroom_store_call_seconds_count\{operation="write",result="failed"\} [1-9]/,
  );
  await expect.poll(isReady).toBe(false);
  const ready = await world.outside('/readyz');
  expect(await ready.json()).toMatchObject({ checks: { store: { state: 'failing' } } });
  const told = world.lines.filter((line) => line.includes('a readiness check failed'));
  expect(told.filter((line) => JSON.parse(line).level >= 40)).toHaveLength(1);
  await makeRoom();
  await expect.poll(isReady).toBe(true);
});

test.each([
  ['nothing', 'true'],
  ['no end of a job', `NEW.value LIKE '%"delivered"%'`],
])(
  'a picture stays where it is when %s could be written since, and it is gone elsewhere',
  async (_, what) => {
    const world = await spoilableWorld();
    await world.sql(
      `CREATE TRIGGER full_jobs BEFORE INSERT ON bot_rows WHEN ${what} BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`,
    );
    await world.drawing.finish();
    expect((await world.ended(world.reply.id)).attachments).toHaveLength(1);
    await world.stopBot();
    await world.sql('DROP TRIGGER full_jobs');
    await rm(join(world.service.folder, 'pictures'), { recursive: true });
    await world.startBot();
    await world.logs('the outcome had arrived already');
    expect(world.member.message(world.reply.id)?.attachments).toHaveLength(1);
  },
);

test('while the store is locked an interaction is answered, and nothing is submitted, now or later', async () => {
  const world = await spoilableWorld();
  await world.sql('BEGIN IMMEDIATE');
  const refused = await world.as(MODERATOR).invoke(CHANNEL, 'imagine', { prompt: 'a late fox' });
  expect(refused.kind === 'message' && refused.message.content).toContain('so it cost nothing');
  await world.sql('ROLLBACK');
  await world.restartBot();
  await world.drawing.finish();
  expect((await world.ended(world.reply.id)).attachments).toHaveLength(1);
  expect(world.engine.begun).toHaveLength(1);
});

test('a picture whose row cannot say that it is finished is posted nowhere but in its reply until it can', async () => {
  const world = await spoilableWorld();
  const posts = () => world.discord.requests.list(calls.post);
  await world.fill();
  world.discord.faults.add({ every: calls.reply, effect: refusal(403, 50013) });
  world.discord.faults.add({ every: calls.edit, effect: refusal(403, 50013) });
  await world.drawing.finish();
  await world.logs('a message could not be sent');
  const failures = () => world.lines.join('').split('the row of a job could not be written').length;
  const before = failures();
  await expect.poll(failures).toBeGreaterThan(before + 1);
  expect(posts()).toEqual([]);
  await world.makeRoom();
  await expect.poll(posts).toHaveLength(1);
  await world.logs('"delivered"');
});

test('a request whose submission cannot be written down is not submitted, and its member is told so', async () => {
  const world = await createJobWorld();
  const { tracker } = await world.startTracker();
  await tracker.begin(request(), async () => {
    await world.sql(
      "CREATE TRIGGER full BEFORE INSERT ON bot_rows BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END",
    );
    return acknowledge();
  });
  await world.pass(() => world.delivered.length === 1);
  expect(world.submissions).toHaveLength(0);
  expect(world.delivered[0]?.job.tasks[0]).toMatchObject({ state: 'failed', failure: { kind: 'unwritten' } });
});

test('a damaged row is reported and set aside, and the other jobs go on', async () => {
  const world = await spoilableWorld();
  const second = await world.as(MODERATOR).invoke(CHANNEL, 'imagine', { prompt: 'a second fox' });
  if (second.kind !== 'message') throw new Error(second.kind);
  const drawing = await world.engine.next();
  drawing.progress(60);
  const shown = await world.reads('60 %');
  await world.stopBot();
  await world.sql(`UPDATE bot_rows SET value = '{"half' WHERE key LIKE 'jobs:%${second.interactionId}'`);
  await world.startBot();
  await world.drawing.finish();
  expect((await world.ended(world.reply.id)).attachments).toHaveLength(1);
  expect(world.lines.join('')).toContain('a stored row cannot be read; it was moved to set-aside');
  const pressed = await world.as(MODERATOR).press(shown.id, buttonOf(shown, en.cancel.button));
  expect(pressed).toMatchObject({ message: { content: en.cancel.unknown } });
});
