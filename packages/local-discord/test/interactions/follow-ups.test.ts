import { Routes } from 'discord.js';
import { expect, test } from 'vitest';
import { BOT, CHANNEL, MEMBER, PRIVATE_CHANNEL, refusalOf, sees } from '../support/local-discord.ts';
import { pingWorld } from '../support/ping-world.ts';

test('follow-ups answer the first message; they and it can be read, edited and deleted', async () => {
  const world = await pingWorld();
  const { errors } = await world.serve(async (i) => {
    if (!i.isChatInputCommand()) return;
    await i.reply('one');
    const two = await i.followUp('two');
    expect(two.reference?.messageId).toBe((await i.fetchReply()).id);
    await two.edit('two, edited').catch(() => i.editReply({ message: two.id, content: 'two, edited' }));
    await i.deleteReply();
  });
  const member = world.discord.as(MEMBER);
  await member.invoke(CHANNEL, 'ping');
  await expect.poll(() => member.messages(CHANNEL).map(({ content }) => content)).toEqual(['two, edited']);
  expect(errors).toEqual([]);
});

test('a follow-up right after a deferral fills the loading message', async () => {
  const world = await pingWorld();
  await world.serve(async (i) => {
    if (!i.isChatInputCommand()) return;
    await i.deferReply();
    await i.followUp('filled');
  });
  const member = world.discord.as(MEMBER);
  await member.invoke(CHANNEL, 'ping');
  await expect
    .poll(() => member.messages(CHANNEL).map(({ content, flags }) => [content, flags]))
    .toEqual([['filled', 0]]);
});

test('an app that is only installed to the user has 5 follow-ups, the sixth is 40094', async () => {
  const world = await pingWorld({ command: { integration_types: [1], contexts: [2] } });
  world.discord.world.setInstalled(MEMBER, BOT, true);
  const codes: unknown[] = [];
  const { errors } = await world.serve(async (i) => {
    if (!i.isChatInputCommand()) return;
    expect(i.authorizingIntegrationOwners[1]).toBe(MEMBER);
    await i.reply('one');
    for (let n = 1; n <= 5; n++) await i.followUp(String(n));
    codes.push(await refusalOf(i.followUp('6')));
  });
  await world.discord.as(MEMBER).invoke(PRIVATE_CHANNEL, 'ping');
  await expect.poll(() => [...errors, ...codes]).toMatchObject([{ status: 400, code: 40094 }]);
});

test('two edits at once both count: one with a file, one with the text', async () => {
  const world = await pingWorld();
  const { errors } = await world.serve(async (i) => {
    if (!i.isChatInputCommand()) return;
    await i.reply('before');
    const route = Routes.webhookMessage(BOT, i.token);
    await Promise.all([
      world.rest.patch(route, { auth: false, body: {}, files: [{ name: 'a.txt', data: 'a' }] }),
      world.rest.patch(route, { auth: false, body: { content: 'after' } }),
    ]);
  });
  const member = world.discord.as(MEMBER);
  await member.invoke(CHANNEL, 'ping');
  await sees(member, ({ content, attachments }) => content === 'after' && attachments.length === 1);
  expect(errors).toEqual([]);
});
