import { MessageFlags, Routes, SnowflakeUtil } from 'discord.js';
import { expect, test } from 'vitest';
import { buttonRow } from '../../../../test/support/buttons.ts';
import type { UserClientEvent } from '../../src/user-client/shapes.ts';
import { BOT, CHANNEL, MEMBER, MODERATOR, refusalOf, sees } from '../support/local-discord.ts';
import { messageOf } from '../support/message-of.ts';
import { pingWorld } from '../support/ping-world.ts';

test('an ephemeral answer is seen by its reader only, and cannot be reached by the bot token', async () => {
  const world = await pingWorld();
  await world.serve(async (i) => {
    if (!i.isChatInputCommand()) return;
    await i.deferReply({ flags: MessageFlags.Ephemeral });
    await i.editReply('for you');
    await i.followUp('for all');
  });
  const member = world.discord.as(MEMBER);
  const others: UserClientEvent[] = [];
  world.discord.as(MODERATOR).subscribe((event) => others.push(event));
  await member.invoke(CHANNEL, 'ping');
  const secret = await sees(member, ({ content }) => content === 'for you');
  await sees(member, ({ content }) => content === 'for all');

  expect((secret.flags ?? 0) & MessageFlags.Ephemeral).toBe(MessageFlags.Ephemeral);
  expect(
    world.discord
      .as(MODERATOR)
      .messages(CHANNEL)
      .map(({ content }) => content),
  ).toEqual(['for all']);
  expect(JSON.stringify(others)).not.toContain('for you');
  expect(
    await refusalOf(world.rest.patch(Routes.channelMessage(CHANNEL, secret.id), { body: { content: 'x' } })),
  ).toMatchObject({ status: 404, code: 10008 });
  expect(await refusalOf(world.rest.get(Routes.channelMessage(CHANNEL, secret.id)))).toMatchObject({
    code: 10008,
  });
  member.dismiss(secret.id);
  expect(member.message(secret.id)).toBeUndefined();
});

test('an ephemeral answer that its reader dismisses is gone for them, and the bot can still edit it', async () => {
  const world = await pingWorld();
  await world.serve(async (i) => {
    if (i.isChatInputCommand()) await i.reply({ content: i.token, flags: MessageFlags.Ephemeral });
  });
  const member = world.discord.as(MEMBER);
  const answer = messageOf(await member.invoke(CHANNEL, 'ping'));
  const seen: UserClientEvent[] = [];
  member.subscribe((event) => seen.push(event));
  member.dismiss(answer.id);
  const body = { content: 'anew' };
  await world.rest.patch(Routes.webhookMessage(BOT, answer.content), { auth: false, body });
  expect(seen).toEqual([{ type: 'message-deleted', channelId: CHANNEL, messageId: answer.id }]);
  expect(member.message(answer.id)).toBeUndefined();
  expect(member.messages(CHANNEL)).toEqual([]);
});

test('a client that is opened anew has forgotten what only its reader saw', async () => {
  const world = await pingWorld();
  await world.serve(async (i) => {
    if (!i.isChatInputCommand()) return;
    await i.reply({ content: 'for you', flags: MessageFlags.Ephemeral });
    await i.followUp('for all');
  });
  const member = world.discord.as(MEMBER);
  await member.invoke(CHANNEL, 'ping');
  const { id } = await sees(member, ({ content }) => content === 'for all');
  const listed = (openedAt: number) => member.messages(CHANNEL, { openedAt }).map(({ content }) => content);
  expect(listed(0)).toEqual(['for you', 'for all']);
  expect(listed(SnowflakeUtil.timestampFrom(id) + 1)).toEqual(['for all']);
});

test('ephemerality is fixed by the first answer', async () => {
  const world = await pingWorld();
  await world.serve(async (i) => {
    if (!i.isChatInputCommand()) return;
    await i.deferReply();
    await world.rest.patch(Routes.webhookMessage(BOT, i.token), {
      auth: false,
      body: { content: 'still public', flags: MessageFlags.Ephemeral },
    });
  });
  await world.discord.as(MEMBER).invoke(CHANNEL, 'ping');
  await sees(world.discord.as(MODERATOR), ({ content }) => content === 'still public');
});

test('a button under an ephemeral answer changes that answer', async () => {
  const world = await pingWorld();
  await world.serve(async (i) => {
    if (i.isChatInputCommand()) {
      await i.reply({ content: 'sure?', flags: MessageFlags.Ephemeral, components: [buttonRow('yes')] });
    } else if (i.isButton()) {
      await i.deferUpdate();
      await i.editReply({ content: 'done', components: [] });
    }
  });
  const member = world.discord.as(MEMBER);
  const first = await member.invoke(CHANNEL, 'ping');
  await member.press(messageOf(first).id, 'yes');
  const changed = await sees(member, ({ content }) => content === 'done');
  expect((changed.flags ?? 0) & MessageFlags.Ephemeral).toBe(MessageFlags.Ephemeral);
  expect(world.discord.as(MODERATOR).messages(CHANNEL)).toEqual([]);
});
