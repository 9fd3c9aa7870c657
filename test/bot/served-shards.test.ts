import { setTimeout as realTime } from 'node:timers/promises';
import { captureLog, createDeferred, until } from '@darkroom/testing';
import { MINUTE_MS } from '@darkroom/time';
import { createFakeClock } from '@darkroom/time/testing';
import { expect, onTestFinished, test } from 'vitest';
import { startLocalDiscord } from '../../packages/local-discord/test/support/local-discord.ts';
import { createServedShards } from '../../src/bot/served-shards.ts';
import { ONLY_SHARD } from '../../src/jobs/shard.ts';

/** A process that serves shards of a local Discord. `release`: of its jobs; it has none unless given. */
async function servedWorld(release = async () => {}) {
  const { discord, rest, close } = await startLocalDiscord();
  const clock = createFakeClock();
  const { log, lines } = captureLog();
  let followed = 0;
  let identified = 0;
  let overfull = 0;
  const served = createServedShards({
    token: discord.token(),
    rest,
    identifyThrottler: { waitForIdentify: async () => void identified++ },
    tracker: { follow: () => void followed++, resume: async () => 0, release },
    router: { route: async () => {}, refuse: async () => {}, idle: async () => {} },
    onOverfull: () => void overfull++,
    onShutOut: (why) => expect.unreachable(why),
    clock,
    log,
  });
  onTestFinished(async () => {
    await Promise.all(served.connected().map(served.end));
    await close();
  });
  return {
    served,
    discord,
    clock,
    followed: () => followed,
    identified: () => identified,
    overfull: () => overfull,
    lines,
  };
}

test('a shard that is lost twice is followed once nothing runs on of what was lost first', async () => {
  const first = createDeferred<void>();
  let losses = 0;
  // Nothing is left to wait for where a shard is not followed.
  const { served, clock, followed } = await servedWorld(() =>
    ++losses === 1 ? first.promise : Promise.resolve(),
  );
  await served.begin(ONLY_SHARD);
  served.suspend();
  served.suspend();
  const begun = served.begin(ONLY_SHARD);
  await clock.settle();
  expect(followed()).toBe(1);
  first.resolve();
  await begun;
  expect(followed()).toBe(2);
});

test('a shard that is lost before it could connect is connected once', async () => {
  const { served, discord, clock, identified } = await servedWorld();
  discord.faults.add({ every: ({ path }) => path === '/gateway/bot', effect: { status: 503 } });
  const first = served.begin(ONLY_SHARD);
  await until(() => clock.asleep === 1, 'it waits to connect again');
  served.suspend();
  discord.faults.clear();
  const second = served.begin(ONLY_SHARD);
  await clock.advance(60_000);
  await Promise.all([first, second]);
  expect(identified()).toBe(1);
  expect(served.readings()).toEqual({ served: 1, connected: 1 });
});

test('a shard whose first connection is refused is connected once, by the next try alone', async () => {
  const { served, discord, clock, identified } = await servedWorld();
  discord.faults.add({
    next: { method: 'GET', path: /^\/gateway$/, hasFiles: false },
    effect: { status: 520 },
  });
  const begun = served.begin(ONLY_SHARD);
  await until(() => clock.asleep === 1, 'it waits to connect again');
  await clock.advance(60_000);
  await begun;
  // A client that was given up would connect again after half a second.
  await realTime(1_000);
  expect(identified()).toBe(1);
  expect(discord.gateway.sessions()).toEqual({ total: 1, connected: 1 });
});

test('a shard whose session has an address that is gone begins a new one, and tells of it once', async () => {
  const { served, discord, identified, lines } = await servedWorld();
  await served.begin(ONLY_SHARD);
  discord.faults.add({ every: ({ path }) => path === '/gateway/resume', effect: { status: 404 } });
  discord.gateway.drop();
  await until(() => identified() === 2, 'it identifies again');
  await until(() => served.readings().connected === 1, 'it is connected again');
  const broken = lines.filter((line) => line.includes('a connection to Discord broke'));
  expect(broken.filter((line) => line.includes('"level":40'))).toHaveLength(1);
  expect(broken.length).toBeGreaterThan(1);
});

test.each([
  [1, 15],
  [2, 15],
  [16, 60],
])('of %i shards, one with too many servers is tried again after %i minutes', async (count, minutes) => {
  const { served, discord, clock, identified, overfull } = await servedWorld();
  const shard = { id: 0, count };
  discord.gateway.overfill(0, count);
  await served.begin(shard);
  expect(served.readings()).toEqual({ served: 1, connected: 0 });
  await clock.advance(minutes * MINUTE_MS - 1);
  expect(identified()).toBe(1);
  await clock.advance(1);
  await until(() => identified() === 2, 'it identifies again');
  await until(() => overfull() === 2, 'it is closed again');
  await served.end(shard);
  expect(clock.asleep).toBe(0);
});

test('a shard resumes its session where a connection failed in between', async () => {
  const { served, discord, identified } = await servedWorld();
  await served.begin(ONLY_SHARD);
  discord.faults.add({
    next: { method: 'GET', path: /^\/gateway\/resume$/, hasFiles: false },
    effect: { status: 520 },
    times: 3,
  });
  discord.gateway.drop();
  await until(() => served.readings().connected === 0, 'it has noticed');
  await until(() => served.readings().connected === 1, 'it is connected again');
  expect(identified()).toBe(1);
});

test('a shard is ended in order while its socket connects', async () => {
  const { served, discord, clock } = await servedWorld();
  await served.begin(ONLY_SHARD);
  let dials = 0;
  discord.faults.add({
    every: ({ path }) => {
      if (path !== '/gateway/resume') return false;
      dials += 1;
      return true;
    },
    effect: 'hang',
  });
  discord.gateway.drop();
  await until(() => dials > 0, 'it connects again');
  const ended = served.end(ONLY_SHARD);
  await clock.advance(60_000);
  // Whoever fails now, as the local Discord closes, is heard by nobody, and would end this process.
  await ended;
});

test('a shard that is ended while it connects again does not come back', async () => {
  const { served, discord, clock } = await servedWorld();
  await served.begin(ONLY_SHARD);
  discord.faults.add({ every: ({ path }) => path === '/gateway/resume', effect: { status: 503 } });
  discord.gateway.drop();
  await until(() => served.readings().connected === 0, 'it has noticed');
  const ended = served.end(ONLY_SHARD);
  await clock.advance(60_000);
  await ended;
  discord.faults.clear();
  await realTime(1_000);
  expect(discord.gateway.sessions().connected).toBe(0);
});
