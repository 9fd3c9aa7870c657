import { Events, GatewayIntentBits as Intent, PermissionFlagsBits as P, Partials, Routes } from 'discord.js';
import { expect, test } from 'vitest';
import { BOT, CHANNEL, MEMBER, MODERATOR, refusalOf, type TestDiscord } from './support/local-discord.ts';
import { openLocalDiscord } from './support/open-local-discord.ts';

let world: TestDiscord;

const own = (id: string, emoji: string) =>
  Routes.channelMessageOwnReaction(CHANNEL, id, encodeURIComponent(emoji));
const usersOf = async (id: string, emoji: string) =>
  (
    (await world.rest.get(Routes.channelMessageReaction(CHANNEL, id, encodeURIComponent(emoji)))) as {
      id: string;
    }[]
  ).map((user) => user.id);

test('a bot reacts, lists who reacted, and takes its reaction back', async () => {
  world = await openLocalDiscord();
  const member = world.discord.as(MEMBER);
  const { id } = await member.say(CHANNEL, 'x');
  member.react(id, '👍');
  await world.rest.put(own(id, '👍'));
  await world.rest.put(own(id, '👍'));
  expect(await usersOf(id, '👍')).toEqual([MEMBER, BOT]);
  expect(await world.rest.get(Routes.channelMessage(CHANNEL, id))).toMatchObject({
    reactions: [{ emoji: { id: null, name: '👍' }, count: 2, me: true }],
  });
  await world.rest.delete(own(id, '👍'));
  expect(member.message(id)?.reactions).toMatchObject([{ count: 1, me: true }]);
  member.unreact(id, '👍');
  expect(member.message(id)?.reactions).toBeUndefined();
  expect(await usersOf(id, '👍')).toEqual([]);
});

test('reactions are told to bots and to people', async () => {
  world = await openLocalDiscord();
  const client = await world.login({
    intents: [Intent.Guilds, Intent.GuildMessageReactions],
    partials: [Partials.Message, Partials.Reaction, Partials.User],
    waitGuildTimeout: 1000,
  });
  const seen: string[] = [];
  client.on(Events.MessageReactionAdd, ({ emoji }, user) => seen.push(`${user.id} + ${emoji.name}`));
  client.on(Events.MessageReactionRemove, ({ emoji }, user) => seen.push(`${user.id} - ${emoji.name}`));
  const updates: unknown[] = [];
  world.discord.as(MODERATOR).subscribe((event) => {
    if (event.type === 'message-updated') updates.push(event.message.reactions);
  });
  const member = world.discord.as(MEMBER);
  const { id } = await member.say(CHANNEL, 'x');
  member.react(id, '❤️');
  member.unreact(id, '❤️');
  await expect.poll(() => seen).toEqual([`${MEMBER} + ❤️`, `${MEMBER} - ❤️`]);
  expect(updates).toMatchObject([[{ count: 1, me: false }], undefined]);
});

test('reactions have the rules of Discord', async () => {
  world = await openLocalDiscord();
  const member = world.discord.as(MEMBER);
  const { id } = await member.say(CHANNEL, 'x');
  member.react(id, '🎉');
  expect(await refusalOf(world.rest.put(own(id, 'nonsense')))).toMatchObject({ status: 400, code: 10014 });
  expect(() => member.react(id, '1')).toThrow('Unknown Emoji');
  const others = Routes.channelMessageUserReaction(CHANNEL, id, encodeURIComponent('🎉'), MEMBER);
  expect(await refusalOf(world.rest.delete(others))).toMatchObject({ code: 50013 });
  world.discord.world.setOverwrite(CHANNEL, { id: BOT, kind: 'member', allow: P.ManageMessages });
  await world.rest.delete(others);
  world.discord.world.deny(CHANNEL, BOT, P.AddReactions);
  expect(await refusalOf(world.rest.put(own(id, '🎉')))).toMatchObject({ code: 50013 });
  for (let n = 0; n < 20; n++) member.react(id, String.fromCodePoint(0x1f600 + n));
  expect(() => member.react(id, '🎉')).toThrow('Maximum number of reactions');
});
