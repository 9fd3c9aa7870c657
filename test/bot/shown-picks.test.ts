import { ChannelSelectMenuBuilder, ComponentType, type Interaction, SlashCommandBuilder } from 'discord.js';
import { expect, onTestFinished, test } from 'vitest';
import {
  CHANNEL,
  MEMBER,
  SECOND_CHANNEL,
  startLocalDiscord,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { shownAsPicked } from '../../src/bot/shown-picks.ts';

test('a menu showed nothing where the message that it comes from shows none', async () => {
  const { discord, register, serve, close } = await startLocalDiscord();
  onTestFinished(close);
  const shown: string[][] = [];
  await register(new SlashCommandBuilder().setName('menu').setDescription('Shows a menu').toJSON());
  const { errors } = await serve(async (interaction: Interaction) => {
    if (interaction.isChannelSelectMenu()) {
      shown.push(shownAsPicked(interaction));
      interaction.message.components.length = 0;
      shown.push(shownAsPicked(interaction));
      await interaction.deferUpdate();
    } else if (interaction.isChatInputCommand()) {
      const menu = new ChannelSelectMenuBuilder().setCustomId('menu').setDefaultChannels(CHANNEL);
      await interaction.reply({
        components: [{ type: ComponentType.ActionRow, components: [menu.toJSON()] }],
      });
    }
  });
  const member = discord.as(MEMBER);
  const message = messageOf(await member.invoke(CHANNEL, 'menu'));
  await member.select(message.id, 'menu', [SECOND_CHANNEL]);
  expect(errors).toEqual([]);
  expect(shown).toEqual([[CHANNEL], []]);
});
