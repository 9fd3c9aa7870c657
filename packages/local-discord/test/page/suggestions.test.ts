import { createDeferred, describeInChromium } from '@darkroom/testing';
import { SlashCommandBuilder } from 'discord.js';
import { expect, test } from 'vitest';
import { de } from '../../src/page/words/de.ts';
import { MEMBER, worldWhere } from '../support/local-discord.ts';
import { openLocalDiscord } from '../support/open-local-discord.ts';

const SIZES = ['square', 'portrait', 'landscape', ...Array.from({ length: 40 }, (_, n) => `size-${n + 1}`)];

describeInChromium('suggestions on the chat page', (open) => {
  /** A bot with `/draw size`, which suggests sizes once `ready`. */
  async function openPage(ready: Promise<unknown> = Promise.resolve(), locale = 'en-US') {
    const asked: string[] = [];
    const world = await openLocalDiscord({ page: true, world: worldWhere(MEMBER, locale) });
    await world.register(
      new SlashCommandBuilder()
        .setName('draw')
        .setDescription('Draws')
        .setDescriptionLocalization('de', 'Zeichnet')
        .addStringOption((option) =>
          option
            .setName('size')
            .setDescription('How large')
            .setDescriptionLocalization('de', 'Wie groß')
            .setRequired(true)
            .setAutocomplete(true),
        )
        .toJSON(),
    );
    await world.serve(async (interaction) => {
      if (interaction.isAutocomplete()) {
        const typed = interaction.options.getFocused();
        asked.push(typed);
        await ready;
        const found = SIZES.filter((size) => size.includes(typed)).slice(0, 25);
        await interaction.respond(found.map((size) => ({ name: `${size}!`, value: size })));
      }
      if (interaction.isChatInputCommand())
        await interaction.reply(`Size ${interaction.options.getString('size')}`);
    });
    const opened = await open(world.address.url);
    await opened.startCommand('draw');
    return { ...opened, asked, size: opened.page.getByRole('textbox', { name: /^size/ }) };
  }

  test('Enter takes the first one, and what is beyond 25 is found by typing', async () => {
    const { page, messages, size } = await openPage();
    await page.getByText('Type to find others').waitFor();
    expect(await page.locator('.suggestion').count()).toBe(25);
    await page.keyboard.type('size-40');
    await page.getByRole('option', { name: 'size-40!' }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => size.inputValue()).toBe('size-40!');
    await page.keyboard.press('Enter');
    await expect.poll(() => messages.last().textContent()).toContain('Size size-40');
  });

  test('slow ones do not take away what is typed: Enter sends it', async () => {
    const { promise, resolve } = createDeferred<void>();
    const { page, messages, asked, size } = await openPage(promise);
    await page.keyboard.type('por');
    await expect.poll(() => asked.includes('por')).toBe(true);
    await page.keyboard.type('celain');
    resolve();
    await expect.poll(() => asked.includes('porcelain')).toBe(true);
    expect(await size.inputValue()).toBe('porcelain');
    await page.keyboard.press('Enter');
    await expect.poll(() => messages.last().textContent()).toContain('Size porcelain');
  });

  test('commands and options are described in the language of the user', async () => {
    const { page, size } = await openPage(Promise.resolve(), 'de');
    expect(await size.getAttribute('aria-label')).toBe(`size: Wie groß (${de.composer.required})`);
    const suggested = page.locator('.suggestion');
    await suggested.first().waitFor();
    // The first closes the list, the second takes the command back.
    await page.keyboard.press('Escape');
    await expect.poll(() => suggested.count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.keyboard.type('/');
    await page.getByRole('option', { name: 'Zeichnet' }).waitFor();
  });
});
