import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { status as operation } from '../../src/contract/task.ts';
import { TASK_STATES } from '../../src/contract/task-state.ts';

const read = (fields: object) => operation.answer.read.parse({ id: '7', status: 'processing', ...fields });

test.each([
  ['pending', 'pending'],
  ['QUEUED', 'pending'],
  ['IN_QUEUE', 'pending'],
  ['IN_PROGRESS', 'processing'],
  ['JOB_STATE_QUEUED', 'pending'],
  ['JOB_STATE_RUNNING', 'processing'],
  ['JOB_STATE_SUCCEEDED', 'completed'],
  ['JOB_STATE_PARTIALLY_SUCCEEDED', 'completed'],
  ['JOB_STATE_FAILED', 'failed'],
  ['JOB_STATE_CANCELLED', 'failed'],
  ['JOB_STATE_EXPIRED', 'failed'],
  ['processing', 'processing'],
  ['running', 'processing'],
  ['defrosting', 'processing'],
  ['Completed', 'completed'],
  ['success', 'completed'],
  ['succeeded', 'completed'],
  ['FAILED', 'failed'],
  ['error', 'failed'],
  ['canceled', 'failed'],
  [' failed ', 'failed'],
  ['Ready', 'processing'],
  ['Request Moderated', 'failed'],
  ['Content Moderated', 'failed'],
  ['TIMED_OUT', 'failed'],
  ['timed-out', 'failed'],
  ['timeout', 'failed'],
  ['expired', 'failed'],
  ['rejected', 'failed'],
  ['aborted', 'failed'],
  ['constructor', 'processing'],
  ['__proto__', 'processing'],
])('the word "%s" means %s', (status, state) => {
  expect(read({ status }).state).toBe(state);
});

test.each([
  ['failed', undefined, false],
  ['error', undefined, false],
  ['canceled', 'canceled', false],
  ['Request Moderated', 'Request Moderated', false],
  ['Content Moderated', 'Content Moderated', true],
  ['TIMED_OUT', 'TIMED_OUT', true],
  ['JOB_STATE_EXPIRED', 'JOB_STATE_EXPIRED', true],
])(
  'of a task that ends as "%s" the reason is %j, and that it may have been drawn %s',
  (status, reason, mayBeDrawn) => {
    expect(read({ status, error: null })).toMatchObject({ state: 'failed', reason, mayBeDrawn });
    expect(read({ status, error: 'out of memory' })).toMatchObject({ reason: 'out of memory', mayBeDrawn });
  },
);

test('a task that is ready, and says where its picture is, is completed', () => {
  const result = { sample: 'https://images.example.com/1.png' };
  expect(read({ status: 'Ready', result })).toMatchObject({ state: 'completed', imageUrl: result.sample });
});

test('a task may call its status state, but must have one', () => {
  expect(operation.answer.read.parse({ id: '7', state: 'done' }).state).toBe('completed');
  expect(operation.answer.read.safeParse({ id: '7' }).success).toBe(false);
  expect(operation.answer.read.safeParse({ id: '7', status: 3 }).success).toBe(false);
});

test.each([
  [45, 45],
  [45.5, 45.5],
  ['45', 45],
  ['45%', 45],
  [' 45 % ', 45],
  [0.45, 45],
  [1, 1],
  [0, 0],
  [-3, 0],
  [140, 100],
  ['half', undefined],
  [null, undefined],
  [undefined, undefined],
  [[45], undefined],
  [{ percent: 45 }, undefined],
])('progress %j is %j percent', (progress, percent) => {
  expect(read({ progress })).toHaveProperty('progress', percent);
});

test.each([
  ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z'],
  ['2026-01-02T04:04:05+01:00', '2026-01-02T03:04:05.000Z'],
  ['2026-01-02 03:04:05', '2026-01-02T03:04:05.000Z'],
  [1_767_323_045, '2026-01-02T03:04:05.000Z'],
  [1_767_323_045_000, '2026-01-02T03:04:05.000Z'],
  ['1767323045', '2026-01-02T03:04:05.000Z'],
  [null, undefined],
  ['yesterday', undefined],
  ['', undefined],
  ['0000-00-00 00:00:00', undefined],
  [1e300, undefined],
])('created_at %j is %j', (created_at, moment) => {
  expect(read({ created_at }).createdAt?.toISOString()).toBe(moment);
});

test.each([
  ['2026-01-02T03:04:05', '2026-01-02T03:04:05.000Z'],
  ['2026-01-02T03:04', '2026-01-02T03:04:00.000Z'],
  ['2026-01-02T03:04:05.678901', '2026-01-02T03:04:05.678Z'],
  ['2026-01-02 03:04:05', '2026-01-02T03:04:05.000Z'],
  ['2026-01-02 03:04:05.5', '2026-01-02T03:04:05.500Z'],
  ['2026-01-02', '2026-01-02T00:00:00.000Z'],
  ['2026-01-02 04:04:05+01:00', '2026-01-02T03:04:05.000Z'],
])('created_at %j, which names no zone or its own, is %j on a machine in Tokyo', (created_at, moment) => {
  vi.stubEnv('TZ', 'Asia/Tokyo');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(new Date(2026, 0).getTimezoneOffset()).toBe(-540);
  expect(read({ created_at }).createdAt?.toISOString()).toBe(moment);
});

test.each([
  [{ result: { image_url: ' https://a.example/1.png ' } }, 'https://a.example/1.png'],
  [{ result: { url: '/pictures/1.png' } }, '/pictures/1.png'],
  [{ result: { images: ['a.png', 'b.png'] } }, 'a.png'],
  [{ result: { images: [{ url: 'a.png' }] } }, 'a.png'],
  [{ result: 'https://a.example/1.png' }, 'https://a.example/1.png'],
  [{ image_url: 'https://a.example/1.png' }, 'https://a.example/1.png'],
  [{ image_url: ['a.png', 'b.png'] }, 'a.png'],
  [{ result: { image_url: ['a.png', 'b.png'] } }, 'a.png'],
  [{ result: { image_url: { url: 'a.png' } } }, 'a.png'],
  [{ result: { images: 'a.png' } }, 'a.png'],
  [{ result: { sample: 'a.png' } }, 'a.png'],
  [{ result: ['a.png', 'b.png'] }, 'a.png'],
  [{ result: [{ image_url: 'a.png' }, { image_url: 'b.png' }] }, 'a.png'],
  [{ result: [[]] }, undefined],
  [{ result: { images: [null] } }, undefined],
  [{ result: { image_url: '' } }, undefined],
  [{ result: { images: [] } }, undefined],
  [{ result: [] }, undefined],
  [{ result: 42 }, undefined],
  [{}, undefined],
])('%j has its picture at %j', (fields, imageUrl) => {
  expect(read({ status: 'completed', ...fields })).toHaveProperty('imageUrl', imageUrl);
});

test.each([
  ['out of memory', 'out of memory'],
  [{ code: 'oom', message: 'out of memory' }, 'out of memory'],
  [['out of memory', 'twice'], 'out of memory'],
  [{ detail: 'out of memory' }, 'out of memory'],
  [null, undefined],
  [{}, undefined],
  [7, undefined],
])('the failure %j has the reason %j', (error, reason) => {
  expect(read({ status: 'failed', error })).toHaveProperty('reason', reason);
});

test('additions are read where they are', () => {
  expect(
    read({ queue_position: 3, eta_seconds: '12.5', seed: 42, cost: 1, expires_at: '2026-01-02T03:04:05Z' }),
  ).toMatchObject({
    queuePosition: 3,
    etaSeconds: 12.5,
    seed: 42,
    cost: 1,
    expiresAt: new Date('2026-01-02T03:04:05Z'),
  });
});

test.each([
  [0, 0],
  ['7', 7],
  [-1, undefined],
  [2.5, undefined],
  [1e308, undefined],
  [null, undefined],
])('queue_position %j is %j', (queue_position, position) => {
  expect(read({ queue_position })).toHaveProperty('queuePosition', position);
});

test('what a picture does not show is read as words, a few of them and none too long', () => {
  const read8 = (not_drawn: unknown) => {
    const task = read({ status: 'completed', not_drawn });
    return task.state === 'completed' ? task.notDrawn : expect.fail(task.state);
  };
  expect(read8([' yeti ', 7, '', 'x'.repeat(61), 'Hamburg'])).toEqual(['yeti', 'Hamburg']);
  expect(read8(Array.from({ length: 20 }, (_, index) => `word ${index}`))).toHaveLength(8);
  for (const nothing of [undefined, null, [], 'yeti', {}]) expect(read8(nothing)).toBeUndefined();
});

test('a status among any other values is read into known states and numbers in range, or not at all', () => {
  const fields = fc.dictionary(
    fc.constantFrom(
      'id',
      'status',
      'state',
      'progress',
      'result',
      'image_url',
      'error',
      'created_at',
      'expires_at',
      'seed',
    ),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(fields, (data) => {
      const { data: task } = operation.answer.read.safeParse(data);
      if (!task) return;
      expect(TASK_STATES).toContain(task.state);
      expect(task.createdAt?.getTime()).not.toBeNaN();
      if (task.state === 'completed') expect(task.imageUrl).not.toBe('');
      else if (task.state !== 'failed') {
        expect(task.progress ?? 0).toBeGreaterThanOrEqual(0);
        expect(task.progress ?? 0).toBeLessThanOrEqual(100);
      }
    }),
    { numRuns: 500 },
  );
});
