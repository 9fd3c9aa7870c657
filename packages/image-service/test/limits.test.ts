import { WORKFLOWS } from '@darkroom/image-api';
import { systemClock } from '@darkroom/time';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../src/database/database.ts';
import { createLedger } from '../src/ledger/ledger.ts';
import { SERVICE_LIMITS } from '../src/limits.ts';
import { createQueue } from '../src/tasks/queue.ts';
import { controlledEngine, endlessEngine } from './support/engines.ts';
import { problemOf, serviceWorld } from './support/service.ts';
import { testStorage } from './support/storage.ts';

test('a key that submits too often is told when to come back, and others are not held up', async () => {
  const world = await serviceWorld({ limits: { perMinute: 2 } });
  const other = await world.addAccount();
  const first = await world.submit({ prompt: 'a fox' });
  expect(first.headers.get('ratelimit-limit')).toBe('2');
  expect(first.headers.get('ratelimit-remaining')).toBe('1');
  await world.submit({ prompt: 'a fox' });
  const refused = await world.submit({ prompt: 'a fox' });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await problemOf(refused)).toMatchObject({ code: 'rate_limited', details: { max: 2 } });
  expect((await world.submit({ prompt: 'a fox' }, other.key)).status).toBe(200);
});

test('processes that share a database count the submissions of an account together', async () => {
  const storage = await testStorage();
  const limits = { perMinute: 3 };
  const [one, other] = [await serviceWorld({ storage, limits }), await serviceWorld({ storage, limits })];
  const answers = [];
  for (const world of [one, other, one, other, one])
    answers.push(await world.submit({ prompt: 'a fox' }, one.key));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
  expect(answers.map(({ headers }) => headers.get('ratelimit-remaining'))).toEqual(['2', '1', '0', '0', '0']);
  expect(Number(answers[3]?.headers.get('retry-after'))).toBeGreaterThan(50);
  expect((await other.submit({ prompt: 'a fox' })).status).toBe(200);
});

test('after a minute an account may submit again', async () => {
  let ahead = 0;
  const clock = { ...systemClock, now: () => Date.now() + ahead };
  const world = await serviceWorld({ clock, limits: { perMinute: 1 } });
  const submit = async () => (await world.submit({ prompt: 'a fox' })).status;
  expect([await submit(), await submit()]).toEqual([200, 429]);
  ahead = 60_000;
  expect([await submit(), await submit()]).toEqual([200, 429]);
});

test('a key with too many tasks waiting is refused until there is room', async () => {
  const engine = controlledEngine();
  const world = await serviceWorld({ engine, limits: { slots: 1, waiting: 2 } });
  await world.submitted({ prompt: 'running' });
  const running = await engine.next();
  await world.submitted({ prompt: 'waiting' });
  await world.submitted({ prompt: 'waiting' });
  const refused = await world.submit({ prompt: 'one too many' });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
  expect(await problemOf(refused)).toMatchObject({ code: 'queue_full', details: { max: 2 } });
  expect(await world.balance()).toBe(97);
  await running.finish();
  await engine.next();
  expect((await world.submit({ prompt: 'in its place' })).status).toBe(200);
});

test('an account has no more tasks drawn at once than it may, and leaves the other slots to others', async () => {
  const engine = controlledEngine();
  const world = await serviceWorld({ engine, limits: { slots: 4, running: 2 } });
  const other = await world.addAccount();
  for (let more = 0; more < 5; more++) await world.submitted({ prompt: 'mine' });
  const mine = [await engine.next(), await engine.next()];
  await world.submitted({ prompt: 'theirs' }, other.key);
  const begun = [...mine, await engine.next()];
  expect(begun.map(({ requested }) => requested.prompt)).toEqual(['mine', 'mine', 'theirs']);
  await begun[0]?.finish();
  expect((await engine.next()).requested.prompt).toBe('mine');
});

test('processes that take tasks at the same moment keep to the limit of an account together', async () => {
  const storage = await testStorage();
  const limits = { ...SERVICE_LIMITS, slots: 0, running: 2 };
  const world = await serviceWorld({ storage, limits });
  const second = await world.service.keys.generate(world.id);
  for (let more = 0; more < 10; more++) {
    await world.submitted({ prompt: 'a fox' });
    await world.submitted({ prompt: 'a fox' }, second);
  }
  const claims = Array.from({ length: 8 }, async () => {
    const db = await openDatabase(storage.databaseUrl);
    onTestFinished(() => db.destroy());
    const ledger = createLedger({ db, clock: systemClock });
    return createQueue({ db, ledger, workflows: WORKFLOWS, clock: systemClock, limits });
  });
  const queues = await Promise.all(claims);
  const claimed = await Promise.all(
    queues.map((queue) => queue.claim({ workflows: WORKFLOWS, cpu: true, except: [] })),
  );
  expect(claimed.filter((task) => task !== undefined)).toHaveLength(2);
});

test('an account does not submit more often by making new keys', async () => {
  const world = await serviceWorld({ limits: { perMinute: 2 } });
  const statuses = [];
  for (let more = 0; more < 3; more++) {
    const key = await world.service.keys.generate(world.id);
    for (let again = 0; again < 2; again++)
      statuses.push((await world.submit({ prompt: 'a fox' }, key)).status);
    await world.service.keys.revoke(world.id, key);
  }
  expect(statuses).toEqual([200, 200, 429, 429, 429, 429]);
});

test('an account has no more tasks waiting by making new keys, except by a key with a limit of its own', async () => {
  const world = await serviceWorld({ limits: { slots: 0, waiting: 2 } });
  const { keys } = world.service;
  const [second, own] = [await keys.generate(world.id), await keys.generate(world.id)];
  await keys.limit(world.id, own.slice(-4), { maxWaiting: 3 });
  const submit = async (key: string) => (await world.submit({ prompt: 'a fox' }, key)).status;
  expect([await submit(own), await submit(own), await submit(own), await submit(own)]).toEqual([
    200, 200, 200, 429,
  ]);
  expect([await submit(world.key), await submit(second), await submit(world.key)]).toEqual([200, 200, 429]);
  await keys.revoke(world.id, second);
  const third = await world.submit({ prompt: 'a fox' }, await keys.generate(world.id));
  expect(await problemOf(third)).toMatchObject({ code: 'queue_full', details: { max: 2 } });
});

test('an account has no more tasks drawn at once by making new keys, except by a key with a limit of its own', async () => {
  const engine = controlledEngine();
  const world = await serviceWorld({ engine, limits: { slots: 8, running: 2 } });
  const { keys } = world.service;
  const [second, own] = [await keys.generate(world.id), await keys.generate(world.id)];
  await keys.limit(world.id, own.slice(-4), { maxRunning: 1 });
  for (const [prompt, key] of Object.entries({ first: world.key, second, own })) {
    for (let more = 0; more < 2; more++) await world.submitted({ prompt }, key);
  }
  const begun = [await engine.next(), await engine.next(), await engine.next()];
  expect(begun.map(({ requested }) => requested.prompt)).toEqual(['first', 'first', 'own']);
  await begun[0]?.finish();
  expect((await engine.next()).requested.prompt).toBe('second');
  await begun[2]?.finish();
  expect((await engine.next()).requested.prompt).toBe('own');
});

test('a key may be given limits of its own', async () => {
  const engine = controlledEngine();
  const world = await serviceWorld({ engine, limits: { slots: 1, waiting: 1, perMinute: 2 } });
  await world.service.keys.limit(world.id, world.key.slice(-4), { maxWaiting: 3, maxPerMinute: 100 });
  await world.submitted({ prompt: 'running' });
  await engine.next();
  const answers = [];
  for (let more = 0; more < 4; more++) answers.push((await world.submit({ prompt: 'waiting' })).status);
  expect(answers).toEqual([200, 200, 200, 429]);
});

test('an engine that gets nothing done does not hold up what another one draws', async () => {
  const rr3Engine = controlledEngine();
  const world = await serviceWorld({ engine: endlessEngine(), rr3Engine, limits: { slots: 2 } });
  const stuck = [];
  for (let more = 0; more < 3; more++) stuck.push(await world.submitted({ prompt: 'stuck' }));
  const drawn = await world.submitted({ prompt: 'drawn', workflow: 'rr3' });
  await (await rr3Engine.next()).finish();
  expect(await world.until(drawn)).toMatchObject({ status: 'completed' });
  const states = [];
  for (const id of stuck) states.push((await world.until(id, () => true)).status);
  expect(states).toEqual(['processing', 'processing', 'pending']);
});

test('one account with many tasks waiting does not delay the single task of another', async () => {
  const engine = controlledEngine();
  const world = await serviceWorld({ engine, credits: 500, limits: { slots: 1, perMinute: 1_000 } });
  const other = await world.addAccount();
  for (let more = 0; more < 30; more++) await world.submitted({ prompt: 'mine' });
  const first = await engine.next();
  await world.submitted({ prompt: 'theirs' }, other.key);
  await first.finish();
  const second = await engine.next();
  await second.finish();
  const third = await engine.next();
  expect([second, third].map(({ requested }) => requested.prompt)).toContain('theirs');
});
