import { createDeferred } from '@darkroom/testing';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createRateLimiter } from '../../../src/jobs/service-calls/rate-limiter.ts';

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

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
  /** Takes all the room of a guild until `end`. */
  function fill(key = 'guild') {
    const end = createDeferred<void>();
    const full = Array.from({ length: 10 }, (_, index) =>
      rateLimiter.run(key, 'poll', call(`${index}`, end)),
    );
    return { full, end };
  }
  return { rateLimiter, begun, call, fill };
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

test('downloads go before submissions, and submissions before polls', async () => {
  const { rateLimiter, begun, call, fill } = limiterWorld();
  standStill();
  const { full, end } = fill();
  const all = (['poll', 'submit', 'download'] as const).map((kind) =>
    rateLimiter.run('guild', kind, call(kind)),
  );
  // Bottleneck takes a few timers to put them into its queues.
  await vi.advanceTimersByTimeAsync(50);
  expect(begun).toHaveLength(10);
  expect(rateLimiter.waiting()).toBe(3);
  end.resolve();
  await vi.advanceTimersByTimeAsync(50);
  await Promise.all([...full, ...all]);
  expect(begun.slice(10)).toEqual(['download', 'submit', 'poll']);
  expect(rateLimiter.waiting()).toBe(0);
});

test.each([
  [50, 6],
  [5, 3],
])(
  'with %i calls in a second %i submissions are under way at once, and leave room for polls',
  async (calls, most) => {
    const { rateLimiter, begun, call } = limiterWorld(calls);
    const end = createDeferred<void>();
    onTestFinished(() => end.resolve());
    const submitted = Array.from({ length: 12 }, (_, index) =>
      rateLimiter.run('guild', 'submit', call(`${index}`, end)),
    );
    await expect.poll(() => begun.length).toBeGreaterThanOrEqual(most);
    expect(begun).toHaveLength(most);
    expect(rateLimiter.waiting()).toBe(12 - most);
    expect(await rateLimiter.run('guild', 'poll', call('poll'))).toBe('poll');
    expect(await rateLimiter.run('guild', 'cancel', call('cancel'))).toBe('cancel');
    end.resolve();
    expect(await Promise.all(submitted)).toHaveLength(12);
  },
);

test('a submission that is given up while others are under way is never made, nor one when it is closed', async () => {
  const { rateLimiter, begun, call } = limiterWorld();
  const end = createDeferred<void>();
  const submit = (name: string, signal?: AbortSignal) =>
    rateLimiter.run('guild', 'submit', call(name, end), signal && { signal });
  const submitted = Array.from({ length: 6 }, (_, index) => submit(`${index}`));
  const givenUp = new AbortController();
  const left = submit('given up', givenUp.signal);
  const late = expect(submit('late')).rejects.toThrow('closed');
  givenUp.abort(new Error('stopped'));
  await expect(left).rejects.toEqual(new Error('stopped'));
  await rateLimiter.close();
  end.resolve();
  await Promise.all(submitted);
  await late;
  expect(begun).toHaveLength(6);
});

test('a call that was given up no longer waits, and those behind it get their turns', async () => {
  const { rateLimiter, begun, call, fill } = limiterWorld();
  standStill();
  const { full, end } = fill();
  const givenUp = new AbortController();
  const { signal } = givenUp;
  const leaving = ['a', 'b'].map((name) => rateLimiter.run('guild', 'preview', call(name), { signal }));
  const staying = rateLimiter.run('guild', 'preview', call('c'));
  const left = Promise.allSettled(leaving);
  givenUp.abort();
  await left;
  const waiting = rateLimiter.waiting();
  end.resolve();
  await vi.advanceTimersByTimeAsync(50);
  await Promise.all([...full, staying]);
  expect(begun.slice(10)).toEqual(['c']);
  expect(waiting).toBe(1);
  expect(rateLimiter.waiting()).toBe(0);
});

test('a guild of which every call that waited was given up needs no queue any more', async () => {
  const { rateLimiter, begun, call, fill } = limiterWorld();
  standStill();
  const { full, end } = fill();
  const givenUp = new AbortController();
  const left = rateLimiter.run('guild', 'preview', call('a'), { signal: givenUp.signal });
  givenUp.abort();
  await expect(left).rejects.toBe(givenUp.signal.reason);
  end.resolve();
  await Promise.all(full);
  const next = rateLimiter.run('guild', 'poll', call('b'));
  const begunAtOnce = begun.slice(10);
  await vi.advanceTimersByTimeAsync(50);
  await next;
  expect(begunAtOnce).toEqual(['b']);
});

test('a guild that is busy holds up no other', async () => {
  const { rateLimiter, call, fill } = limiterWorld();
  const { full, end } = fill('busy');
  expect(await rateLimiter.run('idle', 'poll', call('free'))).toBe('free');
  end.resolve();
  await Promise.all(full);
});

test('a turn that is given back counts in no second', async () => {
  const { rateLimiter, begun, call } = limiterWorld(2);
  standStill();
  const run = (each: Parameters<typeof rateLimiter.run>[2]) => rateLimiter.run('guild', 'poll', each);
  const giveBack = async (pass: () => void) => pass();
  const all = [call('a'), giveBack, giveBack, call('b')].map(run);
  await vi.advanceTimersByTimeAsync(50);
  expect(begun).toEqual(['a', 'b']);
  await Promise.all(all);
});

test('calls beyond the limit of a second wait for the next one', async () => {
  const { rateLimiter, begun, call } = limiterWorld(2);
  standStill();
  const all = ['a', 'b', 'c'].map((name) => rateLimiter.run('guild', 'poll', call(name)));
  await vi.advanceTimersByTimeAsync(990);
  expect(begun).toEqual(['a', 'b']);
  await vi.advanceTimersByTimeAsync(200);
  await Promise.all(all);
  expect(begun).toEqual(['a', 'b', 'c']);
});

test('where another process came before, no call begins in the first second', async () => {
  standStill();
  const rateLimiter = createRateLimiter({ callsPerSecond: 2, afterAnother: true });
  await vi.advanceTimersByTimeAsync(300);
  const begun: string[] = [];
  const all = ['a', 'b', 'c'].map((name) =>
    rateLimiter.run('guild', 'poll', async () => void begun.push(name)),
  );
  await vi.advanceTimersByTimeAsync(690);
  expect(begun).toEqual([]);
  await vi.advanceTimersByTimeAsync(100);
  expect(begun).toEqual(['a', 'b']);
  expect(await rateLimiter.run('other', 'poll', async () => 'at once')).toBe('at once');
  await vi.advanceTimersByTimeAsync(1_100);
  await Promise.all(all);
  await rateLimiter.close();
});

test('in no second, wherever it begins, more calls arrive than allowed, and none waits longer than it must', async () => {
  standStill();
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 12 }),
      fc.array(
        fc.record({
          afterMs: fc.nat(400),
          calls: fc.integer({ min: 1, max: 8 }),
          arrivesMs: fc.nat(200),
          answeredMs: fc.nat(200),
        }),
        {
          minLength: 1,
          maxLength: 12,
        },
      ),
      async (callsPerSecond, asked) => {
        const rateLimiter = createRateLimiter({ callsPerSecond });
        const begun: number[] = [];
        const arrived: number[] = [];
        let underWay = 0;
        let mostUnderWay = 0;
        const all: Promise<void>[] = [];
        for (const { afterMs, calls, arrivesMs, answeredMs } of asked) {
          await vi.advanceTimersByTimeAsync(afterMs);
          for (let call = 0; call < calls; call += 1) {
            all.push(
              rateLimiter.run('guild', 'poll', async () => {
                begun.push(performance.now());
                underWay += 1;
                mostUnderWay = Math.max(mostUnderWay, underWay);
                await delay(arrivesMs);
                arrived.push(performance.now());
                await delay(answeredMs);
                underWay -= 1;
              }),
            );
          }
        }
        const lastAskedAt = performance.now();
        await vi.advanceTimersByTimeAsync(60_000 + (all.length / callsPerSecond) * 1_500);
        await Promise.all(all);
        arrived.sort((one, other) => one - other);
        for (const [index, at] of arrived.entries()) {
          const tooMany = arrived[index + callsPerSecond];
          if (tooMany !== undefined) expect(tooMany - at).toBeGreaterThanOrEqual(1_000);
        }
        expect(mostUnderWay).toBeLessThanOrEqual(10);
        const seconds = Math.ceil(all.length / Math.min(10, callsPerSecond));
        expect((begun.at(-1) ?? 0) - lastAskedAt).toBeLessThanOrEqual(seconds * 1_500 + 1_400);
        await rateLimiter.close();
      },
    ),
    { numRuns: 60 },
  );
});

test('a guild that wants no more than it may costs no timer of its own, and nothing once it is idle', async () => {
  const { rateLimiter, call } = limiterWorld();
  standStill();
  const all = Array.from({ length: 100 }, (_, guild) =>
    rateLimiter.run(`${guild}`, 'poll', call(`${guild}`)),
  );
  await Promise.all(all);
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(1_100);
  expect(vi.getTimerCount()).toBe(0);
});

test('once it is closed it asks for no timer, whatever ends then', async () => {
  const { rateLimiter, call } = limiterWorld();
  standStill();
  const end = createDeferred<void>();
  const late = rateLimiter.run('guild', 'poll', call('late', end));
  await rateLimiter.run('guild', 'poll', call('ended'));
  await rateLimiter.close();
  end.resolve();
  expect(await late).toBe('late');
  expect(vi.getTimerCount()).toBe(0);
});

test('once nothing waits any more, a busy guild is idle like every other', async () => {
  const { rateLimiter, call, fill } = limiterWorld();
  standStill();
  const { full, end } = fill();
  const waiting = rateLimiter.run('guild', 'poll', call('waiting'));
  await vi.advanceTimersByTimeAsync(50);
  end.resolve();
  await vi.advanceTimersByTimeAsync(5_000);
  await Promise.all([...full, waiting]);
  expect(vi.getTimerCount()).toBe(0);
});

test('a call that fails rejects with its own error and gives its room back', async () => {
  const { rateLimiter, call } = limiterWorld();
  const failing = Array.from({ length: 10 }, () =>
    rateLimiter.run('guild', 'poll', () => Promise.reject(new TypeError('broken'))),
  );
  const next = rateLimiter.run('guild', 'poll', call('next'));
  for (const failed of failing) await expect(failed).rejects.toEqual(new TypeError('broken'));
  expect(await next).toBe('next');
});

test('an abort ends the wait for a turn at once, the call is never made, and its room goes to the next', async () => {
  const { rateLimiter, begun, call, fill } = limiterWorld(11);
  standStill();
  const { full, end } = fill();
  const controller = new AbortController();
  const waiting = rateLimiter.run('guild', 'submit', call('waiting'), { signal: controller.signal });
  controller.abort(new Error('stopped'));
  await expect(waiting).rejects.toEqual(new Error('stopped'));
  const last = rateLimiter.run('guild', 'poll', call('last'));
  end.resolve();
  await vi.advanceTimersByTimeAsync(100);
  await Promise.all([...full, last]);
  expect(begun.slice(10)).toEqual(['last']);
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

test('closing drops what waits, takes nothing more, and lets what runs come to its end', async () => {
  const { rateLimiter, begun, call, fill } = limiterWorld();
  const { full, end } = fill();
  const dropped = expect(rateLimiter.run('guild', 'poll', call('dropped'))).rejects.toThrow();
  const closed = rateLimiter.close();
  await expect(rateLimiter.run('guild', 'poll', call('late'))).rejects.toThrow('closed');
  end.resolve();
  expect(await Promise.all(full)).toHaveLength(10);
  await Promise.all([closed, dropped]);
  expect(begun).toHaveLength(10);
});
