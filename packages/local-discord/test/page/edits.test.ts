import { describeInChromium } from '@darkroom/testing';
import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  LabelBuilder,
  type MessageActionRowComponentBuilder,
  ModalBuilder,
  SlashCommandBuilder,
  TextInputBuilder,
  TextInputStyle,
} from 'discord.js';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { CHANNEL, MODERATOR } from '../support/local-discord.ts';
import { openLocalDiscord } from '../support/open-local-discord.ts';

const button = (label: string) =>
  new ActionRowBuilder<MessageActionRowComponentBuilder>().addComponents(
    new ButtonBuilder().setLabel(label).setCustomId(label).setStyle(ButtonStyle.Secondary),
  );

const field = (background: string) =>
  sharp({ create: { width: 320, height: 240, channels: 3, background } })
    .png()
    .toBuffer();

/** Writes down what a screen reader is told, and in every frame how the picture looks. */
const WATCH = `
  window.told = [];
  window.frames = [];
  new MutationObserver(() => {
    const text = document.querySelector('html > [role=status]').textContent;
    if (text) window.told.push(text);
  }).observe(document.querySelector('html > [role=status]'), { childList: true });
  const look = () => {
    const picture = document.querySelector('.messages .photo img');
    if (picture?.naturalWidth) window.watching = true;
    if (window.watching) window.frames.push(picture ? picture.naturalWidth + 'x' + Math.round(picture.getBoundingClientRect().height) : 'none');
    requestAnimationFrame(look);
  };
  look();
`;

describeInChromium('edits on the chat page', (open) => {
  test('a picture that develops neither flickers nor jumps, and is announced when it is ready', async () => {
    const steps: (() => Promise<unknown>)[] = [];
    const world = await openLocalDiscord({ page: true });
    await world.register(new SlashCommandBuilder().setName('draw').setDescription('Draws').toJSON());
    const colours = await Promise.all(['#2a3b8a', '#5a3b5a', '#8a3b2a'].map(field));
    await world.serve(async (interaction) => {
      if (!interaction.isChatInputCommand()) return;
      await interaction.deferReply();
      const show = (content: string, name: string, colour: number, label: string) =>
        interaction.editReply({
          content,
          files: [{ attachment: colours[colour] ?? '', name }],
          attachments: [],
          components: [button(label)],
        });
      steps.push(
        () => show('Developing 30 %', 'preview-1.png', 0, 'Cancel'),
        () => show('Developing 60 %', 'preview-1.png', 1, 'Cancel'),
        () => show('Here', 'fox.png', 2, 'Again'),
      );
    });
    const { page, messages, startCommand } = await open(world.address.url);
    await page.route(/\/attachments\//, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 150));
      await route.continue();
    });
    await page.evaluate(WATCH);
    await startCommand('draw');
    await page.keyboard.press('Enter');
    await expect.poll(() => steps.length).toBe(3);
    const picture = messages.last().locator('.photo img');
    for (const [index, words] of ['30 %', '60 %', 'Here'].entries()) {
      const before = index > 0 ? await picture.getAttribute('src') : null;
      await steps[index]?.();
      await messages.last().getByText(words).waitFor();
      await expect.poll(() => picture.getAttribute('src')).not.toBe(before);
      await expect
        .poll(() => picture.evaluate((image: { naturalWidth?: number }) => image.naturalWidth))
        .toBe(320);
    }
    await messages.last().getByRole('button', { name: 'Again' }).waitFor();
    expect(new Set(await page.evaluate<string[]>('window.frames'))).toEqual(new Set(['320x240']));
    await expect
      .poll(() => page.evaluate('window.told'))
      .toEqual(['Testbot is thinking…', 'Testbot: Developing 30 %', 'Testbot: picture ready']);
  });
});

/** Writes down what changes on the page. */
const WATCH_CHANGES = `
  window.changed = new Set();
  new MutationObserver((records) => {
    for (const { target, type, attributeName } of records)
      window.changed.add([target.nodeName, type, attributeName].join(' '));
  }).observe(document, { attributes: true, childList: true, characterData: true, subtree: true });
`;

describeInChromium('a relative time on the chat page', (open) => {
  test('moves on alone, in a message and in an embed', async () => {
    const world = await openLocalDiscord({ page: true });
    await world.register(new SlashCommandBuilder().setName('when').setDescription('Says when').toJSON());
    const began = `<t:${Math.floor(Date.now() / 1_000)}:R>`;
    await world.serve(async (interaction) => {
      if (!interaction.isChatInputCommand()) return;
      await interaction.reply({ content: `Begun ${began}`, embeds: [{ description: `It began ${began}` }] });
    });
    const { page, composer, messages, startCommand } = await open(world.address.url);
    await page.clock.install();
    await page.reload();
    await composer.waitFor();
    await startCommand('when');
    await page.keyboard.press('Enter');
    await page.locator('html > [role=status]', { hasText: 'Testbot: Begun' }).waitFor();
    await page.evaluate(WATCH_CHANGES);
    await page.clock.fastForward(120_000);
    const times = messages.last().locator('time[data-relative]');
    await expect.poll(() => times.allTextContents()).toEqual(['2 minutes ago', '2 minutes ago']);
    expect(await page.evaluate<string[]>('[...window.changed]')).toEqual(['TIME childList ']);
  });
});

describeInChromium('what a screen reader is told', (open) => {
  test('is said inside a form or a picture that covers the page, and outside afterwards', async () => {
    const world = await openLocalDiscord({ page: true });
    await world.register(new SlashCommandBuilder().setName('ask').setDescription('Asks').toJSON());
    await world.serve(async (interaction) => {
      if (!interaction.isChatInputCommand()) return;
      const text = new TextInputBuilder().setCustomId('story').setStyle(TextInputStyle.Short);
      const label = new LabelBuilder().setLabel('Story').setTextInputComponent(text);
      await interaction.showModal(
        new ModalBuilder().setCustomId('form').setTitle('Tell more').addLabelComponents(label),
      );
    });
    const { page, startCommand } = await open(world.address.url);
    const moderator = world.discord.as(MODERATOR);
    const says = async (text: string, parent: string) => {
      await moderator.say(CHANNEL, text);
      await page.locator(`${parent} > [role=status]`, { hasText: `Moderator: ${text}` }).waitFor();
    };
    await says('On the page', 'html');
    await startCommand('ask');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Tell more' }).waitFor();
    await says('Beside a form', 'dialog.modal');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Tell more' }).waitFor({ state: 'hidden' });
    await says('On the page again', 'html');
    await moderator.say(CHANNEL, 'A picture', [{ name: 'fox.png', bytes: await field('#2a3b8a') }]);
    await page.locator('.messages button.photo').click();
    await says('Below a picture', 'dialog.lightbox');
  });
});
