import { Routes } from 'discord.js';
import { expect, test } from 'vitest';
import type { UserClientEvent } from '../src/user-client/shapes.ts';
import {
  BOT,
  CHANNEL,
  GUILD,
  MEMBER,
  MODERATOR,
  OTHER_GUILD,
  OUTSIDER,
  PRIVATE_CHANNEL,
  SECOND_CHANNEL,
  STAFF_CHANNEL,
} from './support/local-discord.ts';
import { openLocalDiscord } from './support/open-local-discord.ts';

test('a person sees their servers and the channels that they may view', async () => {
  const world = await openLocalDiscord();
  const seen = (userId: string) =>
    world.discord
      .as(userId)
      .guilds()
      .map(({ id, channels }) => [id, channels.map((channel) => channel.id)]);
  expect(seen(MODERATOR)).toEqual([[GUILD, [CHANNEL, SECOND_CHANNEL, STAFF_CHANNEL]]]);
  expect(seen(MEMBER)).toMatchObject([
    [GUILD, [CHANNEL, SECOND_CHANNEL]],
    [OTHER_GUILD, [expect.any(String)]],
  ]);
  expect(() => world.discord.as(MEMBER).messages(STAFF_CHANNEL)).toThrow('There is no channel');
  expect(
    world.discord
      .as(MEMBER)
      .directMessages()
      .map(({ id }) => id),
  ).toEqual([PRIVATE_CHANNEL]);
  expect(() => world.discord.as(BOT)).toThrow();
});

test('a listener gets the events that its person sees, in order, and none after it unsubscribed', async () => {
  const world = await openLocalDiscord();
  const events: UserClientEvent[] = [];
  const unsubscribe = world.discord.as(MEMBER).subscribe((event) => events.push(event));
  await world.discord.as(MODERATOR).say(STAFF_CHANNEL, 'secret');
  const { id } = await world.discord.as(MODERATOR).say(CHANNEL, 'hello');
  world.discord.as(MODERATOR).deleteMessage(id);
  await world.register({ name: 'ping', description: 'd' });
  world.discord.world.addChannel(GUILD, { name: 'new' });
  unsubscribe();
  await world.discord.as(MODERATOR).say(CHANNEL, 'unheard');
  expect(events).toMatchObject([
    { type: 'message-created', message: { id, content: 'hello' } },
    { type: 'message-deleted', messageId: id, channelId: CHANNEL },
    { type: 'commands-changed' },
    { type: 'guilds-changed' },
  ]);
});

test('a listener that fails does not disturb the others', async () => {
  const world = await openLocalDiscord();
  const seen: string[] = [];
  world.discord.as(MEMBER).subscribe(() => {
    throw new Error('broken page');
  });
  world.discord.as(MEMBER).subscribe(({ type }) => seen.push(type));
  await world.discord.as(MEMBER).say(CHANNEL, 'x');
  expect(seen).toEqual(['message-created']);
});

test('people delete their own messages, and with Manage Messages those of others', async () => {
  const world = await openLocalDiscord();
  const member = world.discord.as(MEMBER);
  const moderator = world.discord.as(MODERATOR);
  const mine = await member.say(CHANNEL, 'mine');
  const theirs = await moderator.say(CHANNEL, 'theirs');
  expect(() => member.deleteMessage(theirs.id)).toThrow('may not');
  moderator.deleteMessage(mine.id);
  moderator.deleteMessage(theirs.id);
  expect(member.messages(CHANNEL)).toEqual([]);
});

test('messages come in pages, oldest first', async () => {
  const world = await openLocalDiscord();
  const member = world.discord.as(MEMBER);
  for (const n of [1, 2, 3, 4]) await member.say(CHANNEL, String(n));
  const contents = (page: object) => member.messages(CHANNEL, page).map(({ content }) => content);
  expect(contents({ limit: 2 })).toEqual(['3', '4']);
  expect(contents({ limit: 2, before: member.messages(CHANNEL)[2]?.id })).toEqual(['1', '2']);
});

test('waiting for a message ends with its signal', async () => {
  const world = await openLocalDiscord();
  const waiting = world.discord.as(MEMBER).waitForMessage(() => false, { signal: AbortSignal.timeout(20) });
  await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' });
});

test('what cannot be pressed is not sent', async () => {
  const world = await openLocalDiscord();
  const components = [
    { type: 1, components: [{ type: 2, style: 1, custom_id: 'a', label: 'a', disabled: true }] },
  ];
  const { id } = (await world.rest.post(Routes.channelMessages(CHANNEL), {
    body: { content: 'x', components },
  })) as { id: string };
  await expect(world.discord.as(MEMBER).press(id, 'a')).rejects.toMatchObject({ reason: 'forbidden' });
  await expect(world.discord.as(MEMBER).press(id, 'b')).rejects.toMatchObject({ reason: 'unknown' });
  await expect(world.discord.as(OUTSIDER).press('123456789012345678', 'a')).rejects.toMatchObject({
    reason: 'unknown',
  });
});

test('a button on a message of the bot itself works', async () => {
  const world = await openLocalDiscord();
  await world.serve(async (i) => i.isButton() && i.update({ content: 'pressed', components: [] }));
  const components = [{ type: 1, components: [{ type: 2, style: 1, custom_id: 'a', label: 'a' }] }];
  const { id } = (await world.rest.post(Routes.channelMessages(CHANNEL), {
    body: { content: 'x', components },
  })) as { id: string };
  expect(await world.discord.as(MEMBER).press(id, 'a')).toMatchObject({
    kind: 'update',
    message: { content: 'pressed' },
  });
});
