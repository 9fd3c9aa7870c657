import { captureLog } from '@darkroom/testing';
import { HOUR_MS, MINUTE_MS } from '@darkroom/time';
import { createFakeClock } from '@darkroom/time/testing';
import { type APIGatewayBotInfo, Routes } from 'discord.js';
import { expect, onTestFinished, test } from 'vitest';
import { readySocket } from '../../packages/local-discord/test/support/gateway-socket.ts';
import { startLocalDiscord } from '../../packages/local-discord/test/support/local-discord.ts';
import { createIdentifies } from '../../src/bot/identifies.ts';

/** Discord does not say how often the bot may still identify: what it knows counts on. */
const UNANSWERED = {
  every: ({ path }: { path: string }) => path === '/gateway/bot',
  effect: { status: 503 },
};

/** A bot that has asked the local Discord how often it may identify, and does so only as far as it counts. */
async function identifiesWorld({ shards = 1 } = {}) {
  const clock = createFakeClock();
  const world = await startLocalDiscord({ clock });
  onTestFinished(world.close);
  const { rest } = world;
  const ask = async () => {
    const answer = (await rest.get(Routes.gatewayBot())) as APIGatewayBotInfo;
    return answer.session_start_limit;
  };
  const limit = await ask();
  const { log, lines } = captureLog();
  const identifies = createIdentifies({ limit, shards: () => shards, rest, clock, log });
  const throttler = identifies.counted({ waitForIdentify: async () => {} });
  let nextShard = 0;
  const identify = (shardId: number, signal = new AbortController().signal) =>
    throttler.waitForIdentify(shardId, signal);
  /** Each time another shard, unless one is given. Fails where it waits: on this clock it would for ever. */
  async function identifyAtOnce(shardId = nextShard++): Promise<void> {
    let begun = false;
    void identify(shardId).then(() => {
      begun = true;
    });
    await clock.settle();
    expect(begun, `shard ${shardId} identifies at once`).toBe(true);
  }
  return { world, clock, limit, ask, identifies, identify, identifyAtOnce, lines };
}

test('the day of a bot that has not identified yet begins with its first identify', async () => {
  const { world, clock, limit, ask, identifies, identifyAtOnce } = await identifiesWorld();
  expect(limit).toMatchObject({ total: 1_000, remaining: 1_000, reset_after: 0 });
  world.discord.faults.add(UNANSWERED);
  await clock.advance(HOUR_MS);
  for (let times = 0; times < 995; times++) await identifyAtOnce();
  expect(identifies.left()).toBe(5);
  await clock.advance(24 * HOUR_MS - 1);
  expect(identifies.left()).toBe(5);
  await clock.advance(1);
  expect(identifies.left()).toBe(1_000);
  await identifyAtOnce();
  expect(identifies.left()).toBe(999);

  world.discord.faults.clear();
  await readySocket(world);
  await clock.advance(HOUR_MS);
  expect(await ask()).toMatchObject({ remaining: 999, reset_after: 23 * HOUR_MS });
});

test('what other processes have identified is known after the next identify, a minute after the last look', async () => {
  const { world, clock, identifies, identifyAtOnce } = await identifiesWorld();
  for (let others = 0; others < 3; others++) await readySocket(world);
  await clock.advance(MINUTE_MS - 1);
  await identifyAtOnce();
  expect(identifies.left()).toBe(999);
  await clock.advance(1);
  await identifyAtOnce();
  await expect.poll(identifies.left).toBe(997);
});

test('a shard of which Discord takes no session does not use up the day, and begins at once where the next one does', async () => {
  const { world, clock, identifies, identify, identifyAtOnce, lines } = await identifiesWorld();
  world.discord.faults.add(UNANSWERED);
  const ended = new AbortController();
  const FIVE_SECONDS_MS = 5_000;
  let begun = 0;
  async function beginAgainAndAgain(): Promise<void> {
    for (; ; begun += 1) {
      await identify(0, ended.signal);
      await clock.sleep(FIVE_SECONDS_MS, ended.signal);
    }
  }
  const over = beginAgainAndAgain().catch(() => undefined);
  await clock.advance(HOUR_MS);
  expect(begun).toBeGreaterThan(500);
  expect(lines.join('')).toContain('the bot may identify only 500 times more until 2026-01-02T00:00:00.000Z');

  // A new shard, as at a start, waits for nobody.
  await identifyAtOnce(1);
  await clock.advance(23 * HOUR_MS - 1);
  expect(begun).toBeGreaterThan(700);
  expect(identifies.left()).toBeGreaterThan(0);

  await clock.advance(MINUTE_MS);
  expect(identifies.left()).toBeGreaterThan(980);
  ended.abort();
  await over;
});

test('a shard whose session ends begins the next one at once, however few are left, and only then waits', async () => {
  const { world, clock, identifies, identify, identifyAtOnce, lines } = await identifiesWorld({ shards: 50 });
  world.discord.faults.add(UNANSWERED);
  for (let times = 0; times < 800; times++) await identifyAtOnce();
  await clock.advance(HOUR_MS);
  await identifyAtOnce(0);
  for (let closed = 0; closed < 3; closed++) {
    const connection = new AbortController();
    const waits = identify(0, connection.signal);
    await clock.settle();
    connection.abort();
    await expect(waits, 'it waits until its connection is closed').rejects.toThrow();
  }
  void identify(0);
  await clock.settle();
  expect(identifies.left()).toBe(199);
  expect(lines.filter((line) => line.includes('a shard waits'))).toHaveLength(1);
  await clock.advance(20 * HOUR_MS);
  expect(identifies.left()).toBe(198);
});

test('shards that other processes serve keep their part, and each shard one more for a start', async () => {
  const { world, clock, identifies, identify, identifyAtOnce } = await identifiesWorld({ shards: 10 });
  world.discord.faults.add(UNANSWERED);
  for (let times = 0; times < 500; times++) await identifyAtOnce(0);
  const ended = new AbortController();
  async function beginAgainAndAgain(): Promise<void> {
    while (identifies.left() > 0) await identify(0, ended.signal);
  }
  const over = beginAgainAndAgain().catch(() => undefined);
  await clock.advance(12 * HOUR_MS);
  expect(identifies.left()).toBeGreaterThan(400);

  for (let other = 1; identifies.left() > 10; other++) await identifyAtOnce(other);
  await clock.advance(12 * HOUR_MS - 1);
  expect(identifies.left()).toBe(10);
  await clock.advance(1);
  expect(identifies.left()).toBeGreaterThan(10);
  ended.abort();
  await over;
});
