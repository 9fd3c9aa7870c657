import { captureLog } from '@darkroom/testing';
import { HOUR_MS, MINUTE_MS } from '@darkroom/time';
import { createFakeClock } from '@darkroom/time/testing';
import { type APIGatewayBotInfo, Routes } from 'discord.js';
import { expect, onTestFinished, test } from 'vitest';
import { readySocket } from '../../packages/local-discord/test/support/gateway-socket.ts';
import { startLocalDiscord } from '../../packages/local-discord/test/support/local-discord.ts';
import { createIdentifies } from '../../src/bot/identifies.ts';

/** A bot that has asked the local Discord how often it may identify, and does so only as far as it counts. */
async function identifiesWorld() {
  const clock = createFakeClock();
  const world = await startLocalDiscord({ clock });
  onTestFinished(world.close);
  const { rest } = world;
  const ask = async () => {
    const answer = (await rest.get(Routes.gatewayBot())) as APIGatewayBotInfo;
    return answer.session_start_limit;
  };
  const limit = await ask();
  const identifies = createIdentifies({ limit, rest, clock, log: captureLog().log });
  const throttler = identifies.counted({ waitForIdentify: async () => {} });
  const identify = () => throttler.waitForIdentify(0, new AbortController().signal);
  return { world, clock, limit, ask, identifies, identify };
}

test('the day of a bot that has not identified yet begins with its first identify', async () => {
  const { world, clock, limit, ask, identifies, identify } = await identifiesWorld();
  expect(limit).toMatchObject({ total: 1_000, remaining: 1_000, reset_after: 0 });
  world.discord.faults.add({ every: ({ path }) => path === '/gateway/bot', effect: { status: 503 } });
  await clock.advance(HOUR_MS);
  for (let times = 0; times < 995; times++) await identify();
  expect(identifies.left()).toBe(5);
  await clock.advance(24 * HOUR_MS - 1);
  expect(identifies.left()).toBe(5);
  await clock.advance(1);
  expect(identifies.left()).toBe(1_000);
  await identify();
  expect(identifies.left()).toBe(999);

  world.discord.faults.clear();
  await readySocket(world);
  await clock.advance(HOUR_MS);
  expect(await ask()).toMatchObject({ remaining: 999, reset_after: 23 * HOUR_MS });
});

test('what other processes have identified is known after the next identify, a minute after the last look', async () => {
  const { world, clock, identifies, identify } = await identifiesWorld();
  for (let others = 0; others < 3; others++) await readySocket(world);
  await clock.advance(MINUTE_MS - 1);
  await identify();
  expect(identifies.left()).toBe(999);
  await clock.advance(1);
  await identify();
  await expect.poll(identifies.left).toBe(997);
});
