import { getEventListeners } from 'node:events';
import { ServiceError } from '@darkroom/image-api';
import { createDeferred } from '@darkroom/testing';
import { HOUR_MS, MINUTE_MS } from '@darkroom/time';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { completed, createPollWorld, task, waitsBetween, working } from '../../support/poll-world.ts';

const busy = (retryAfterMs?: number) => new ServiceError('busy', 'too much to do', { retryAfterMs });
const refused = new ServiceError('refused', 'Database error, please try again');
const forbidden = new ServiceError('unauthorized', 'blocked for now', { status: 403 });
const notFound = new ServiceError('not-found', 'no such task');

test('2 to 3 seconds pass between an answer and the next poll, whatever the jitter', async () => {
  await fc.assert(
    fc.asyncProperty(fc.double({ min: 0, max: 0.999_999, noNaN: true }), async (random) => {
      const { clock, follow, timesOf } = createPollWorld(() => working, { random: () => random });
      follow('t');
      await clock.advance(30_000);
      const times = timesOf('t');
      expect(times.length).toBeGreaterThan(8);
      for (const wait of [times[0] ?? 0, ...waitsBetween(times)]) {
        expect(wait).toBeGreaterThanOrEqual(2_000);
        expect(wait).toBeLessThanOrEqual(3_000);
      }
    }),
    { numRuns: 20 },
  );
});

test('a task that is slow to answer is never polled twice at once', async () => {
  const { clock, follow, mostAtOnce, timesOf } = createPollWorld(() => working, { latencyMs: 9_000 });
  follow('t');
  await clock.advance(60_000);
  expect(mostAtOnce()).toBe(1);
  expect(timesOf('t')).toEqual([2_500, 14_000, 25_500, 37_000, 48_500, 60_000]);
});

test('every answer is passed on, and the last one ends it', async () => {
  const answers = [task('pending', { queue_position: 2 }), working, completed];
  const { clock, follow } = createPollWorld((_id, times) => answers[times] ?? completed);
  const followed = follow('t');
  await clock.advance(10_000);
  expect(followed.answers.map(({ state }) => state)).toEqual(['pending', 'processing']);
  expect(followed.ended.result).toMatchObject({
    state: 'completed',
    imageUrl: 'https://images.example.com/1.png',
  });
});

test('a failed task ends with what the service said of it', async () => {
  const { clock, follow } = createPollWorld(() => task('failed', { error: 'out of memory' }));
  const { ended } = follow('t');
  await clock.advance(5_000);
  expect(ended.result).toMatchObject({ state: 'failed', reason: 'out of memory' });
});

test('thousands of tasks are polled by one timer, each at its own pace', async () => {
  const { clock, follow, timesOf } = createPollWorld(() => working, { random: Math.random });
  const ids = Array.from({ length: 2_000 }, (_, index) => `t${index}`);
  for (const id of ids) follow(id, { guildId: `guild ${id.length}` });
  const sleeps = clock.sleeps.length;
  await clock.advance(100);
  expect(clock.sleeps.length - sleeps).toBeLessThanOrEqual(5);
  await clock.advance(9_000);
  for (const id of ids) {
    const times = timesOf(id);
    expect(times.length).toBeGreaterThanOrEqual(2);
    for (const wait of [times[0] ?? 0, ...waitsBetween(times)]) {
      expect(wait).toBeGreaterThanOrEqual(2_000);
      expect(wait).toBeLessThanOrEqual(3_000);
    }
  }
});

test('thousands of tasks that are resumed together are first polled within two seconds, none in a burst', async () => {
  const { clock, follow, polls } = createPollWorld(() => working, { random: Math.random });
  for (let index = 0; index < 2_000; index += 1) {
    follow(`t${index}`, { acceptedAt: clock.now() - 60_000 });
  }
  await clock.advance(2_020);
  expect(new Set(polls.map(({ taskId }) => taskId)).size).toBe(2_000);
  const inTheFirst = polls.filter(({ at }) => at < 500).length;
  expect(inTheFirst).toBeGreaterThan(300);
  expect(inTheFirst).toBeLessThan(700);
});

test('Retry-After is obeyed, also when it is long', async () => {
  const { clock, follow, timesOf } = createPollWorld((_id, times) =>
    times === 0 ? busy(90_000) : completed,
  );
  const followed = follow('t');
  await clock.advance(100_000);
  const [wait] = waitsBetween(timesOf('t'));
  expect(wait).toBeGreaterThanOrEqual(90_000);
  expect(wait).toBeLessThan(91_000);
  expect(followed.troubles).toHaveLength(1);
  expect(followed.ended.result).toMatchObject({ state: 'completed' });
});

test('a Retry-After past the deadline does not lose what is finished by then', async () => {
  const { clock, follow } = createPollWorld((_id, times) => (times === 0 ? busy(HOUR_MS) : completed));
  const followed = follow('t', { deadlineAt: clock.now() + 600_000 });
  await clock.advance(589_000);
  expect(followed.ended.result).toBeUndefined();
  await clock.advance(2_000);
  expect(followed.ended.result).toMatchObject({ state: 'completed' });
});

test('failures in a row are polled again ever more slowly, up to eight seconds', async () => {
  const { clock, follow, timesOf } = createPollWorld(() => busy());
  follow('t', { deadlineAt: clock.now() + HOUR_MS });
  await clock.advance(26_000);
  expect(waitsBetween(timesOf('t'))).toEqual([2_260, 4_500, 6_000, 6_000]);
});

test('one answer is enough to start the backoff anew', async () => {
  const { clock, follow, timesOf } = createPollWorld((_id, times) => (times % 3 === 2 ? working : busy()));
  follow('t');
  await clock.advance(31_000);
  expect(waitsBetween(timesOf('t')).slice(0, 6)).toEqual([2_260, 4_500, 2_500, 2_260, 4_500, 2_500]);
});

test('a task that is unknown right after its submission is polled again', async () => {
  const { clock, follow } = createPollWorld((_id, times) => (times < 2 ? notFound : completed));
  const { ended } = follow('t');
  await clock.advance(15_000);
  expect(ended.result).toMatchObject({ state: 'completed' });
});

test('a task that is unknown later ends with an error', async () => {
  const { clock, follow, timesOf } = createPollWorld((_id, times) => (times < 5 ? working : notFound));
  const { ended } = follow('t');
  await clock.advance(30_000);
  expect(ended.result).toEqual({ state: 'error', error: notFound });
  expect(timesOf('t')).toHaveLength(6);
});

test.each([refused, forbidden])(
  'a task that the service refuses to tell of, as $kind, for a while goes on',
  async (error) => {
    const { clock, follow } = createPollWorld((_id, times) => (times < 6 ? error : completed));
    const { ended } = follow('t');
    await clock.advance(60_000);
    expect(ended.result).toMatchObject({ state: 'completed' });
  },
);

test.each([refused, forbidden])(
  'a task that it refuses to tell of, as $kind, for a minute without a break ends with what it says',
  async (error) => {
    const { clock, follow, timesOf } = createPollWorld((_id, times) => (times === 5 ? working : error));
    const { ended } = follow('t');
    await clock.advance(300_000);
    expect(ended.result).toEqual({ state: 'error', error });
    const [first = 0, ...others] = timesOf('t').slice(6);
    const refusedMs = (others.at(-1) ?? first) - first;
    expect(refusedMs).toBeGreaterThanOrEqual(60_000);
    expect(refusedMs).toBeLessThan(70_000);
  },
);

test('two refusals end no task, however long the machine slept between them', async () => {
  const { clock, follow } = createPollWorld((_id, times) => (times < 2 ? refused : completed));
  const { ended, troubles } = follow('t', { deadlineAt: clock.now() + HOUR_MS });
  await clock.advance(3_000);
  expect(troubles).toHaveLength(1);
  await clock.suspend(5 * MINUTE_MS);
  await clock.advance(10_000);
  expect(ended.result).toMatchObject({ state: 'completed' });
});

test('refusals that ask to wait for longer than a minute end it only when there are several', async () => {
  const wait = new ServiceError('refused', 'Database error', { retryAfterMs: 90_000 });
  const world = (times: number) => createPollWorld((_id, polled) => (polled < times ? wait : completed));
  const mended = world(4);
  const { ended } = mended.follow('t', { deadlineAt: mended.clock.now() + HOUR_MS });
  await mended.clock.advance(8 * MINUTE_MS);
  expect(ended.result).toMatchObject({ state: 'completed' });
  const lasting = world(5);
  const followed = lasting.follow('t', { deadlineAt: lasting.clock.now() + HOUR_MS });
  await lasting.clock.advance(8 * MINUTE_MS);
  expect(followed.ended.result).toEqual({ state: 'error', error: wait });
});

test.each([
  ['unauthorized', 401],
  ['insufficient-balance', 402],
] as const)('an answer that is %s ends it at once', async (kind, status) => {
  const error = new ServiceError(kind, 'no', { status });
  const { clock, follow, timesOf } = createPollWorld(() => error);
  const { ended } = follow('t');
  await clock.advance(30_000);
  expect(ended.result).toEqual({ state: 'error', error });
  expect(timesOf('t')).toHaveLength(1);
});

test('a task that is completed without an address is polled three times more', async () => {
  const { clock, follow, timesOf } = createPollWorld(() => task('completed'));
  const { ended } = follow('t');
  await clock.advance(30_000);
  expect(timesOf('t')).toHaveLength(4);
  expect(ended.result).toMatchObject({ state: 'error', error: { kind: 'protocol' } });
});

test('an address that comes late is taken', async () => {
  const { clock, follow } = createPollWorld((_id, times) => (times < 3 ? task('completed') : completed));
  const { ended } = follow('t');
  await clock.advance(30_000);
  expect(ended.result).toMatchObject({ state: 'completed' });
});

test('the deadline ends it on time, between two polls, and polls no more', async () => {
  const { clock, follow, timesOf } = createPollWorld(() => working);
  const { ended } = follow('t', { deadlineAt: clock.now() + 12_340 });
  await clock.advance(60_000);
  expect(ended).toEqual({ result: { state: 'timed-out' }, at: 12_340 });
  const times = timesOf('t');
  expect(times.at(-1)).toBeLessThan(12_340);
  for (const wait of waitsBetween(times)) expect(wait).toBeGreaterThanOrEqual(2_000);
});

test('the deadline ends it on time also while it waits for its turn, which then polls nothing', async () => {
  const busy = createDeferred<void>();
  const room = [Promise.resolve(), busy.promise];
  const { clock, follow, turns, timesOf } = createPollWorld(() => working, {
    turn: () => room.shift() ?? Promise.resolve(),
  });
  const { ended } = follow('t', { deadlineAt: clock.now() + 12_340 });
  await clock.advance(60_000);
  expect(turns).toHaveLength(2);
  expect(ended).toEqual({ result: { state: 'timed-out' }, at: 12_340 });
  busy.resolve();
  await clock.advance(60_000);
  expect(timesOf('t')).toHaveLength(1);
});

test('a task is not polled faster shortly before its deadline', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 5_000, max: 9_000 }), async (deadline) => {
      const { clock, follow, timesOf } = createPollWorld(() => working, { latencyMs: 1 });
      follow('t', { deadlineAt: clock.now() + deadline });
      await clock.advance(12_000);
      for (const wait of waitsBetween(timesOf('t'), 1)) expect(wait).toBeGreaterThanOrEqual(2_000);
    }),
    { numRuns: 40 },
  );
});

const late = (now: number) => ({ acceptedAt: now - 7_200_000, deadlineAt: now - HOUR_MS });

test('a task that is resumed after its deadline is polled once, and may have its picture', async () => {
  for (const [answer, state] of [
    [completed, 'completed'],
    [working, 'timed-out'],
  ] as const) {
    const { clock, follow, timesOf } = createPollWorld(() => answer);
    const { ended } = follow('t', late(clock.now()));
    await clock.advance(10_000);
    expect(ended.result).toMatchObject({ state });
    expect(timesOf('t')).toEqual([1_000]);
  }
});

test('where the service says nothing of it at first, it is polled again', async () => {
  const { clock, follow } = createPollWorld((_id, times) => (times < 5 ? busy() : completed));
  const { ended } = follow('t', late(clock.now()));
  await clock.advance(120_000);
  expect(ended.result).toMatchObject({ state: 'completed' });
});

test('a resumed task that the service does not answer for is given up after five minutes', async () => {
  const { clock, follow } = createPollWorld(() => busy());
  const { ended } = follow('t', late(clock.now()));
  await clock.advance(HOUR_MS);
  expect(ended).toEqual({ result: { state: 'timed-out' }, at: 300_000 });
});

test('a machine that was suspended past the deadline asks once more before it gives up', async () => {
  for (const [answer, state] of [
    [completed, 'completed'],
    [working, 'timed-out'],
  ] as const) {
    const { clock, follow, timesOf } = createPollWorld((_id, times) => (times === 0 ? working : answer));
    const { ended } = follow('t', { deadlineAt: clock.now() + 600_000 });
    await clock.advance(4_000);
    await clock.suspend(HOUR_MS);
    await clock.advance(10_000);
    expect(ended.result).toMatchObject({ state });
    expect(timesOf('t')).toEqual([2_500, 3_604_000]);
  }
});

test('a suspended machine that finds no service gives up after five minutes', async () => {
  const { clock, follow } = createPollWorld((_id, times) => (times === 0 ? working : busy()));
  const { ended } = follow('t', { deadlineAt: clock.now() + 600_000 });
  await clock.advance(4_000);
  await clock.suspend(HOUR_MS);
  await clock.advance(HOUR_MS);
  expect(ended).toEqual({ result: { state: 'timed-out' }, at: 3_904_000 });
});

test('an abort ends it with its own reason, between polls and during one', async () => {
  for (const after of [1_000, 2_620]) {
    const { clock, follow, polls } = createPollWorld(() => working, { latencyMs: 500 });
    const controller = new AbortController();
    const { ended } = follow('t', { signal: controller.signal });
    await clock.advance(after);
    const asked = polls.length;
    controller.abort(new Error('stopped'));
    await clock.advance(20_000);
    expect(ended.reason).toEqual(new Error('stopped'));
    expect(polls).toHaveLength(asked);
  }
});

test('who is cancelled while a poll hangs is over at once, and what it answers later is not heard', async () => {
  for (const answer of [working, busy()]) {
    const { clock, follow, polls, turnsHeld } = createPollWorld(() => answer, { latencyMs: 20_000 });
    const controller = new AbortController();
    const { ended, answers, troubles } = follow('t', { cancelled: controller.signal });
    await clock.advance(3_000);
    expect(polls).toHaveLength(1);
    expect(turnsHeld()).toBe(1);
    controller.abort();
    await clock.settle();
    expect(ended.result).toEqual({ state: 'cancelled' });
    expect(turnsHeld()).toBe(0);
    await clock.advance(60_000);
    expect([answers, troubles]).toEqual([[], []]);
    expect(polls).toHaveLength(1);
  }
});

test('a signal that is aborted already starts nothing', async () => {
  const { clock, follow, polls } = createPollWorld(() => working);
  const { ended } = follow('t', { signal: AbortSignal.abort(new Error('too late')) });
  await clock.advance(20_000);
  expect(ended.reason).toEqual(new Error('too late'));
  expect(polls).toEqual([]);
});

test('guilds are polled apart from each other, and one that fails slows no other', async () => {
  const { clock, follow, turns, timesOf } = createPollWorld((id) => (id === 'bad' ? busy(60_000) : working));
  follow('bad', { guildId: 'guild 1' });
  follow('good', { guildId: 'guild 2' });
  await clock.advance(20_000);
  expect(new Set(turns)).toEqual(new Set(['guild 1', 'guild 2']));
  expect(timesOf('bad')).toHaveLength(1);
  expect(timesOf('good').length).toBeGreaterThan(6);
});

test('a task that comes later does not disturb those that are followed', async () => {
  const { clock, follow, timesOf } = createPollWorld(() => working);
  follow('first');
  await clock.advance(1_300);
  follow('second');
  await clock.advance(20_000);
  for (const id of ['first', 'second']) {
    for (const wait of waitsBetween(timesOf(id))) expect(wait).toBeGreaterThanOrEqual(2_000);
    expect(timesOf(id).length).toBeGreaterThanOrEqual(7);
  }
});

test('when nothing is followed nothing sleeps and nothing is polled', async () => {
  const { clock, follow } = createPollWorld(() => completed);
  const { settled } = follow('t');
  await clock.advance(5_000);
  await settled;
  await clock.settle();
  expect(clock.asleep).toBe(0);
});

test('a task that has ended leaves nothing behind on the signal that outlives it', async () => {
  const { clock, follow } = createPollWorld(() => completed);
  const [{ signal }, { signal: cancelled }] = [new AbortController(), new AbortController()];
  const { settled } = follow('t', { signal, cancelled });
  await clock.advance(5_000);
  await settled;
  expect([...getEventListeners(signal, 'abort'), ...getEventListeners(cancelled, 'abort')]).toEqual([]);
});

test('how late a poll begins is told, and while none begins, for how long', async () => {
  let turns = createDeferred<void>();
  const { clock, follow, lags, stalledMs } = createPollWorld(() => working, { turn: () => turns.promise });
  follow('one');
  await clock.advance(1_000);
  follow('another');
  expect(stalledMs()).toBe(0);
  await clock.advance(12_000);
  expect(stalledMs()).toBe(10_510);
  turns.resolve();
  await clock.settle();
  expect(lags).toEqual([10_510, 9_510]);
  expect(stalledMs()).toBe(0);
  turns = createDeferred<void>();
  await clock.advance(20_000);
  expect(stalledMs()).toBe(17_470);
});

test('no poll is held up by a clock that is set back', async () => {
  const { clock, follow, polls } = createPollWorld(() => working);
  follow('before');
  await clock.advance(1_000);
  clock.setBack(HOUR_MS);
  follow('after');
  await clock.advance(4_000);
  expect(new Set(polls.map(({ taskId }) => taskId))).toEqual(new Set(['before', 'after']));
});
