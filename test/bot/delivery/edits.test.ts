import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEdits, type Shown } from '../../../src/bot/delivery/edits.ts';
import type { Message } from '../../../src/bot/message.ts';
import { createFakeClock } from '../../support/clock.ts';
import { createDeferred } from '../../support/deferred.ts';

/** Edits on a fake clock, and when each one left. `answers` replaces what Discord does with one. */
function createEditsWorld(answer: (message: Message) => Promise<Shown> = () => Promise.resolve('shown')) {
  const clock = createFakeClock();
  const startedAt = clock.now();
  const sent: { id: string; at: number; content: string | undefined }[] = [];
  const edits = createEdits({
    clock,
    send(id, message) {
      sent.push({ id, at: clock.now() - startedAt, content: message.content });
      return answer(message);
    },
  });
  /** Shows `content` in the message of job `id`, which began when the test did. */
  const show = (content: string, id = 'job', channelId = 'channel') =>
    edits.show({ id, channelId, createdAt: startedAt }, { content });
  return { clock, edits, sent, show };
}

test('the first one leaves at once', async () => {
  const { clock, sent, show } = createEditsWorld();
  show('0 %');
  await clock.settle();
  expect(sent).toEqual([{ id: 'job', at: 0, content: '0 %' }]);
});

test('of those that come while one waits the newest leaves, 3 seconds after the last', async () => {
  const { clock, sent, show } = createEditsWorld();
  for (const percent of [0, 10, 20, 30]) {
    show(`${percent} %`);
    await clock.advance(500);
  }
  await clock.advance(10_000);
  expect(sent.map(({ at, content }) => [at, content])).toEqual([
    [0, '0 %'],
    [3_000, '30 %'],
  ]);
});

test('they slow down as a job ages: 3 seconds, after a minute 5, after five minutes 12', async () => {
  const { clock, sent, show } = createEditsWorld();
  for (let tick = 0; tick < 900; tick += 1) {
    show(`${tick}`);
    await clock.advance(500);
  }
  const gaps = sent.slice(1).map(({ at }, index) => ({ at, gap: at - (sent[index]?.at ?? 0) }));
  const between = (from: number, to: number) =>
    new Set(gaps.filter(({ at }) => at > from && at <= to).map(({ gap }) => gap));
  expect(between(0, 60_000)).toEqual(new Set([3_000]));
  expect(between(66_000, 300_000)).toEqual(new Set([5_000]));
  expect(between(315_000, 450_000)).toEqual(new Set([12_000]));
});

test('what is shown already is not sent again', async () => {
  const { clock, sent, show } = createEditsWorld();
  show('10 %');
  await clock.settle();
  show('20 %');
  show('10 %');
  await clock.advance(5_000);
  show('10 %');
  await clock.advance(5_000);
  expect(sent).toHaveLength(1);
});

test('one is in flight at a time, however slow Discord is', async () => {
  const slow = createDeferred<Shown>();
  const { clock, sent, show } = createEditsWorld(() => slow.promise);
  show('0 %');
  await clock.advance(20_000);
  show('50 %');
  await clock.advance(20_000);
  expect(sent).toHaveLength(1);
  slow.resolve('shown');
  await clock.advance(3_000);
  expect(sent.map(({ content }) => content)).toEqual(['0 %', '50 %']);
});

test('a channel takes 25 in a minute, whatever number of jobs it has', async () => {
  const { clock, sent, show } = createEditsWorld();
  for (let tick = 0; tick < 120; tick += 1) {
    for (let job = 0; job < 10; job += 1) show(`${tick}`, `job ${job}`, 'busy');
    if (tick % 8 === 0) show(`${tick}`, 'calm job', 'calm');
    await clock.advance(1_000);
  }
  const times = sent.filter(({ id }) => id !== 'calm job').map(({ at }) => at);
  for (const at of times) {
    expect(times.filter((other) => other > at - 60_000 && other <= at).length).toBeLessThanOrEqual(25);
  }
  expect(times.length).toBeGreaterThanOrEqual(50);
  expect(sent.filter(({ id }) => id === 'calm job')).toHaveLength(15);
});

test('whatever comes when: spaced, in order, and the newest is shown in the end', async () => {
  const moments = fc.array(fc.integer({ min: 0, max: 4_000 }), { minLength: 1, maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(moments, async (pauses) => {
      const { clock, sent, show } = createEditsWorld();
      for (const [index, pause] of pauses.entries()) {
        show(`${index}`);
        await clock.advance(pause);
      }
      await clock.advance(70_000);
      expect(sent.at(-1)?.content).toBe(`${pauses.length - 1}`);
      const order = sent.map(({ content }) => Number(content));
      expect(order).toEqual(order.toSorted((one, other) => one - other));
      for (const [index, { at }] of sent.entries()) {
        expect(at - (sent[index - 1]?.at ?? -3_000)).toBeGreaterThanOrEqual(3_000);
      }
    }),
    { numRuns: 30 },
  );
});

test('one that comes just when the last has left is not forgotten', async () => {
  for (let turns = 0; turns < 8; turns += 1) {
    const answer = createDeferred<Shown>();
    const { clock, sent, show } = createEditsWorld(() => answer.promise);
    show('first');
    await clock.settle();
    answer.resolve('shown');
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    show('second');
    await clock.advance(10_000);
    expect(sent.map(({ content }) => content)).toEqual(['first', 'second']);
  }
});

test('finishing drops what waits and resolves when nothing is in flight', async () => {
  const answer = createDeferred<Shown>();
  const { clock, edits, sent, show } = createEditsWorld(() => answer.promise);
  show('0 %');
  await clock.settle();
  show('99 %');
  let finished = false;
  const finishing = edits.finish('job').then(() => {
    finished = true;
  });
  await clock.advance(10_000);
  expect(finished).toBe(false);
  answer.resolve('shown');
  await finishing;
  await clock.advance(60_000);
  expect(sent).toHaveLength(1);
  expect(clock.asleep).toBe(0);
});

test('finishing what never began, or has begun to wait, is done at once', async () => {
  const { clock, edits, sent, show } = createEditsWorld();
  await edits.finish('unknown');
  show('0 %');
  await clock.settle();
  show('50 %');
  await edits.finish('job');
  await clock.advance(60_000);
  expect(sent).toHaveLength(1);
});

test('where an edit was of no use no more are tried', async () => {
  const { clock, sent, show } = createEditsWorld(() => Promise.resolve('useless'));
  show('0 %');
  await clock.advance(5_000);
  show('50 %');
  await clock.advance(60_000);
  expect(sent).toHaveLength(1);
});

test('one that failed is tried again, unless a newer one came', async () => {
  const outcomes: Shown[] = [{ waitMs: 0 }, { waitMs: 0 }, 'shown'];
  const { clock, sent, show } = createEditsWorld(() => Promise.resolve(outcomes.shift() ?? 'shown'));
  show('0 %');
  await clock.advance(3_500);
  show('50 %');
  await clock.advance(60_000);
  expect(sent.map(({ content }) => content)).toEqual(['0 %', '0 %', '50 %']);
});

test('a wait that Discord asks for is kept, urgent or not, and keeps back no other message', async () => {
  const { clock, edits, sent, show } = createEditsWorld(({ content }) =>
    Promise.resolve(content === '0 %' ? { waitMs: 60_000 } : 'shown'),
  );
  show('0 %', 'job', 'channel');
  await clock.settle();
  show('50 %', 'other job', 'other channel');
  await clock.advance(30_000);
  const target = { id: 'job', channelId: 'channel', createdAt: clock.now() - 30_000 };
  edits.show(target, { content: 'how it will come' }, { urgent: true });
  await clock.advance(60_000);
  expect(sent.map(({ at, content }) => [at, content])).toEqual([
    [0, '0 %'],
    [0, '50 %'],
    [60_000, 'how it will come'],
  ]);
});

test('an urgent one does not wait for the room of its channel', async () => {
  const { clock, edits, sent, show } = createEditsWorld();
  for (let job = 0; job < 30; job += 1) show('0 %', `job ${job}`);
  await clock.settle();
  expect(sent).toHaveLength(25);
  const target = { id: 'late job', channelId: 'channel', createdAt: clock.now() };
  edits.show(target, { content: 'how it will come' }, { urgent: true });
  await clock.settle();
  expect(sent.at(-1)).toMatchObject({ id: 'late job', content: 'how it will come' });
});

test('an urgent one does not wait behind one that waits for the room of its channel', async () => {
  const { clock, edits, sent, show } = createEditsWorld();
  for (let job = 0; job < 25; job += 1) show('0 %', `job ${job}`);
  await clock.settle();
  const target = { id: 'late job', channelId: 'channel', createdAt: clock.now() };
  edits.show(target, { content: '50 %' });
  await clock.settle();
  edits.show(target, { content: 'how it will come' }, { urgent: true });
  await clock.settle();
  expect(sent.at(-1)).toMatchObject({ id: 'late job', content: 'how it will come' });
});
