import { describeInChromium } from '@darkroom/testing';
import { PermissionFlagsBits, SlashCommandBuilder } from 'discord.js';
import { expect, test } from 'vitest';
import { openLocalDiscord } from '../support/open-local-discord.ts';

const draw = new SlashCommandBuilder()
  .setName('draw')
  .setDescription('Draws')
  .setDescriptionLocalization('de', 'Zeichnet')
  .addStringOption((option) => option.setName('words').setDescription('What').setRequired(true))
  .addStringOption((option) =>
    option
      .setName('colour')
      .setDescription('Of what colour')
      .addChoices({ name: 'Red', value: 'red' }, { name: 'Blue', value: 'blue' }),
  )
  .addAttachmentOption((option) => option.setName('model').setDescription('To draw from'));
const about = new SlashCommandBuilder().setName('about').setDescription('Tells about itself');
const erase = new SlashCommandBuilder()
  .setName('erase')
  .setDescription('Erases all')
  .setDefaultMemberPermissions(PermissionFlagsBits.ManageGuild);

/** Files are read no sooner than `release` is called on the page. */
const HOLD_FILES = `(() => {
  const read = FileReader.prototype.readAsDataURL;
  const held = [];
  FileReader.prototype.readAsDataURL = function (file) { held.push(() => read.call(this, file)); };
  window.release = () => { for (const go of held.splice(0)) go(); };
})()`;

describeInChromium('the composer', (open) => {
  /** A bot with three commands, of which one is for moderators, and what it was asked for. */
  async function openPage() {
    const world = await openLocalDiscord({
      page: {
        suggestedCommand: 'draw',
        panel: async () => ({
          title: 'Account',
          rows: [{ label: 'Token', value: 'lt-0123456789', secret: true, copyable: true }],
        }),
      },
    });
    await world.register(draw.toJSON(), about.toJSON(), erase.toJSON());
    const asked: string[] = [];
    await world.serve(async (interaction) => {
      if (!interaction.isChatInputCommand()) return;
      const { options } = interaction;
      asked.push(
        [options.getString('words'), options.getString('colour'), options.getAttachment('model')?.name].join(
          ' ',
        ),
      );
      await interaction.reply('Drawn');
    });
    const opened = await open(world.address.url);
    const field = (name: string) => opened.page.getByRole('textbox', { name: new RegExp(`^${name}:`) });
    const behind = opened.page.getByRole('combobox', { name: /more options?$/ });
    return { ...opened, asked, field, behind };
  }

  test.each(['Enter', 'Tab'])(
    '%s picks what the arrow keys have highlighted, and sends nothing',
    async (key) => {
      const { page, startCommand, asked, field, behind, messages } = await openPage();
      await startCommand('draw');
      await page.keyboard.type('a fox');
      await page.keyboard.press('Tab');
      await behind.waitFor();
      expect(await page.locator('.suggestion[aria-selected=true]').count()).toBe(0);
      await page.keyboard.press('ArrowDown');
      await page.getByRole('option', { name: 'colour', selected: true }).waitFor();
      await page.keyboard.press(key);
      await field('colour').waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press(key);
      await expect.poll(() => field('colour').inputValue()).toBe('Blue');
      expect(asked).toEqual([]);
      await page.keyboard.press('Enter');
      await messages.last().getByText('Drawn').waitFor();
      expect(asked).toEqual(['a fox blue ']);
    },
  );

  test('the Enter that ends a composition of Japanese sends nothing, in Safari either', async () => {
    const { page, startCommand, asked, messages } = await openPage();
    await startCommand('draw');
    await page.keyboard.type('狐');
    // As in Safari, where it comes after `compositionend`, so that `isComposing` is false.
    await page.evaluate(`document.activeElement.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true }),
    )`);
    await page.keyboard.type('と雪');
    await page.keyboard.press('Enter');
    await messages.last().getByText('Drawn').waitFor();
    expect(asked).toEqual(['狐と雪  ']);
  });

  test('a long command is pasted whole, and a message that is too long stays, with the reason', async () => {
    const { page, composer, asked, messages, errors } = await openPage();
    const words = 'a fox '.repeat(400).trim();
    await composer.focus();
    await page.keyboard.insertText(`/draw ${words}`);
    await page.keyboard.press('Enter');
    await messages.last().getByText('Drawn').waitFor();
    expect(asked).toEqual([`${words}  `]);
    await page.keyboard.insertText('x'.repeat(2_001));
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Too long by 1: at most 2,000 characters.').waitFor();
    expect(await composer.inputValue()).toHaveLength(2_001);
    // The browser says so of every request that is refused.
    expect(errors.splice(0)).toEqual([expect.stringContaining('422')]);
  });

  test('a browser that does not fit a field to its text shows a long one in several lines', async () => {
    const { page, composer, startCommand, field } = await openPage();
    await startCommand('draw');
    const sizeOf = (control: typeof composer) =>
      control.evaluate((area: { clientHeight: number; scrollHeight: number }) => [
        area.clientHeight,
        area.scrollHeight,
      ]);
    const size = () => sizeOf(field('words'));
    await page.keyboard.insertText('a fox ');
    const [line = 0] = await size();
    // One that does needs no estimate of how long a line is.
    await field('words').fill('i'.repeat(70));
    await expect.poll(size).toEqual([line, line]);
    await field('words').fill('a fox in the snow '.repeat(8));
    await page.evaluate(`{
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('.composer textarea { field-sizing: fixed }');
      document.adoptedStyleSheets = [sheet];
    }`);
    await expect.poll(size).toEqual([expect.toSatisfy((height) => height > 2 * line), expect.anything()]);
    await field('words').fill('a fox');
    await expect.poll(size).toEqual([line, line]);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await composer.fill('a fox in the snow '.repeat(8));
    await expect
      .poll(() => sizeOf(composer))
      .toEqual([expect.toSatisfy((height) => height > 2 * line), expect.anything()]);
  });

  test('the list stands below the head of the chat, however long the text is', async () => {
    const { page, startCommand, behind } = await openPage();
    await page.setViewportSize({ width: 390, height: 500 });
    await startCommand('draw');
    await page.keyboard.insertText('a fox '.repeat(100));
    await page.keyboard.press('Tab');
    await behind.waitFor();
    const [head, list] = [page.locator('.chat-head'), page.locator('.suggestions')];
    await list.waitFor();
    const { y = 0, height = 0 } = (await head.boundingBox()) ?? {};
    expect((await list.boundingBox())?.y).toBeGreaterThanOrEqual(y + height);
  });

  test('Escape closes the list alone, and the next one cancels what can be had back', async () => {
    const { page, composer, startCommand, field, behind } = await openPage();
    await startCommand('draw');
    await page.keyboard.type('a fox');
    await page.keyboard.press('Tab');
    const list = page.getByRole('listbox');
    await list.waitFor();
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'hidden' });
    expect(await field('words').inputValue()).toBe('a fox');
    await page.keyboard.press('Escape');
    await page.getByText('/draw was cancelled.').waitFor();
    await composer.waitFor();
    await page.keyboard.press('ArrowUp');
    await behind.waitFor();
    expect(await field('words').inputValue()).toBe('a fox');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Bring it back' }).click();
    expect(await field('words').inputValue()).toBe('a fox');
  });

  test('a command that was cancelled is not offered any more once a message was sent', async () => {
    const { page, composer, startCommand, messages } = await openPage();
    await startCommand('draw');
    await page.keyboard.type('a fox');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('/draw was cancelled.').waitFor();
    await composer.fill('hello');
    await page.keyboard.press('Enter');
    await messages.last().getByText('hello').waitFor();
    expect(await page.getByText('/draw was cancelled.').count()).toBe(0);
  });

  test('a file that was chosen goes along, however soon Enter is pressed', async () => {
    const { page, startCommand, asked, behind, messages } = await openPage();
    await page.evaluate(HOLD_FILES);
    await startCommand('draw');
    await page.keyboard.type('a fox');
    await behind.focus();
    await page.getByRole('option', { name: /^model/ }).click();
    await page.locator('.command .file-input').setInputFiles({
      name: 'fox.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('a fox'),
    });
    await behind.press('Enter');
    await behind.press('Enter');
    await page.evaluate('release()');
    await messages.last().getByText('Drawn').waitFor();
    expect(asked).toEqual(['a fox  fox.txt']);
  });

  test('what is typed on a button goes to the composer, and a space presses the button', async () => {
    const { page, composer } = await openPage();
    await page.getByRole('button', { name: 'Show token' }).focus();
    await page.keyboard.press('Space');
    await page.getByText('lt-0123456789').waitFor();
    await page.keyboard.type('/dr');
    expect(await composer.inputValue()).toBe('/dr');
    await page.getByRole('option', { name: '/draw' }).waitFor();
  });

  test('the suggested command is first, and one that needs a right is there for who has it', async () => {
    const { page, switchUser } = await openPage();
    const paths = () => page.locator('.suggestion-label strong').allTextContents();
    await page.keyboard.type('/');
    await expect.poll(paths).toEqual(['/draw', '/about']);
    await switchUser('Moderator');
    await expect.poll(paths).toEqual([]);
    await page.keyboard.type('/');
    await expect.poll(paths).toEqual(['/draw', '/about', '/erase']);
  });

  test('the languages to choose from are those that the bot speaks', async () => {
    const { page } = await openPage();
    const language = page.getByLabel('Language').getByRole('option');
    await expect.poll(() => language.allTextContents()).toEqual(['Deutsch', 'US English']);
  });
});
