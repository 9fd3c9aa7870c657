import type { APIMessage } from 'discord-api-types/v10';
import { expect, test } from 'vitest';
import { ALL_ABILITIES } from '../../packages/image-service/src/engines/engine.ts';
import { instantEngine } from '../../packages/image-service/test/support/engines.ts';
import { isEphemeral } from '../../packages/local-discord/src/page/message-flags.ts';
import { CHANNEL, MODERATOR } from '../../packages/local-discord/test/support/local-discord.ts';
import { en } from '../../src/messages/locale/en.ts';
import { type BotWorld, botWorld } from '../support/bot.ts';
import { buttonOf } from '../support/buttons.ts';
import { fillIn, run, settled } from '../support/ephemeral-reply.ts';
import { eraseAll } from '../support/erase.ts';
import { linkLostKey } from '../support/lost-key.ts';

/** The picture that everybody in the channel sees. */
const pictureIn = async ({ as }: BotWorld): Promise<APIMessage | undefined> =>
  as(MODERATOR)
    .messages(CHANNEL)
    .find(({ attachments }) => attachments.length > 0);

test('a first prompt goes on by itself, for everybody to see, once a key is linked', async () => {
  const world = await botWorld({ operatorKey: null });
  const { member, service } = world;
  const refused = await run(member, 'imagine', { prompt: 'a red fox', size: '64x64' });
  expect(refused.content).toBe(`${en.firstKey.needed} ${en.firstKey.goesOn}`);
  const opened = await member.press(refused.id, buttonOf(refused, 'Link a key'));
  const mistyped = await settled(await fillIn(member, opened, 'sk-123'), member);
  const again = await member.press(mistyped.id, buttonOf(mistyped, 'Link a key'));
  const linked = await settled(await fillIn(member, again, service.key), member);
  expect(linked.content).toContain('is linked and pays for your pictures');
  await expect.poll(() => pictureIn(world)).toBeDefined();
  const picture = await pictureIn(world);
  expect(picture?.embeds[0]?.description).toBe('a red fox');
  expect(await service.balance()).toBe(99);
});

test('a question that is asked once a key is linked says what came of it, like any other', async () => {
  const world = await botWorld({ operatorKey: null });
  const { member, service } = world;
  const refused = await run(member, 'imagine', { prompt: 'a red fox', size: '64x64', count: 2 });
  const opened = await member.press(refused.id, buttonOf(refused, 'Link a key'));
  const linked = await settled(await fillIn(member, opened, service.key), member);
  const question = await world.reads(en.question.pictures(2));
  await member.press(question.id, buttonOf(question, en.confirm.make));
  await expect.poll(() => pictureIn(world)).toBeDefined();
  await expect.poll(() => member.message(question.id)?.components).toEqual([]);
  expect(member.message(linked.id)?.content).toBe(linked.content);
});

test('a prompt that went on already is not made again where another key is linked by its button', async () => {
  const world = await botWorld({ operatorKey: null });
  const { member, service } = world;
  const refused = await run(member, 'imagine', { prompt: 'a red fox', size: '64x64' });
  const link = async () => {
    const opened = await member.press(refused.id, buttonOf(refused, 'Link a key'));
    await settled(await fillIn(member, opened, service.key), member);
  };
  await link();
  await expect.poll(() => pictureIn(world)).toBeDefined();
  const picture = await pictureIn(world);
  await link();
  await world.reads(`/${picture?.id}`);
  expect(await service.balance()).toBe(99);
});

test('a prompt goes on by itself once a key is linked in place of one that is not accepted any more', async () => {
  const world = await botWorld({ operatorKey: null });
  const { member, service } = world;
  await linkLostKey(world);
  const refused = await run(member, 'imagine', { prompt: 'a red fox', size: '64x64' });
  expect(refused.content).toBe(`${en.failure.reasons.unauthorized.member} ${en.firstKey.goesOn}`);
  const anew = await member.press(refused.id, buttonOf(refused, 'Link a key'));
  await settled(await fillIn(member, anew, service.key), member);
  await expect.poll(() => pictureIn(world)).toBeDefined();
});

test('a first prompt goes on by itself once a key is created, privately where it was private', async () => {
  const world = await botWorld({ operatorKey: null });
  const { member, service } = world;
  const refused = await run(member, 'imagine', { prompt: 'a red fox', size: '64x64', private: true });
  const opened = await member.press(refused.id, buttonOf(refused, 'Create a key'));
  const linked = await settled(await fillIn(member, opened, service.loginToken), member);
  expect(linked.content).toContain('is linked and pays for your pictures');
  const picture = () => member.messages(CHANNEL).find(({ attachments }) => attachments.length > 0);
  await expect.poll(picture).toBeDefined();
  expect(picture() && isEphemeral(picture() as APIMessage)).toBe(true);
  expect(await pictureIn(world)).toBeUndefined();
});

test.each([
  ['once a key is linked', async () => {}],
  ['though the service refused another key just before', linkLostKey],
])('what is private goes to strangers only after a question that says so, %s', async (_, begin) => {
  const engine = { ...instantEngine(), abilities: () => ({ ...ALL_ABILITIES, seenByStrangers: true }) };
  const world = await botWorld({ operatorKey: null, service: { engine } });
  const { member, service } = world;
  await begin(world);
  const refused = await run(member, 'imagine', { prompt: 'a red fox', size: '64x64', private: true });
  const opened = await member.press(refused.id, buttonOf(refused, 'Link a key'));
  await settled(await fillIn(member, opened, service.key), member);
  const question = await world.reads(en.question.seen);
  expect(await service.balance()).toBe(100);
  await member.press(question.id, buttonOf(question, en.confirm.make));
  await expect.poll(() => service.balance()).toBe(99);
});

test('a login token that was typed for a key leads to the form that takes it', async () => {
  const world = await botWorld({ operatorKey: null });
  const { member, service } = world;
  const refused = await run(member, 'imagine', { prompt: 'a red fox', size: '64x64' });
  const opened = await member.press(refused.id, buttonOf(refused, 'Link a key'));
  const mistaken = await settled(await fillIn(member, opened, service.loginToken), member);
  const other = await member.press(mistaken.id, buttonOf(mistaken, 'Create a key'));
  await settled(await fillIn(member, other, service.loginToken), member);
  await expect.poll(() => pictureIn(world)).toBeDefined();
});

test('who links a key once what they typed is gone is told so', async () => {
  const world = await botWorld({ operatorKey: null });
  const { member, service } = world;
  const refused = await run(member, 'imagine', { prompt: 'a red fox', size: '64x64' });
  await eraseAll(member);
  const opened = await member.press(refused.id, buttonOf(refused, 'Link a key'));
  await settled(await fillIn(member, opened, service.key), member);
  await world.reads(en.typed.draftGone);
});

test('what goes on after a restart is delivered to the message that it began', async () => {
  const world = await botWorld({ operatorKey: null });
  const { member, service } = world;
  const refused = await run(member, 'imagine', { prompt: 'a red fox', size: '64x64' });
  await world.restartBot();
  const opened = await member.press(refused.id, buttonOf(refused, 'Link a key'));
  await settled(await fillIn(member, opened, service.key), member);
  await expect.poll(() => pictureIn(world)).toBeDefined();
  const messages = world.as(MODERATOR).messages(CHANNEL);
  expect(messages.filter(({ author }) => author.bot)).toHaveLength(1);
});
