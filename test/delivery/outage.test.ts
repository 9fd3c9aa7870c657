import { silentLog } from '@darkroom/testing';
import { createFakeClock } from '@darkroom/time/testing';
import { HTTPError } from 'discord.js';
import { expect, test } from 'vitest';
import { createOutage } from '../../src/delivery/outage.ts';

const UNAVAILABLE = new HTTPError(503, 'Service Unavailable', 'PATCH', '/', { body: undefined, files: [] });
const never = () => new AbortController().signal;

/** A Discord that is down until a test has it answer, with so many deliveries that wait for it. */
async function outageWorld({ waiting = 1_000 } = {}) {
  const clock = createFakeClock();
  const outage = createOutage({ clock, log: silentLog() });
  const startedAt = clock.now();
  const attempts: number[] = [];
  const arrived: number[] = [];
  let answers = false;

  const call = () => {
    attempts.push(clock.now() - startedAt);
    return outage.observe(answers ? Promise.resolve() : Promise.reject(UNAVAILABLE));
  };
  for (let failure = 0; failure < 5; failure += 1) await call().catch(() => undefined);
  attempts.length = 0;

  async function deliver(): Promise<void> {
    for (;;) {
      await outage.untilAdmitted(never());
      try {
        await call();
        arrived.push(clock.now() - startedAt);
        return;
      } catch {}
    }
  }
  for (let job = 0; job < waiting; job += 1) void deliver();
  return {
    clock,
    outage,
    attempts,
    arrived,
    heal() {
      answers = true;
    },
  };
}

test('while Discord is down one of a thousand deliveries tries every four seconds', async () => {
  const { clock, attempts } = await outageWorld();
  await clock.advance(60_000);
  expect(attempts).toEqual(Array.from({ length: 15 }, (_, nth) => (nth + 1) * 4_000));
});

test('once it is back everything arrives within ten seconds, spread out', async () => {
  const { clock, arrived, heal } = await outageWorld();
  await clock.advance(61_000);
  heal();
  await clock.advance(10_000);
  expect(arrived).toHaveLength(1_000);
  for (let second = 60_000; second < 72_000; second += 1_000) {
    const inSecond = arrived.filter((at) => at >= second && at < second + 1_000);
    expect(inSecond.length).toBeLessThan(350);
  }
});

test('a delivery that is given up leaves its place to the next', async () => {
  const { clock, outage, attempts } = await outageWorld({ waiting: 0 });
  const stopping = new AbortController();
  const first = outage.untilAdmitted(stopping.signal).catch((reason: unknown) => reason);
  const second = outage.untilAdmitted(never()).then(() => attempts.push(clock.now()));
  stopping.abort('stopping');
  expect(await first).toBe('stopping');
  await clock.advance(4_000);
  await second;
  expect(attempts).toHaveLength(1);
});

test('who waits for a turn is told when its time is over, and others go on trying', async () => {
  const { clock, outage, attempts } = await outageWorld({ waiting: 2 });
  const turns = Array.from({ length: 3 }, () => outage.untilAdmitted(never(), 10_000));
  await clock.advance(12_000);
  expect(await Promise.all(turns)).toEqual([false, false, false]);
  expect(await outage.untilAdmitted(never(), 0)).toBe(false);
  expect(attempts).toEqual([4_000, 8_000, 12_000]);
});

test('who waits for a turn has it once Discord is back', async () => {
  const { clock, outage, heal } = await outageWorld({ waiting: 1 });
  const turn = outage.untilAdmitted(never(), 60_000);
  heal();
  await clock.advance(10_000);
  expect(await turn).toBe(true);
});

test('who has given up comes again once Discord is back, and otherwise when its time is over', async () => {
  const { clock, outage, heal } = await outageWorld({ waiting: 1 });
  const back: number[] = [];
  const rest = (ms: number) => void outage.rest(ms, never()).then(() => back.push(ms));
  rest(300_000);
  rest(1_000);
  await clock.advance(3_000);
  expect(back).toEqual([1_000]);
  heal();
  await clock.advance(10_000);
  expect(back).toEqual([1_000, 300_000]);
  rest(200_000);
  await clock.advance(199_999);
  expect(back).toHaveLength(2);
  await clock.advance(1);
  expect(back).toHaveLength(3);
});

test('what is refused shows that Discord answers; what waits for a limit shows nothing', async () => {
  const { outage } = await outageWorld({ waiting: 0 });
  expect(outage.isDown()).toBe(true);
  await outage.observe(Promise.resolve());
  expect(outage.isDown()).toBe(false);
});

test('calls that are given up, as where a shard goes to another process, do not make Discord look away', async () => {
  const { outage } = await outageWorld({ waiting: 0 });
  await outage.observe(Promise.resolve());
  const signal = AbortSignal.abort(new Error('given up'));
  for (let call = 0; call < 5; call += 1) {
    await outage.observe(Promise.reject(signal.reason), { signal }).catch(() => undefined);
  }
  expect(outage.isDown()).toBe(false);
});
