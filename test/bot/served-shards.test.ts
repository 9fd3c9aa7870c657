import { createDeferred, silentLog, until } from '@darkroom/testing';
import { createFakeClock } from '@darkroom/time/testing';
import { expect, onTestFinished, test } from 'vitest';
import { startLocalDiscord } from '../../packages/local-discord/test/support/local-discord.ts';
import { createServedShards } from '../../src/bot/served-shards.ts';
import { ONLY_SHARD } from '../../src/jobs/shard.ts';

/** A process that serves shards of a local Discord. `release`: of its jobs; it has none unless given. */
async function servedWorld(release = async () => {}) {
  const { discord, rest, close } = await startLocalDiscord();
  const clock = createFakeClock();
  let followed = 0;
  let identified = 0;
  const served = createServedShards({
    token: discord.token(),
    rest,
    identifyThrottler: { waitForIdentify: async () => void identified++ },
    tracker: { follow: () => void followed++, resume: async () => 0, release },
    router: { route: async () => {}, refuse: async () => {}, idle: async () => {} },
    onShutOut: (why) => expect.unreachable(why),
    clock,
    log: silentLog(),
  });
  onTestFinished(async () => {
    await Promise.all(served.connected().map(served.end));
    await close();
  });
  return { served, discord, clock, followed: () => followed, identified: () => identified };
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
