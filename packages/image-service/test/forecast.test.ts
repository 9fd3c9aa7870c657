import { HOUR_MS, MINUTE_MS, systemClock } from '@darkroom/time';
import { expect, test } from 'vitest';
import type { ServiceLimits } from '../src/limits.ts';
import { controlledEngine } from './support/engines.ts';
import { problemOf, type ServiceWorld, serviceWorld } from './support/service.ts';

const SMALL = { prompt: 'a fox', width: 64, height: 64 };
const LARGE = { prompt: 'a fox', width: 2048, height: 2048, steps: 50 };

/**
 * A service that has learned how long pictures take, a minute unless told, and in which from now on none is ever
 * finished.
 */
async function slowWorld(
  limits: Partial<ServiceLimits> = {},
  pictures: readonly { picture: object; minutes: number }[] = [{ picture: { prompt: 'a fox' }, minutes: 1 }],
) {
  const engine = controlledEngine();
  let ahead = 0;
  const clock = { ...systemClock, now: () => Date.UTC(2030, 0, 1) + ahead };
  const world = await serviceWorld({
    engine,
    clock,
    credits: 1_000,
    limits: { perMinute: 1_000, leaseMs: HOUR_MS, ...limits },
  });
  for (const { picture, minutes } of pictures) {
    const id = await world.submitted(picture);
    const drawing = await engine.next();
    ahead += minutes * MINUTE_MS;
    await drawing.finish();
    await world.until(id);
  }
  return {
    ...world,
    passes: (ms: number) => {
      ahead += ms;
    },
    /** Resolves as soon as so many are being drawn. */
    async drawing(count: number): Promise<void> {
      for (let begun = 0; begun < count; begun++) await engine.next();
    },
  };
}

const submitMany = async (
  world: ServiceWorld,
  count: number,
  key?: string,
  picture: object = { prompt: 'a fox' },
) => {
  const ids = [];
  for (let more = 0; more < count; more++) ids.push(await world.submitted(picture, key));
  return ids;
};

/** Submits until the service refuses, and returns with what. */
async function submitUntilRefused(world: ServiceWorld): Promise<Response> {
  for (let accepted = 0; accepted < 60; accepted++) {
    const answer = await world.submit({ prompt: 'a fox' });
    if (answer.status !== 200) return answer;
  }
  throw new Error('nothing was refused');
}

/** The place in the queue and the minutes that a task is told. */
async function told(world: ServiceWorld, id: string, key?: string) {
  const task = await world.until(id, ({ status }) => status === 'pending', key);
  return { position: task.queue_position, minutes: Math.round((task.eta_seconds ?? 0) / 60) };
}

/** The place in the queue that a picture would get, and in how many minutes it would be finished. */
async function tried(world: ServiceWorld, key: string, picture: object) {
  const answer = await world.call('/v1/index.php?endpoint=dry_run', {
    json: picture,
    headers: { 'x-api-key': key },
  });
  const { data }: { data: { eta_seconds: number; queue_position: number } } = JSON.parse(await answer.text());
  return { position: data.queue_position, minutes: Math.round(data.eta_seconds / 60) };
}

const foreseen = async (world: ServiceWorld, key: string, picture: object): Promise<number> =>
  (await tried(world, key, picture)).minutes;

test('an account that may have five drawn at once is told when its fortieth is ready', async () => {
  const world = await slowWorld();
  const ids = await submitMany(world, 40);
  await world.drawing(5);
  await expect.poll(() => told(world, ids[5] ?? '')).toEqual({ position: 1, minutes: 2 });
  await expect.poll(() => told(world, ids[39] ?? '')).toEqual({ position: 35, minutes: 8 });
});

test('accounts that take turns are told when all of them are ready, each by its own limit', async () => {
  const world = await slowWorld({ slots: 8, running: 5 });
  const [busy, small] = [await world.addAccount(), await world.addAccount()];
  const mine = await submitMany(world, 40);
  const theirs = await submitMany(world, 40, busy.key);
  const [single = ''] = await submitMany(world, 1, small.key);
  await world.drawing(8);
  // Whose turn is first decides whether 5 and 3, 4 and 4, or 3 and 5 are drawn at once; the later ends after 10 to 12
  // rounds.
  const later = async () => {
    const [one, other] = [await told(world, mine[39] ?? ''), await told(world, theirs[39] ?? '', busy.key)];
    return Math.max(one.minutes, other.minutes);
  };
  await expect.poll(later).toBeGreaterThanOrEqual(10);
  expect(await later()).toBeLessThanOrEqual(12);
  await expect.poll(async () => (await told(world, single, small.key)).minutes).toBe(2);
});

test('what cannot be drawn before its deadline is refused before it costs anything, with when to come back', async () => {
  const world = await slowWorld({ taskMs: 10 * MINUTE_MS });
  const other = await world.addAccount();
  await submitMany(world, 40);
  const refused = await submitUntilRefused(world);
  const balance = await world.balance();
  expect((await world.submit({ prompt: 'one too many' })).status).toBe(429);
  const problem = await problemOf(refused);
  expect(problem).toMatchObject({ code: 'queue_full', message: /could not be drawn in time/ });
  expect(refused.headers.get('retry-after')).toBe(String(problem.details?.retry_after_seconds));
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(30);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  expect(await world.balance()).toBe(balance);
  expect((await world.submit({ prompt: 'in time' }, other.key)).status).toBe(200);
});

test('where only small pictures were measured, large ones are not presumed to take hours', async () => {
  const small = { picture: SMALL, minutes: 1 };
  const world = await slowWorld({}, [small, small]);
  await submitMany(world, 20, world.key, LARGE);
});

test('where large pictures were measured to take longer, more of them is waited for', async () => {
  const world = await slowWorld({ running: 1 }, [
    { picture: SMALL, minutes: 1 },
    { picture: LARGE, minutes: 20 },
  ]);
  const other = await world.addAccount();
  const ofOther = (picture: object) => foreseen(world, other.key, picture);
  expect([await ofOther(SMALL), await ofOther(LARGE)]).toEqual([1, 20]);
});

test('nobody is refused for what the pictures of others are expected to take', async () => {
  const world = await slowWorld({ slots: 2, taskMs: 25 * MINUTE_MS }, [
    { picture: SMALL, minutes: 1 },
    { picture: LARGE, minutes: 22 },
  ]);
  const [busy, small] = [await world.addAccount(), await world.addAccount()];
  await submitMany(world, 1, world.key, LARGE);
  await submitMany(world, 1, busy.key, LARGE);
  await world.drawing(2);
  await submitMany(world, 4, small.key, SMALL);
  const large = await world.submit(LARGE, small.key);
  expect((await problemOf(large)).code).toBe('queue_full');
});

test('who has too many waiting is told when the first of them will be begun', async () => {
  const world = await slowWorld({ slots: 1, waiting: 3 });
  await submitMany(world, 1);
  await world.drawing(1);
  await submitMany(world, 3);
  const retryAfter = async () =>
    Number((await world.submit({ prompt: 'one too many' })).headers.get('retry-after'));
  await expect.poll(retryAfter).toBe(60);
  const dryRun = await world.call('/v1/index.php?endpoint=dry_run', { json: { prompt: 'one too many' } });
  expect((await problemOf(dryRun)).details).toEqual({ max: 3, retry_after_seconds: 60 });
});

test('of a burst only as many are accepted as can be drawn in time', async () => {
  const world = await slowWorld({ taskMs: 10 * MINUTE_MS });
  const answers = await Promise.all(Array.from({ length: 60 }, () => world.submit({ prompt: 'a fox' })));
  const accepted = answers.filter(({ status }) => status === 200).length;
  expect(accepted).toBeGreaterThanOrEqual(43);
  expect(accepted).toBeLessThanOrEqual(47);
});

test('beside the burst of another account a picture is foreseen in its own turn', async () => {
  const world = await slowWorld({ slots: 1, taskMs: HOUR_MS });
  const other = await world.addAccount();
  await submitMany(world, 1);
  await world.drawing(1);
  const burst = Array.from({ length: 40 }, (_, at) =>
    at % 4 === 3 ? foreseen(world, other.key, { prompt: 'a fox' }) : submitMany(world, 1),
  );
  const minutes = (await Promise.all(burst)).filter((one) => typeof one === 'number');
  // After the one that is drawn and one of the account whose turn it is.
  expect(Math.max(...minutes)).toBeLessThanOrEqual(3);
});

test('the next picture of an account of which one is being drawn is foreseen when it is then drawn', async () => {
  const world = await slowWorld({ slots: 1 });
  const other = await world.addAccount();
  await submitMany(world, 1);
  await world.drawing(1);
  await submitMany(world, 3, other.key);
  await expect.poll(() => foreseen(world, world.key, { prompt: 'a fox' })).toBe(4);
  // Of those that came in the same millisecond any may be first.
  world.passes(1);
  const next = await world.submitted({ prompt: 'a fox' });
  await expect.poll(() => told(world, next)).toEqual({ position: 3, minutes: 4 });
});

test('nobody waits for what a disabled account has waiting, unless it is enabled again', async () => {
  const world = await slowWorld({ slots: 1 });
  const [other, third] = [await world.addAccount(), await world.addAccount()];
  await submitMany(world, 1);
  await world.drawing(1);
  await submitMany(world, 3, other.key);
  world.passes(1);
  const [, mine = ''] = await submitMany(world, 2);
  await expect.poll(() => told(world, mine)).toEqual({ position: 5, minutes: 6 });
  await world.service.accounts.setDisabled(other.id, true);
  await expect.poll(() => told(world, mine)).toEqual({ position: 2, minutes: 3 });
  await expect.poll(() => tried(world, third.key, SMALL)).toMatchObject({ position: 2 });
  await world.service.accounts.setDisabled(other.id, false);
  await expect.poll(() => told(world, mine)).toEqual({ position: 5, minutes: 6 });
});

test('a submission that is repeated gets its answer also when a new one would be too late', async () => {
  const world = await slowWorld({ taskMs: 10 * MINUTE_MS });
  const submit = (idempotencyKey: string) =>
    world.call('/v1/index.php?endpoint=image_generation', {
      json: { prompt: 'a fox' },
      headers: { 'x-api-key': world.key, 'idempotency-key': idempotencyKey },
    });
  const first = await (await submit('first')).text();
  await submitUntilRefused(world);
  expect(await (await submit('first')).text()).toBe(first);
  expect((await submit('second')).status).toBe(429);
});

test('a task is told its place also behind more tasks than are looked at one by one', async () => {
  const world = await slowWorld({
    slots: 1,
    waiting: 5_000,
    running: 1,
    perMinute: 5_000,
    taskMs: 10_000 * MINUTE_MS,
  });
  const other = await world.addAccount(1_000);
  for (let round = 0; round < 60; round++) {
    const ten = Array.from({ length: 10 }, () => [
      world.submitted({ prompt: 'a fox' }),
      submitMany(world, 1, other.key),
    ]);
    await Promise.all(ten.flat());
  }
  const [last = ''] = await submitMany(world, 1, other.key);
  await world.drawing(1);
  const far = await world.until(last, (task) => task.queue_position === 1_200, other.key);
  expect(Math.round(((far.eta_seconds ?? 0) / MINUTE_MS) * 1_000)).toBeGreaterThan(1_190);
});
