import { createVault } from '@darkroom/storage';
import { NOWHERE } from '@darkroom/testing';
import { createFakeClock } from '@darkroom/time/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createAccounts } from '../src/accounts/accounts.ts';
import type { KeyHolder } from '../src/accounts/key-holders.ts';
import { createKeys } from '../src/accounts/keys.ts';
import { openDatabase } from '../src/database/database.ts';
import { createLedger } from '../src/ledger/ledger.ts';
import { checkLedger } from '../src/ledger/ledger-check.ts';
import { SERVICE_LIMITS } from '../src/limits.ts';
import { createQueueWriter } from '../src/tasks/queue-writer.ts';
import { createTasks } from '../src/tasks/tasks.ts';
import { createWebhookQueue } from '../src/webhooks/webhook-queue.ts';
import { endlessEngine } from './support/engines.ts';
import { problemOf, serviceWorld } from './support/service.ts';
import { lendTestStorage, testStorage } from './support/storage.ts';

/** So many of each account at once that they share transactions in several ways. */
const EACH = 12;

test('submissions at once by two processes are decided on as if they came one after the other', async () => {
  const storage = await testStorage();
  const db = await openDatabase(storage.databaseUrl);
  onTestFinished(() => db.destroy());
  const options = { storage, engine: endlessEngine(), limits: { slots: 0, waiting: 7, perMinute: 9 } };
  const worlds = [await serviceWorld(options), await serviceWorld(options)] as const;
  const [one] = worlds;
  const poor = await one.addAccount(5);
  const rich = await one.addAccount(100);
  // Nine credits in pieces: each picture is paid by several grants.
  const pieced = await one.addAccount(0);
  for (let piece = 0; piece < 30; piece++)
    await one.service.ledger.grant({ accountId: pieced.id, amount: 300 });
  const twice = await one.addAccount(100);
  const submissions = Array.from({ length: EACH }, (_, at) =>
    [poor, rich, pieced, twice].map(async ({ key }) => {
      const headers = { 'x-api-key': key, ...(key === twice.key && { 'idempotency-key': `${at % 2}` }) };
      const json = { prompt: `fox ${key === twice.key ? at % 2 : at}` };
      const answer = await worlds[at % 2 === 0 ? 0 : 1].call('/v1/index.php?endpoint=image_generation', {
        json,
        headers,
      });
      return { key, status: answer.status, text: await answer.text() };
    }),
  );
  const answers = await Promise.all(submissions.flat());
  const outcomes = (key: string) =>
    answers.flatMap((answer) => (answer.key === key ? [answer.status] : [])).sort((a, b) => a - b);
  const times = (status: number, count: number) => Array.from({ length: count }, () => status);

  // Nine of twelve are within the rate; five can be paid, or seven may wait.
  expect(outcomes(poor.key)).toEqual([...times(200, 5), ...times(402, 4), ...times(429, 3)]);
  expect(outcomes(rich.key)).toEqual([...times(200, 7), ...times(429, 5)]);
  expect(outcomes(pieced.key)).toEqual([...times(200, 7), ...times(429, 5)]);
  expect(outcomes(twice.key)).toEqual([...times(200, 9), ...times(429, 3)]);
  const repeated = answers.filter(({ key, status }) => key === twice.key && status === 200);
  expect(new Set(repeated.map(({ text }) => text)).size).toBe(2);
  const tasks = await db.selectFrom('tasks').select(['accountId', 'turn']).orderBy('turn').execute();
  const turnsOf = ({ id }: { id: number }) =>
    tasks.flatMap(({ accountId, turn }) => (accountId === id ? [turn] : []));
  const [first = 0] = turnsOf(rich);
  expect(turnsOf(rich)).toEqual(Array.from({ length: 7 }, (_, at) => first + at));
  expect(turnsOf(twice)).toHaveLength(2);
  expect(await one.balance(poor.key)).toBe(0);
  expect(await one.balance(pieced.key)).toBe(2);
  expect(await checkLedger(db)).toEqual([]);
});

test('submissions of one millisecond under the same keys of two accounts are each a task of their own', async () => {
  const db = await openDatabase((await testStorage(lendTestStorage)).databaseUrl);
  onTestFinished(() => db.destroy());
  const clock = createFakeClock();
  const vault = createVault(['5'.repeat(64)]);
  // Of a thousand ids of rr3.
  const each = 250;
  const limits = { ...SERVICE_LIMITS, perMinute: each, waiting: each };
  const ledger = createLedger({ db, clock });
  const webhooks = createWebhookQueue({ db, vault, clock, limits });
  const tasks = createTasks({ db, ledger, clock, limits });
  const queueWriter = createQueueWriter({ db, ledger, tasks, webhooks, clock, limits });
  const [accounts, keys] = [createAccounts({ db, clock }), createKeys({ db, vault, clock })];
  async function holderOf(username: string) {
    const { id } = await accounts.add(username, { amount: each });
    const holder = await keys.resolve(await keys.generate(id));
    if (!holder) throw new Error('the key that was just made is nobody’s');
    return holder;
  }
  const holders = [await holderOf('ada'), await holderOf('bo')];
  const task = { workflow: 'rr3', lane: 'engine', seed: 1, drawing: '{}', cost: 1 } as const;
  async function accept(holder: KeyHolder, idempotencyKey: string) {
    let told = '';
    const { id } = await queueWriter.enqueue({
      holder,
      idempotent: { accountId: holder.account.id, idempotencyKey, digest: 'the same' },
      onCounted: () => undefined,
      task: { ...task, holder, expectedMs: null, reference: null },
      warnings: [],
      webhook: undefined,
      roomInMs: () => undefined,
      onId(id) {
        told = id;
      },
    });
    return { id, told };
  }
  const answers = await Promise.all(
    Array.from({ length: each }, (_, at) => holders.map((holder) => accept(holder, `${at}`))).flat(),
  );
  const ids = answers.map(({ id }) => id);
  const queued = await db.selectFrom('tasks').select('id').execute();
  expect(queued).toHaveLength(2 * each);
  expect(queued.map(({ id }) => id).sort()).toEqual(ids.toSorted());
  expect(answers.map(({ told }) => told)).toEqual(ids);
  for (const { account } of holders) expect(await ledger.balance(account.id)).toBe(0);
  expect(await checkLedger(db)).toEqual([]);
});

test('submissions with webhooks at once are each told of their end', async () => {
  const world = await serviceWorld({ engine: endlessEngine(), webhookOrigins: [NOWHERE] });
  const ids = await Promise.all(
    Array.from({ length: EACH }, () => world.submitted({ prompt: 'a fox', webhook: `${NOWHERE}/hook` })),
  );
  const status = async (id: string) =>
    JSON.parse(await (await world.status(id)).text()).data.webhook.state as unknown;
  expect(new Set(ids).size).toBe(EACH);
  expect(await Promise.all(ids.map(status))).toEqual(ids.map(() => 'waiting'));
});

test('a submission whose account is deleted meanwhile is refused alone', async () => {
  const storage = await testStorage();
  const db = await openDatabase(storage.databaseUrl);
  onTestFinished(() => db.destroy());
  const world = await serviceWorld({ storage, engine: endlessEngine() });
  const gone = await world.addAccount(0);
  // So that its key is known, and found out to be deleted only in the transaction.
  await world.balance(gone.key);
  await db.deleteFrom('loginTokens').where('accountId', '=', gone.id).execute();
  await db.deleteFrom('keys').where('accountId', '=', gone.id).execute();
  await db.deleteFrom('accounts').where('id', '=', gone.id).execute();
  const [kept, deleted] = await Promise.all([
    world.submit({ prompt: 'a fox' }),
    world.submit({ prompt: 'a fox' }, gone.key),
  ]);
  expect(kept.status).toBe(200);
  expect(await problemOf(deleted)).toMatchObject({ code: 'invalid_api_key' });
});
