import { createDeferred } from '@darkroom/testing';
import { HOUR_MS } from '@darkroom/time';
import { createFakeClock } from '@darkroom/time/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createChannelBudgets } from '../../../src/delivery/channel-budget.ts';
import { createEditQueue, type EditResult } from '../../../src/delivery/progress/edit-queue.ts';
import type { Message } from '../../../src/messages/message.ts';

const SENT: EditResult = { state: 'sent' };

/** An edit queue on a fake clock, and when each one left. `answers` replaces what Discord does with one. */
function editQueueWorld(answer: (message: Message) => Promise<EditResult> = () => Promise.resolve(SENT)) {
  const clock = createFakeClock();
  const channels = createChannelBudgets({ clock, part: () => 1 });
  const startedAt = clock.now();
  /** What became of the edits, as the metrics hear it. */
  const told: string[] = [];
  const sent: { id: string; at: number; content: string | undefined }[] = [];
  const edits = createEditQueue({
    clock,
    channels,
    metrics: { progressEdit: (result) => void told.push(result) },
    send(jobId, message, kind) {
      const route = channels.of(channelOf(jobId)).waitMs(kind, 'webhook') > 0 ? 'bot' : 'webhook';
      channels.of(channelOf(jobId)).spend(kind, route);
      sent.push({ id: jobId, at: clock.now() - startedAt, content: message.content });
      return answer(message);
    },
  });
  /** Shows `content` in the message of job `id`, which began when the test did. */
  function show(content: string, id = 'job', { stage = 'developing', urgent = false } = {}): void {
    const job = { id, channelId: channelOf(id), createdAt: startedAt };
    edits.add(job, { stage, urgent, key: content, render: () => ({ content }) });
  }
  const close = (id: string) => edits.close({ id, channelId: channelOf(id) });
  return { clock, channels, edits, sent, told, show, close };
}

/** Every job whose name begins with another word is in another channel. */
const channelOf = (jobId: string) => jobId.split(' ')[0] ?? '';

test('the first edit is sent at once', async () => {
  const { clock, sent, show } = editQueueWorld();
  show('0 %');
  await clock.settle();
  expect(sent).toEqual([{ id: 'job', at: 0, content: '0 %' }]);
});

test('no edit is held up by a clock that is set back, nor by what Discord has asked to wait before', async () => {
  const { clock, channels, sent, show } = editQueueWorld();
  show('0 %');
  await clock.advance(1_000);
  channels.of('job').closeToBot();
  channels.of('job').pause('webhook', 10_000);
  clock.setBack(HOUR_MS);
  show('10 %');
  await clock.advance(20_000);
  expect(sent.map(({ content }) => content)).toEqual(['0 %', '10 %']);
});

test('a job that begins after the clock was set back is shown as often as any that is young', async () => {
  const { clock, sent, edits, show } = editQueueWorld();
  show('0 %');
  await clock.advance(1_000);
  clock.setBack(HOUR_MS);
  const job = { id: 'young', channelId: 'other', createdAt: clock.now() };
  const develop = (key: string) =>
    edits.add(job, { stage: 'developing', key, render: () => ({ content: key }) });
  develop('10 %');
  await clock.advance(1_000);
  develop('20 %');
  await clock.advance(3_000);
  expect(sent.map(({ content }) => content)).toEqual(['0 %', '10 %', '20 %']);
});

test('a view that has nothing new when it is rendered keeps none after it waiting', async () => {
  const { clock, edits, sent, show } = editQueueWorld();
  show('0 %');
  await clock.advance(3_000);
  const job = { id: 'job', channelId: 'job', createdAt: 0 };
  edits.add(job, { stage: 'developing', key: 'other, but said alike', render: () => undefined });
  await clock.advance(3_000);
  show('10 %');
  await clock.advance(20_000);
  expect(sent.map(({ content }) => content)).toEqual(['0 %', '10 %']);
});

test('of edits that are added while one waits only the newest is sent, 3 seconds after the last', async () => {
  const { clock, sent, told, show } = editQueueWorld();
  for (const percent of [0, 10, 20, 30]) {
    show(`${percent} %`);
    await clock.advance(500);
  }
  await clock.advance(10_000);
  expect(sent.map(({ at, content }) => [at, content])).toEqual([
    [0, '0 %'],
    [3_000, '30 %'],
  ]);
  expect(told).toEqual(['sent', 'dropped', 'dropped', 'sent']);
});

test('edits slow down as a job ages: one in 3 seconds, after a minute in 5, after five minutes in 12', async () => {
  const { clock, sent, show } = editQueueWorld();
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

test('where thousands of replies are shown, each is edited so seldom that the process edits 250 times a second', async () => {
  const { clock, sent, show } = editQueueWorld();
  const replies = Array.from({ length: 2_500 }, (_, index) => `channel-${index} job`);
  for (let tick = 0; tick < 50; tick += 1) {
    for (const id of replies) show(`${tick}`, id);
    await clock.advance(500);
  }
  const timesOf = (id: string) => sent.filter((edit) => edit.id === id).map(({ at }) => at);
  expect(timesOf('channel-0 job')).toEqual([0, 10_000, 20_000]);
  expect(timesOf('channel-2499 job')).toEqual([0, 10_000, 20_000]);
});

test('a handover that fails is tried again as soon as ever, however many replies are shown', async () => {
  let fails = false;
  const { clock, sent, show } = editQueueWorld(async () =>
    fails ? { state: 'failed', retryAfterMs: 0 } : SENT,
  );
  for (let index = 0; index < 5_000; index += 1) show('0 %', `channel-${index} job`);
  await clock.settle();
  fails = true;
  show('slow', 'channel-0 job', { stage: 'handover', urgent: true });
  await clock.advance(10_000);
  expect(sent.filter(({ content }) => content === 'slow').length).toBeGreaterThanOrEqual(3);
});

test('what is shown already is not sent again', async () => {
  const { clock, sent, show } = editQueueWorld();
  show('10 %');
  await clock.settle();
  show('20 %');
  show('10 %');
  await clock.advance(5_000);
  show('10 %');
  await clock.advance(5_000);
  expect(sent).toHaveLength(1);
});

test('one edit is in flight at a time, however slow Discord is', async () => {
  const slow = createDeferred<EditResult>();
  const { clock, sent, show } = editQueueWorld(() => slow.promise);
  show('0 %');
  await clock.advance(20_000);
  show('50 %');
  await clock.advance(20_000);
  expect(sent).toHaveLength(1);
  slow.resolve(SENT);
  await clock.advance(3_000);
  expect(sent.map(({ content }) => content)).toEqual(['0 %', '50 %']);
});

test('a channel gets at most 28 webhook requests in a minute, however many jobs it has, and changes of state beside them', async () => {
  const { clock, channels, sent, show } = editQueueWorld();
  for (let job = 0; job < 10; job += 1) channels.join('busy', `busy ${job}`);
  for (let tick = 0; tick < 120; tick += 1) {
    for (let job = 0; job < 10; job += 1) show(`${tick}`, `busy ${job}`);
    if (tick % 8 === 0) show(`${tick}`, 'calm');
    await clock.advance(1_000);
  }
  const times = sent.filter(({ id }) => id !== 'calm').map(({ at }) => at);
  for (const at of times) {
    const inMinute = times.filter((other) => other > at - 60_000 && other <= at).length;
    // Ten pictures are kept back, and ten changes of state.
    expect(inMinute).toBeLessThanOrEqual(18);
  }
  expect(times.length).toBeGreaterThanOrEqual(26);
  expect(sent.filter(({ id }) => id === 'calm')).toHaveLength(15);
});

test('a change of state goes before percentages that have waited longer', async () => {
  const { clock, channels, sent, show } = editQueueWorld();
  for (let job = 0; job < 8; job += 1) channels.join('busy', `busy ${job}`);
  for (let tick = 0; tick < 30; tick += 1) {
    for (let job = 0; job < 8; job += 1) show(`${tick}`, `busy ${job}`);
    await clock.advance(1_000);
  }
  sent.length = 0;
  for (let job = 0; job < 8; job += 1) show('Developing', `busy ${job}`, { stage: 'begun' });
  await clock.advance(3_000);
  expect(sent.filter(({ content }) => content === 'Developing')).toHaveLength(8);
});

test('forty jobs that begin at once in one channel all say what they draw within a minute', async () => {
  const { clock, channels, sent, show } = editQueueWorld();
  for (let job = 0; job < 40; job += 1) channels.join('busy', `busy ${job}`);
  for (let job = 0; job < 40; job += 1) show('a red fox', `busy ${job}`);
  await clock.advance(60_000);
  expect(new Set(sent.map(({ id }) => id)).size).toBe(40);
});

test('whenever edits are added, they are spaced and in order, and the newest is shown in the end', async () => {
  const moments = fc.array(fc.integer({ min: 0, max: 4_000 }), { minLength: 1, maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(moments, async (pauses) => {
      const { clock, sent, show } = editQueueWorld();
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

test('an edit that is added just when the last was sent is not lost', async () => {
  for (let turns = 0; turns < 8; turns += 1) {
    const answer = createDeferred<EditResult>();
    const { clock, sent, show } = editQueueWorld(() => answer.promise);
    show('first');
    await clock.settle();
    answer.resolve(SENT);
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    show('second');
    await clock.advance(10_000);
    expect(sent.map(({ content }) => content)).toEqual(['first', 'second']);
  }
});

test('closing drops the edit that waits, and resolves when none is in flight', async () => {
  const answer = createDeferred<EditResult>();
  const { clock, close, sent, show } = editQueueWorld(() => answer.promise);
  show('0 %');
  await clock.settle();
  show('99 %');
  let finished = false;
  const finishing = close('job').then(() => {
    finished = true;
  });
  await clock.advance(10_000);
  expect(finished).toBe(false);
  answer.resolve(SENT);
  await finishing;
  await clock.advance(60_000);
  expect(sent).toHaveLength(1);
  expect(clock.asleep).toBe(0);
});

test('closing resolves at once where no edit was added, or one only waits', async () => {
  const { clock, close, sent, show } = editQueueWorld();
  await close('unknown');
  show('0 %');
  await clock.settle();
  show('50 %');
  await close('job');
  await clock.advance(60_000);
  expect(sent).toHaveLength(1);
});

test('after an edit finds the reply closed no more are sent', async () => {
  const { clock, sent, show } = editQueueWorld(() => Promise.resolve({ state: 'closed' }));
  show('0 %');
  await clock.advance(5_000);
  show('50 %');
  await clock.advance(60_000);
  expect(sent).toHaveLength(1);
});

test('an edit that failed is sent again, unless a newer one was added', async () => {
  const outcomes: EditResult[] = [
    { state: 'failed', retryAfterMs: 0 },
    { state: 'failed', retryAfterMs: 0 },
    SENT,
  ];
  const { clock, sent, show } = editQueueWorld(() => Promise.resolve(outcomes.shift() ?? SENT));
  show('0 %');
  await clock.advance(3_500);
  show('50 %');
  await clock.advance(60_000);
  expect(sent.map(({ content }) => content)).toEqual(['0 %', '0 %', '50 %']);
});

test('a wait that Discord asks for is kept, urgent or not, and delays no other reply', async () => {
  const { clock, sent, show } = editQueueWorld(({ content }) =>
    Promise.resolve(content === '0 %' ? { state: 'failed', retryAfterMs: 60_000 } : SENT),
  );
  show('0 %', 'job');
  await clock.settle();
  show('50 %', 'job 2');
  await clock.advance(30_000);
  show('how it will come', 'job', { urgent: true });
  await clock.advance(60_000);
  expect(sent.map(({ at, content }) => [at, content])).toEqual([
    [0, '0 %'],
    [0, '50 %'],
    [60_000, 'how it will come'],
  ]);
});

test('an urgent edit takes what is kept back for pictures, also in place of one that waits', async () => {
  const { clock, channels, sent, show } = editQueueWorld();
  for (let job = 0; job < 30; job += 1) channels.join('busy', `busy ${job}`);
  for (let job = 0; job < 30; job += 1) show('0 %', `busy ${job}`);
  await clock.settle();
  expect(sent).toHaveLength(16);
  show('how it will come', 'busy 29', { urgent: true });
  await clock.settle();
  expect(sent.at(-1)).toMatchObject({ id: 'busy 29', content: 'how it will come' });
});

test('what waits is rendered only when it is sent', async () => {
  const { clock, show, sent } = editQueueWorld();
  show('0 %');
  await clock.settle();
  for (let percent = 1; percent < 1_000; percent += 1) show(`${percent} %`);
  await clock.advance(3_000);
  expect(sent.map(({ content }) => content)).toEqual(['0 %', '999 %']);
});

test('closing ends what a view still fetches, waits for no more of it, and sends nothing', async () => {
  const { clock, sent, edits, close } = editQueueWorld();
  let isAborted = false;
  const render = (signal: AbortSignal) =>
    new Promise<Message>((resolve) => {
      signal.addEventListener('abort', () => {
        isAborted = true;
        resolve({ content: 'too late' });
      });
    });
  edits.add({ id: 'job', channelId: 'job', createdAt: clock.now() }, { stage: 'a', key: 'a', render });
  await clock.settle();
  await close('job');
  expect(isAborted).toBe(true);
  expect(sent).toEqual([]);
});

test('a change of state is shown a second after the last edit', async () => {
  const { clock, sent, show } = editQueueWorld();
  show('sent');
  await clock.settle();
  show('queued', 'job', { stage: 'queued' });
  await clock.advance(1_000);
  expect(sent.map(({ at, content }) => [at, content])).toEqual([
    [0, 'sent'],
    [1_000, 'queued'],
  ]);
});
