import { MINUTE_MS } from '@darkroom/time';
import { createFakeClock } from '@darkroom/time/testing';
import { expect, test } from 'vitest';
import { createChannelBudgets } from '../../src/delivery/channel-budget.ts';

test('a channel is closed to the bot for ten minutes, whatever runs there meanwhile', async () => {
  const clock = createFakeClock();
  const channels = createChannelBudgets({ clock });
  channels.join('channel', 'job');
  channels.of('channel').closeToBot();
  channels.leave('channel', 'job');
  await clock.advance(5 * MINUTE_MS);
  channels.join('channel', 'later job');
  await clock.advance(5 * MINUTE_MS - 1);
  expect(channels.of('channel').isClosedToBot()).toBe(true);
  await clock.advance(1);
  expect(channels.of('channel').isClosedToBot()).toBe(false);
});

test('a request is kept back for a picture however long its job runs', async () => {
  const clock = createFakeClock();
  const channels = createChannelBudgets({ clock });
  channels.join('channel', 'job');
  await clock.advance(60 * MINUTE_MS);
  for (let request = 0; request < 27; request += 1) channels.of('channel').spend('webhook');
  expect(channels.of('channel').waitMs('stage', 'webhook')).toBe(MINUTE_MS);
  channels.leave('channel', 'job');
  expect(channels.of('channel').waitMs('stage', 'webhook')).toBe(0);
});
