import { describeInChromium } from '@darkroom/testing';
import {
  ApplicationCommandOptionType,
  LabelBuilder,
  ModalBuilder,
  TextInputBuilder,
  TextInputStyle,
} from 'discord.js';
import { expect, test } from 'vitest';
import type { PageOptions } from '../../src/page-server/page-source.ts';
import { CHANNEL, MEMBER, MODERATOR } from '../support/local-discord.ts';
import { openLocalDiscord } from '../support/open-local-discord.ts';

describeInChromium('what the chat page shows beside the chat', (open) => {
  async function openPage(page: true | PageOptions) {
    const world = await openLocalDiscord({ page });
    return { ...world, ...(await open(world.address.url)) };
  }

  test('without any option: everybody in the world, and the first command of a bot to try', async () => {
    const { page, register, composer } = await openPage(true);
    await register({ name: 'ping', description: 'Answers.' });
    await page.getByRole('radio', { name: 'Outsider' }).waitFor();
    await expect.poll(() => composer.getAttribute('placeholder')).toBe('Type /ping and press Enter');
    await page.getByRole('button', { name: 'Try /ping' }).click();
    await page.getByRole('group', { name: 'Command ping' }).waitFor();
    expect(await page.title()).toBe('Local Discord');
    expect(await page.locator('.panel').count()).toBe(0);
  });

  test('a panel of the host: a secret is masked until it is revealed, can be copied, and follows what happens', async () => {
    let credits = 500;
    const key = { label: 'Key', value: 'sk-0123456789', secret: true, copyable: true, hint: 'For `/link`.' };
    const { page, discord, screenshot } = await openPage({
      title: 'A test',
      panel: async () => ({
        title: 'Account',
        rows: [{ label: 'member', value: `**${credits}** credits` }, key],
        note: 'Of this test.',
      }),
    });
    await expect.poll(() => page.title()).toBe('A test');
    const panel = page.getByRole('region', { name: 'Account' });
    await panel.getByText('500 credits').waitFor();
    expect(await panel.textContent()).not.toContain(key.value);
    await panel.getByRole('button', { name: 'Copy key' }).click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(key.value);
    await panel.getByRole('button', { name: 'Show key' }).click();
    await panel.getByText(key.value).waitFor();
    await screenshot('panel');
    credits = 499;
    await discord.as(MEMBER).say(CHANNEL, 'hello');
    await panel.getByText('499 credits').waitFor();
  });

  test('what one person has revealed of the panel is masked for the next', async () => {
    const { page } = await openPage({
      panel: async (userId) => ({
        title: 'Account',
        rows: [{ label: 'Key', value: `sk-0123456789-${userId}`, secret: true }],
      }),
    });
    const panel = page.getByRole('region', { name: 'Account' });
    const ofUser = (userId: string) => panel.getByText(new RegExp(`${userId.slice(-4)}$`));
    await panel.getByRole('button', { name: 'Show key' }).click();
    await panel.getByText(`sk-0123456789-${MEMBER}`).waitFor();
    await page.getByRole('radio', { name: 'Moderator' }).check();
    await ofUser(MODERATOR).waitFor();
    expect(await panel.locator('code').textContent()).toContain('•');
  });

  test('examples fill their rows: none is alone beside an empty place', async () => {
    const { page, register } = await openPage({
      suggestedCommand: 'ping',
      examples: () => ['/ping first', '/ping second', '/ping third', '/ping'],
    });
    await register({ name: 'ping', description: 'Answers.' });
    const cards = page.getByRole('list').locator('.example');
    await cards.nth(3).waitFor();
    for (const width of [390, 1_280, 1_920]) {
      await page.setViewportSize({ width, height: 800 });
      const right = (box: { x: number; width: number } | null) =>
        Math.round((box?.x ?? 0) + (box?.width ?? 0));
      const list = right(await page.locator('.examples').boundingBox());
      expect(right(await cards.nth(3).boundingBox()), `${width} wide`).toBe(list);
    }
  });

  test('a double click on an example takes that one, though another stands there by then', async () => {
    const { page, register } = await openPage({ examples: () => ['/ping first', '/ping second'] });
    await register({
      name: 'ping',
      description: 'Answers.',
      options: [
        { type: ApplicationCommandOptionType.String, name: 'words', description: 'What', required: true },
      ],
    });
    const words = page.locator('.command textarea, .command input').first();
    await page.locator('.example', { hasText: 'first' }).dispatchEvent('click', { detail: 1 });
    await words.waitFor();
    await page.locator('.example', { hasText: 'second' }).dispatchEvent('click', { detail: 2 });
    await expect.poll(() => words.inputValue()).toBe('first');
  });

  test('a form that asks for a line has at hand what can be copied from the panel below it; another has not', async () => {
    const { page, register, serve, startCommand } = await openPage({
      panel: async () => ({
        title: 'Account',
        rows: [
          { label: 'member', value: '**500** credits' },
          { label: 'Token', value: 'lt-0123456789', secret: true, copyable: true },
        ],
      }),
    });
    await register(
      { name: 'link', description: 'Asks for a token.' },
      { name: 'report', description: 'Asks what is wrong.' },
    );
    await serve(async (interaction) => {
      if (!interaction.isChatInputCommand()) return;
      const [title, style] =
        interaction.commandName === 'link'
          ? ['Link', TextInputStyle.Short]
          : ['Report', TextInputStyle.Paragraph];
      const text = new TextInputBuilder().setCustomId('text').setStyle(style);
      const label = new LabelBuilder().setLabel('Text').setTextInputComponent(text);
      await interaction.showModal(
        new ModalBuilder().setCustomId('form').setTitle(title).addLabelComponents(label),
      );
    });
    await startCommand('link');
    await page.keyboard.press('Enter');
    const form = page.getByRole('dialog', { name: 'Link' });
    await form.getByText('Account').click();
    expect(await form.textContent()).not.toContain('credits');
    await form.getByRole('button', { name: 'Copy token' }).click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('lt-0123456789');
    await form.getByRole('textbox').focus();
    await page.keyboard.press('ControlOrMeta+v');
    expect(await form.getByRole('textbox').inputValue()).toBe('lt-0123456789');
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'hidden' });
    await startCommand('report');
    await page.keyboard.press('Enter');
    const report = page.getByRole('dialog', { name: 'Report' });
    await report.getByRole('textbox').waitFor();
    expect(await report.getByText('Account').count()).toBe(0);
  });
});
