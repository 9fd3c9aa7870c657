import { describeInChromium } from '@darkroom/testing';
import {
  ActionRowBuilder,
  ApplicationCommandType,
  Client,
  ContextMenuCommandBuilder,
  Events,
  ModalBuilder,
  SlashCommandBuilder,
  TextInputBuilder,
  TextInputStyle,
} from 'discord.js';
import { expect, onTestFinished, test } from 'vitest';
import { CHANNEL, GUILD, MODERATOR, smallWorld } from '../support/local-discord.ts';
import { openLocalDiscord } from '../support/open-local-discord.ts';

describeInChromium('applications on a message of the chat page', (open) => {
  /** A bot with one command for messages, which repeats them, and a message of the moderator. */
  async function openPage(options: Parameters<typeof open>[1] = {}) {
    const world = await openLocalDiscord({ page: true });
    await world.register(
      new ContextMenuCommandBuilder().setName('Say again').setType(ApplicationCommandType.Message).toJSON(),
      new ContextMenuCommandBuilder().setName('Count').setType(ApplicationCommandType.Message).toJSON(),
      new SlashCommandBuilder()
        .setName('draw')
        .setDescription('Draws')
        .addStringOption((option) => option.setName('words').setDescription('What').setRequired(true))
        .addAttachmentOption((option) => option.setName('graph').setDescription('A file'))
        .toJSON(),
    );
    await world.serve(async (interaction) => {
      if (interaction.isMessageContextMenuCommand())
        await interaction.reply(`${interaction.commandName}: ${interaction.targetMessage.content}`);
      if (interaction.isChatInputCommand())
        await interaction.reply(`Took ${interaction.options.getAttachment('graph')?.name}`);
    });
    const { id } = await world.discord.as(MODERATOR).say(CHANNEL, 'A word');
    const opened = await open(world.address.url, options);
    await opened.messages.first().waitFor();
    return { ...opened, id, world, menu: opened.page.getByRole('menu', { name: 'Apps' }) };
  }

  test('they open by the right mouse button, by keyboard from its button, and close with Escape', async () => {
    const { page, messages, menu, screenshot } = await openPage();
    await messages.first().click({ button: 'right' });
    await menu.getByRole('menuitem', { name: 'Count' }).waitFor();
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'hidden' });

    const button = messages.first().getByRole('button', { name: 'Apps for this message' });
    await button.focus();
    await page.keyboard.press('Enter');
    await menu.waitFor();
    await screenshot('apps');
    await page.keyboard.press('Escape');
    await expect.poll(() => button.evaluate((node) => node.matches(':focus'))).toBe(true);
    await page.keyboard.press('Enter');
    await expect
      .poll(() => menu.getByRole('menuitem', { name: 'Count' }).evaluate((item) => item.matches(':focus')))
      .toBe(true);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => messages.last().textContent()).toContain('Say again: A word');
    await expect.poll(() => messages.last().locator('.used').textContent()).toContain('used Say again');
  });

  test('a contrast theme, which has no backgrounds, outlines what is open, picked or has the focus', async () => {
    const { page, messages, menu, startCommand, screenshot } = await openPage({ forcedColors: 'active' });
    const outlines = (...selectors: string[]) =>
      page.evaluate(`${JSON.stringify(selectors)}.map((selector) =>
        [...document.querySelectorAll(selector)].map((element) => getComputedStyle(element).outlineStyle))`);
    expect(await outlines('.server.selected', '.channel', '.user')).toEqual([
      ['solid'],
      ['solid', 'none'],
      ['solid', 'none', 'none'],
    ]);
    await messages.first().getByRole('button', { name: 'Apps for this message' }).press('Enter');
    await menu.waitFor();
    expect(await outlines('.menu-item')).toEqual([['solid', 'none']]);
    await screenshot('contrast-menu');
    await page.keyboard.press('Escape');
    await startCommand('draw');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await page.locator('.suggestion[aria-selected=true]').waitFor();
    expect(await outlines('.option-field', '.suggestion', '.suggestions', '.composer-input')).toEqual([
      ['none'],
      ['solid'],
      ['solid'],
      ['solid'],
    ]);
    await page.keyboard.press('Enter');
    await screenshot('contrast-composer');
    await expect.poll(() => outlines('.option-field')).toEqual([['none', 'solid']]);
  });

  test('a long touch opens them, and a short one does not', async () => {
    const { page, messages, menu } = await openPage({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    });
    const touch = await page.context().newCDPSession(page);
    const box = await messages.first().boundingBox();
    const at = { x: (box?.x ?? 0) + 150, y: (box?.y ?? 0) + 30 };
    const begin = () => touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] });
    const end = () => touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await begin();
    await end();
    expect(await menu.isVisible()).toBe(false);
    await begin();
    await menu.waitFor();
    await end();
    await menu.getByRole('menuitem', { name: 'Say again' }).tap();
    await expect.poll(() => messages.last().textContent()).toContain('Say again: A word');
  });

  test('a command that a message names is put into the composer, and takes a file that is dropped', async () => {
    const { page, messages, world } = await openPage();
    const [command] = world.discord
      .as(MODERATOR)
      .commands(CHANNEL)
      .filter(({ name }) => name === 'draw');
    await world.discord.as(MODERATOR).say(CHANNEL, `Try </draw:${command?.id}> and </gone:${CHANNEL}>`);
    await messages.last().getByRole('button', { name: '/draw' }).click();
    await page.getByRole('textbox', { name: /^words/ }).waitFor();
    expect(await messages.last().getByRole('button', { name: '/gone' }).count()).toBe(0);
    await page.keyboard.type('a fox');
    const data = await page.evaluateHandle(`(() => {
      const data = new DataTransfer();
      data.items.add(new File(['{}'], 'graph.json', { type: 'application/json' }));
      return data;
    })()`);
    await page.dispatchEvent('form.composer-input', 'drop', { dataTransfer: data });
    await page.getByText('graph.json').waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => messages.last().textContent()).toContain('Took graph.json');
  });

  test('of two bots with a command of one name each has its own, and its form says whose it is', async () => {
    const other = '300000000000000002';
    const world = await openLocalDiscord({
      page: true,
      world: { ...smallWorld, applications: [...smallWorld.applications, { id: other, name: 'Otherbot' }] },
    });
    world.discord.world.addMember(GUILD, other);
    const ask = new SlashCommandBuilder().setName('ask').setDescription('Asks').toJSON();
    await world.register(ask);
    await world.serve(async (interaction) => interaction.isRepliable() && interaction.reply('Not me'));
    const { apiUrl: api, url: cdn } = world.address;
    const client = new Client({ intents: [], waitGuildTimeout: 0, rest: { api, cdn } });
    onTestFinished(() => client.destroy());
    client.on(Events.InteractionCreate, async (interaction) => {
      if (!interaction.isChatInputCommand()) return;
      const name = new TextInputBuilder().setCustomId('name').setLabel('Name').setStyle(TextInputStyle.Short);
      await interaction.showModal(
        new ModalBuilder()
          .setCustomId('form')
          .setTitle('Who are you?')
          .addComponents(new ActionRowBuilder<TextInputBuilder>().addComponents(name)),
      );
    });
    const ready = new Promise<Client<true>>((resolve) => client.once(Events.ClientReady, resolve));
    await client.login(world.discord.token(other));
    await (await ready).application.commands.set([ask]);

    const { page, composer } = await open(world.address.url);
    await composer.fill('/ask');
    await page.getByRole('option', { name: '/ask' }).filter({ hasText: 'Otherbot' }).click();
    await page.keyboard.press('Enter');
    const form = page.getByRole('dialog', { name: 'Who are you?' });
    await form.getByText('This form will be sent to Otherbot.').waitFor();
    await page.reload();
    await form.getByText('This form will be sent to Otherbot.').waitFor();
  });
});
