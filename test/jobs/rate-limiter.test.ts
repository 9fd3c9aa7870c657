import { createDeferred } from '@darkroom/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createRateLimiter } from '../../src/jobs/rate-limiter.ts';

/** From here on time passes only where the test says so, for Bottleneck as well. */
function standStill(): void {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
}

function limiterWorld(callsPerSecond = 50) {
  const rateLimiter = createRateLimiter({ callsPerSecond });
  onTestFinished(() => rateLimiter.close().catch(() => undefined));
  const begun: string[] = [];
  /** A call that is noted when its turn comes, and runs until `end`. */
  const call = (name: string, end?: { promise: Promise<void> }) => async () => {
    begun.push(name);
    await end?.promise;
    return name;
  };
  return { rateLimiter, begun, call };
}

test('ten calls of one guild are under way at once, and no more', async () => {
  const { rateLimiter, begun, call } = limiterWorld();
  const end = createDeferred<void>();
  const all = Array.from({ length: 12 }, (_, index) =>
    rateLimiter.run('guild', 'poll', call(`${index}`, end)),
  );
  await expect.poll(() => begun.length).toBe(10);
  end.resolve();
  expect(await Promise.all(all)).toHaveLength(12);
});

test('a batch takes as much room as it makes calls', async () => {
  const { rateLimiter, begun, call } = limiterWorld();
  const end = createDeferred<void>();
  const batch = rateLimiter.run('guild', 'poll', call('batch', end), { weight: 9 });
  const one = rateLimiter.run('guild', 'poll', call('one', end));
  const other = rateLimiter.run('guild', 'poll', call('other'));
  await expect.poll(() => begun).toEqual(['batch', 'one']);
  end.resolve();
  await Promise.all([batch, one, other]);
  expect(begun).toEqual(['batch', 'one', 'other']);
});

test('a download that takes long keeps no batch from its turn', async () => {
  const { rateLimiter, begun, call } = limiterWorld();
  const end = createDeferred<void>();
  const download = rateLimiter.run('guild', 'download', call('download', end));
  const batches = ['one', 'other', 'third'].map((name) =>
    rateLimiter.run('guild', 'poll', call(name), { weight: rateLimiter.maxBatch }),
  );
  await expect.poll(() => begun).toEqual(['download', 'one', 'other', 'third']);
  end.resolve();
  await Promise.all([download, ...batches]);
});

test('downloads go before submissions, and submissions before polls', async () => {
  const { rateLimiter, begun, call } = limiterWorld();
  standStill();
  const end = createDeferred<void>();
  const first = rateLimiter.run('guild', 'poll', call('first', end), { weight: 10 });
  await vi.advanceTimersByTimeAsync(50);
  expect(begun).toEqual(['first']);
  const all = (['poll', 'submit', 'download'] as const).map((kind) =>
    rateLimiter.run('guild', kind, call(kind), { weight: 10 }),
  );
  // Bottleneck takes a few timers to put them into its queues.
  await vi.advanceTimersByTimeAsync(50);
  end.resolve();
  await vi.advanceTimersByTimeAsync(50);
  await Promise.all([first, ...all]);
  expect(begun).toEqual(['first', 'download', 'submit', 'poll']);
});

test('a guild that is busy holds up no other', async () => {
  const { rateLimiter, call } = limiterWorld();
  const end = createDeferred<void>();
  const blocked = rateLimiter.run('busy', 'poll', call('blocked', end), { weight: 10 });
  expect(await rateLimiter.run('idle', 'poll', call('free'))).toBe('free');
  end.resolve();
  await blocked;
});

test('the largest batch fits however low the limit is', async () => {
  for (const callsPerSecond of [1, 3, 50]) {
    const { rateLimiter, call } = limiterWorld(callsPerSecond);
    expect(rateLimiter.maxBatch).toBe(Math.min(5, callsPerSecond));
    expect(await rateLimiter.run('guild', 'poll', call('batch'), { weight: rateLimiter.maxBatch })).toBe(
      'batch',
    );
  }
});

test('calls beyond the limit of a second wait for the next one', async () => {
  const { rateLimiter, begun, call } = limiterWorld(2);
  standStill();
  const all = ['a', 'b', 'c'].map((name) => rateLimiter.run('guild', 'poll', call(name)));
  await vi.advanceTimersByTimeAsync(900);
  expect(begun).toEqual(['a', 'b']);
  await vi.advanceTimersByTimeAsync(200);
  await Promise.all(all);
  expect(begun).toEqual(['a', 'b', 'c']);
});

test('a call that fails rejects with its own error and gives its room back', async () => {
  const { rateLimiter, call } = limiterWorld();
  const failing = rateLimiter.run('guild', 'poll', () => Promise.reject(new TypeError('broken')), {
    weight: 10,
  });
  await expect(failing).rejects.toEqual(new TypeError('broken'));
  expect(await rateLimiter.run('guild', 'poll', call('next'), { weight: 10 })).toBe('next');
});

test('an abort ends the wait for a turn at once, and the call is never made', async () => {
  const { rateLimiter, begun, call } = limiterWorld();
  const end = createDeferred<void>();
  const first = rateLimiter.run('guild', 'poll', call('first', end), { weight: 10 });
  const controller = new AbortController();
  const waiting = rateLimiter.run('guild', 'submit', call('waiting'), { signal: controller.signal });
  controller.abort(new Error('stopped'));
  await expect(waiting).rejects.toEqual(new Error('stopped'));
  end.resolve();
  await first;
  await rateLimiter.run('guild', 'poll', call('last'));
  expect(begun).toEqual(['first', 'last']);
});

test('an abort during the call is left to the call', async () => {
  const { rateLimiter, begun, call } = limiterWorld();
  const end = createDeferred<void>();
  const controller = new AbortController();
  const running = rateLimiter.run('guild', 'submit', call('running', end), { signal: controller.signal });
  await expect.poll(() => begun).toEqual(['running']);
  controller.abort(new Error('stopped'));
  end.resolve();
  expect(await running).toBe('running');
});

test('closing drops what waits and lets what runs come to its end', async () => {
  const { rateLimiter, begun, call } = limiterWorld();
  const end = createDeferred<void>();
  const running = rateLimiter.run('guild', 'poll', call('running', end), { weight: 10 });
  await expect.poll(() => begun).toEqual(['running']);
  const dropped = expect(rateLimiter.run('guild', 'poll', call('dropped'))).rejects.toThrow();
  const closed = rateLimiter.close();
  end.resolve();
  expect(await running).toBe('running');
  await Promise.all([closed, dropped]);
  expect(begun).toEqual(['running']);
});
