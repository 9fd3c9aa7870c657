import { createDeferred, describeInChromium, type Visit } from '@darkroom/testing';
import {
  LabelBuilder,
  ModalBuilder,
  SlashCommandBuilder,
  TextInputBuilder,
  TextInputStyle,
} from 'discord.js';
import { expect, test } from 'vitest';
import { CHANNEL, MEMBER, MODERATOR, SECOND_CHANNEL } from '../support/local-discord.ts';
import { openLocalDiscord } from '../support/open-local-discord.ts';

const form = () =>
  new ModalBuilder()
    .setCustomId('form')
    .setTitle('Tell more')
    .addLabelComponents(
      new LabelBuilder()
        .setLabel('Story')
        .setTextInputComponent(new TextInputBuilder().setCustomId('story').setStyle(TextInputStyle.Short)),
    );

/** Tells the page that its tab is hidden, or seen again. */
const show = (page: Visit['page'], state: 'hidden' | 'visible') =>
  page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${state}' });
    document.dispatchEvent(new Event('visibilitychange'));
  `);

describeInChromium('several tabs of the chat page', (open) => {
  async function openPage() {
    const world = await openLocalDiscord({ page: true });
    await world.register(
      new SlashCommandBuilder().setName('form').setDescription('Opens a form').toJSON(),
      new SlashCommandBuilder().setName('locale').setDescription('Says the language').toJSON(),
    );
    await world.serve(async (interaction) => {
      if (interaction.isChatInputCommand()) {
        if (interaction.commandName === 'form') await interaction.showModal(form());
        else await interaction.reply(`${interaction.locale} <t:1767261600:D>`);
      }
      if (interaction.isModalSubmit()) await interaction.reply(interaction.fields.getTextInputValue('story'));
    });
    const opened = await open(world.address.url);
    const second = await opened.page.context().newPage();
    await second.goto(world.address.url);
    await second.locator('#composer-text').waitFor();
    return { ...opened, second, discord: world.discord };
  }

  test('a form opens in the tab that asked for it, and there again after a reload', async () => {
    const { page, second, startCommand, messages } = await openPage();
    await startCommand('form');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Tell more' });
    await dialog.waitFor();
    expect(await second.getByRole('dialog', { name: 'Tell more' }).count()).toBe(0);
    await page.reload();
    await dialog.getByLabel('Story').fill('From the first tab');
    await page.keyboard.press('Enter');
    await messages.last().getByText('From the first tab').waitFor();
    await second.locator('discord-message').getByText('From the first tab').waitFor();
  });

  test('a form that is sent twice at once is sent once', async () => {
    const { page, startCommand, messages } = await openPage();
    await startCommand('form');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Tell more' });
    await dialog.getByLabel('Story').fill('Only once');
    let sent = 0;
    page.on('request', (request) => {
      if (request.postData()?.includes('submit-modal')) sent += 1;
    });
    await dialog.locator('form').evaluate((form: { requestSubmit(): void }) => {
      form.requestSubmit();
      form.requestSubmit();
    });
    await messages.last().getByText('Only once').waitFor();
    expect(sent).toBe(1);
  });

  /** A form that was closed while it was sent; it fails once `end` is called. Another one is open. */
  async function openAfterClosed() {
    const opened = await openPage();
    const { page, startCommand } = opened;
    const end = createDeferred<void>();
    const dialog = page.getByRole('dialog', { name: 'Tell more' });
    let submits = 0;
    await page.route(/actions$/, async (route) => {
      if (!route.request().postData()?.includes('submit-modal') || ++submits > 1) return route.continue();
      await end.promise;
      return route.abort();
    });
    await startCommand('form');
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Story').fill('The first');
    await page.keyboard.press('Enter');
    await dialog.locator('[aria-busy=true]').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await startCommand('form');
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Story').fill('The second');
    return { ...opened, dialog, end: () => end.resolve() };
  }

  test('a form can be sent while one that was closed still is', async () => {
    const { page, messages, end } = await openAfterClosed();
    await page.keyboard.press('Enter');
    await messages.last().getByText('The second').waitFor();
    end();
  });

  test('what fails of a form that was closed is not said in the next one', async () => {
    const { page, dialog, end } = await openAfterClosed();
    const failed = page.waitForEvent('requestfailed');
    end();
    await failed;
    await page.evaluate('new Promise(requestAnimationFrame)');
    expect(await dialog.getByRole('alert').count()).toBe(0);
  });

  test('a form that takes the place of another one has nothing of it', async () => {
    const { page, startCommand } = await openPage();
    const first = createDeferred<void>();
    let invoked = 0;
    await page.route(/actions$/, async (route) => {
      if (route.request().postData()?.includes('"invoke"') && ++invoked === 1) await first.promise;
      return route.continue();
    });
    for (let nth = 1; nth <= 2; nth++) {
      await startCommand('form');
      await page.keyboard.press('Enter');
    }
    const story = page.getByRole('dialog', { name: 'Tell more' }).getByLabel('Story');
    await story.fill('The second');
    first.resolve();
    await expect.poll(() => story.inputValue()).toBe('');
  });

  test('each tab is somebody of its own, and stays so', async () => {
    const { page, second } = await openPage();
    await second.getByRole('radio', { name: 'Moderator' }).check();
    await second.getByRole('radio', { name: 'Moderator', checked: true }).waitFor();
    expect(new URL(second.url()).search).toBe('?as=moderator');
    await Promise.all([page.reload(), second.reload()]);
    await page.getByRole('radio', { name: 'Member', checked: true }).waitFor();
    await second.getByRole('radio', { name: 'Moderator', checked: true }).waitFor();
  });

  test('what came elsewhere is marked until it is seen, and stronger where it calls the user', async () => {
    const { page, discord } = await openPage();
    const moderator = discord.as(MODERATOR);
    const second = page.locator('.channel', { hasText: 'second' });
    const said = await moderator.say(SECOND_CHANNEL, 'A word');
    await expect.poll(() => second.getAttribute('class')).toContain('unread');
    expect(await second.locator('.calls').count()).toBe(0);
    await moderator.edit(said.id, `A word to <@${MEMBER}>`);
    await moderator.say(SECOND_CHANNEL, `Come, <@${MEMBER}>`);
    await expect.poll(() => second.locator('.calls').allTextContents()).toEqual(['1']);
    await expect.poll(() => page.title()).toMatch(/^\(1\) /);
    await page.reload();
    await expect.poll(() => second.locator('.calls').allTextContents()).not.toEqual([]);
    await second.click();
    await page.locator('discord-message[highlight]', { hasText: 'Come' }).waitFor();
    await expect.poll(() => second.locator('.calls').count()).toBe(0);
    await expect.poll(() => page.title()).not.toMatch(/^\(/);
  });

  test('what came while the tab was hidden is unread until somebody looks', async () => {
    const { page, discord, messages } = await openPage();
    await show(page, 'hidden');
    await discord.as(MODERATOR).say(CHANNEL, `Look, <@${MEMBER}>`);
    await messages.getByText('Look').waitFor();
    await expect.poll(() => page.title()).toMatch(/^\(1\) /);
    await show(page, 'visible');
    await expect.poll(() => page.title()).not.toMatch(/^\(/);
  });

  test('with five tabs one that is hidden for a minute lets go of its connection, and catches up when it is seen', async () => {
    const { page, composer, discord, messages } = await openPage();
    await page.clock.install();
    await page.reload();
    await composer.waitFor();
    const moderator = discord.as(MODERATOR);
    await show(page, 'hidden');
    await page.clock.fastForward(60_000);
    await moderator.say(CHANNEL, 'After a minute');
    await messages.getByText('After a minute').waitFor();
    // As four more tabs do.
    await page.evaluate(`
      for (let more = 0; more < 4; more += 1)
        void navigator.locks.request('tab', { mode: 'shared' }, () => new Promise(() => undefined));
    `);
    const closed = page.waitForEvent('requestfailed', (request) => request.url().includes('/events'));
    await page.clock.fastForward(60_000);
    await closed;
    await moderator.say(CHANNEL, 'Later');
    await moderator.say(SECOND_CHANNEL, `Come, <@${MEMBER}>`);
    await show(page, 'visible');
    await messages.getByText('Later').waitFor();
    await expect.poll(() => page.title()).toMatch(/^\(1\) /);
    await moderator.say(CHANNEL, 'Now');
    await messages.getByText('Now').waitFor();
    expect(await messages.getByText('Later').count()).toBe(1);
  });

  test('a language that is chosen goes to the bot, and dates are written in it', async () => {
    const { page, messages, startCommand, discord } = await openPage();
    const run = async () => {
      await startCommand('locale');
      await page.keyboard.press('Enter');
    };
    await run();
    await messages.last().getByText('en-US January 1, 2026').waitFor();
    await page.getByLabel('Language').selectOption({ label: 'Deutsch' });
    await expect.poll(() => discord.as(MEMBER).locale).toBe('de');
    await messages.last().getByText('1. Januar 2026').waitFor();
    await run();
    await messages.last().getByText('de 1. Januar 2026').waitFor();
  });

  test('a theme that is chosen stays, and else the page follows the system', async () => {
    const { page } = await openPage();
    const background = () =>
      page.evaluate("getComputedStyle(document.querySelector('.chat')).backgroundColor");
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(background).toBe('rgb(255, 255, 255)');
    await page.getByLabel('Theme').selectOption('dark');
    await expect.poll(background).toBe('rgb(49, 51, 56)');
    await page.reload();
    await expect.poll(background).toBe('rgb(49, 51, 56)');
  });
});
