import { ActionRowBuilder, ChannelSelectMenuBuilder, ChannelType, StringSelectMenuBuilder } from 'discord.js';
import { expect, test } from 'vitest';
import { buttonRow } from '../../../../test/support/buttons.ts';
import { CHANNEL, GUILD, MEMBER, MODERATOR, sees } from '../support/local-discord.ts';
import { messageOf } from '../support/message-of.ts';
import { pingWorld } from '../support/ping-world.ts';

test('a button changes its message, acknowledges, or answers with a new one', async () => {
  const world = await pingWorld();
  await world.serve(async (i) => {
    if (i.isChatInputCommand()) {
      await i.reply({
        content: 'choose',
        components: [buttonRow('change', 'later', 'new')],
      });
    } else if (i.isButton() && i.customId === 'change')
      await i.update({ content: 'changed', components: i.message.components });
    else if (i.isButton() && i.customId === 'later') {
      await i.deferUpdate();
      await i.editReply('changed later');
    } else if (i.isButton()) await i.reply('new');
  });
  const member = world.discord.as(MEMBER);
  const first = await member.invoke(CHANNEL, 'ping');
  const id = messageOf(first).id;
  expect(await member.press(id, 'change')).toMatchObject({
    kind: 'update',
    message: { id, content: 'changed' },
  });
  expect(await member.press(id, 'later')).toMatchObject({ kind: 'acknowledged' });
  await sees(member, (message) => message.id === id && message.content === 'changed later');
  expect(await world.discord.as(MODERATOR).press(id, 'new')).toMatchObject({
    kind: 'message',
    message: { content: 'new', message_reference: { message_id: id } },
  });
});

test('a select menu sends what was picked, and only what it offers', async () => {
  const world = await pingWorld();
  await world.serve(async (i) => {
    const menu = new StringSelectMenuBuilder()
      .setCustomId('size')
      .addOptions({ label: 'Small', value: 's' }, { label: 'Large', value: 'l' });
    if (i.isChatInputCommand()) {
      await i.reply({ components: [new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(menu)] });
    } else if (i.isStringSelectMenu()) await i.reply(`picked ${i.values.join()}`);
  });
  const member = world.discord.as(MEMBER);
  const first = await member.invoke(CHANNEL, 'ping');
  const id = messageOf(first).id;
  await expect(member.select(id, 'size', ['xl'])).rejects.toMatchObject({ reason: 'invalid' });
  await expect(member.select(id, 'size', ['s', 'l'])).rejects.toMatchObject({ reason: 'invalid' });
  expect(await member.select(id, 'size', ['l'])).toMatchObject({ message: { content: 'picked l' } });
});

test('who presses as soon as there is an answer is heard by what listens for it from then on', async () => {
  const world = await pingWorld();
  await world.serve(async (i) => {
    if (!i.isChatInputCommand()) return;
    const { resource } = await i.reply({ components: [buttonRow('yes')], withResponse: true });
    const pressed = await resource?.message?.awaitMessageComponent();
    await pressed?.update({ content: 'heard', components: [] });
  });
  const member = world.discord.as(MEMBER);
  for (const _ of Array.from({ length: 5 })) {
    const { id } = messageOf(await member.invoke(CHANNEL, 'ping'));
    expect(await member.press(id, 'yes')).toMatchObject({ message: { content: 'heard' } });
  }
});

test('a menu of channels offers those of its types, and so does an option', async () => {
  const world = await pingWorld({
    command: {
      options: [{ type: 7, name: 'place', description: 'Where.', channel_types: [ChannelType.GuildVoice] }],
    },
  });
  const voice = world.discord.world.addChannel(GUILD, { name: 'voice', type: ChannelType.GuildVoice });
  await world.serve(async (i) => {
    const menu = new ChannelSelectMenuBuilder().setCustomId('place').setChannelTypes(ChannelType.GuildVoice);
    if (i.isChatInputCommand()) {
      await i.reply({ components: [new ActionRowBuilder<ChannelSelectMenuBuilder>().addComponents(menu)] });
    } else if (i.isChannelSelectMenu()) await i.reply(`picked ${i.values.join()}`);
  });
  const member = world.discord.as(MEMBER);
  await expect(member.invoke(CHANNEL, 'ping', { place: CHANNEL })).rejects.toThrow(
    `There is no '${CHANNEL}'`,
  );
  const { id } = messageOf(await member.invoke(CHANNEL, 'ping', { place: voice }));
  await expect(member.select(id, 'place', [CHANNEL])).rejects.toThrow(`There is no '${CHANNEL}'`);
  expect(await member.select(id, 'place', [voice])).toMatchObject({
    message: { content: `picked ${voice}` },
  });
});
