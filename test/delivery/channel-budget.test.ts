import { MINUTE_MS } from '@darkroom/time';
import { createFakeClock } from '@darkroom/time/testing';
import { expect, test } from 'vitest';
import { createChannelBudgets } from '../../src/delivery/channel-budget.ts';

test('a channel is closed to the bot for ten minutes, whatever runs there meanwhile', async () => {
  const clock = createFakeClock();
  const channels = createChannelBudgets({ clock, part: () => 1 });
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
  const channels = createChannelBudgets({ clock, part: () => 1 });
  channels.join('channel', 'job');
  await clock.advance(60 * MINUTE_MS);
  for (let request = 0; request < 27; request += 1) channels.of('channel').spend('progress', 'webhook');
  expect(channels.of('channel').waitMs('stage', 'webhook')).toBe(MINUTE_MS);
  channels.leave('channel', 'job');
  expect(channels.of('channel').waitMs('stage', 'webhook')).toBe(0);
});

test('the bot shows twenty new stages a second by its own edits, however many channels wait', async () => {
  const clock = createFakeClock();
  const channels = createChannelBudgets({ clock, part: () => 1 });
  const edit = (channel: number) => channels.of(`channel ${channel}`);
  for (let channel = 0; channel < 20; channel += 1) {
    expect(edit(channel).waitMs('stage', 'bot')).toBe(0);
    edit(channel).spend('stage', 'bot');
  }
  expect(edit(20).waitMs('stage', 'bot')).toBe(1_000);
  expect(edit(20).waitMs('stage', 'webhook')).toBe(0);
  expect(edit(20).waitMs('outcome', 'bot')).toBe(0);
  await clock.advance(1_000);
  expect(edit(20).waitMs('stage', 'bot')).toBe(0);
});

test('a process shows its part of the new stages that the bot shows in a second', () => {
  const channels = createChannelBudgets({ clock: createFakeClock(), part: () => 0.1 });
  for (const channel of ['one', 'other']) channels.of(channel).spend('stage', 'bot');
  expect(channels.of('third').waitMs('stage', 'bot')).toBe(1_000);
});
