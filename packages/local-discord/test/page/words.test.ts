import { describeInChromium } from '@darkroom/testing';
import { SlashCommandBuilder } from 'discord.js';
import { expect, test } from 'vitest';
import { de } from '../../src/page/words/de.ts';
import { en } from '../../src/page/words/en.ts';
import { wordsIn } from '../../src/page/words/words.ts';
import { sayRefusal } from '../../src/user-client/refusals.ts';
import { CHANNEL, GUILD, MEMBER, MODERATOR } from '../support/local-discord.ts';
import { openLocalDiscord } from '../support/open-local-discord.ts';

/** Every text of a catalogue, by its path; those with something filled in are left out. */
function textsOf(catalogue: object, path = ''): Map<string, string> {
  return new Map(
    Object.entries(catalogue).flatMap(([name, value]: [string, unknown]): [string, string][] => {
      if (typeof value === 'string') return [[`${path}${name}`, value]];
      return typeof value === 'object' && value !== null ? [...textsOf(value, `${path}${name}.`)] : [];
    }),
  );
}

/** What is read on the page, also by who does not see it. */
const READ = `[
  document.body.innerText,
  ...[...document.querySelectorAll('[aria-label], [title], [placeholder]')].flatMap((one) =>
    ['aria-label', 'title', 'placeholder'].map((name) => one.getAttribute(name) ?? '')),
].join('\\n')`;

/** Whether these words stand in a text, and are no part of others. */
const hasWords = (text: string, words: string): boolean =>
  new RegExp(`(?<!\\w)${words.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?!\\w)`, 'u').test(text);

test('each language of the page has every word, and says it in its own way', () => {
  const german = textsOf(de);
  expect([...german.keys()]).toEqual([...textsOf(en).keys()]);
  expect([...german.values()].every((text) => !text.includes('...'))).toBe(true);
  expect(wordsIn('de')).toBe(de);
  expect(wordsIn('en-GB')).toBe(en);
  expect(wordsIn('ja')).toBe(en);
});

test('a refusal fills in the same values in each language, with numbers as they are written there', () => {
  const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();
  const german = new Map(Object.entries(de.refusals));
  for (const [code, text] of Object.entries(en.refusals)) {
    expect(placeholders(german.get(code) ?? ''), code).toEqual(placeholders(text));
  }
  const tooLarge = { code: 'fileTooLarge', values: { limit: 10_485_760 } } as const;
  expect(sayRefusal(en.refusals, tooLarge, 'en')).toBe('Your file is too large: at most 10,485,760 bytes.');
  expect(sayRefusal(de.refusals, tooLarge, 'de')).toBe('Deine Datei ist zu groß: höchstens 10.485.760 Byte.');
});

describeInChromium('the words of the chat page', (open) => {
  test('are all in the language of the person', async () => {
    const world = await openLocalDiscord({ page: true });
    await world.register(
      new SlashCommandBuilder()
        .setName('draw')
        .setDescription('Zeichnet')
        .addStringOption((option) => option.setName('words').setDescription('Was').setRequired(true))
        .addBooleanOption((option) => option.setName('secret').setDescription('Geheim'))
        .toJSON(),
    );
    await world.serve(async (interaction) => {
      if (!interaction.isChatInputCommand()) return;
      const { options } = interaction;
      await interaction.reply({
        content: `${options.getString('words')} ${options.getBoolean('secret')}`,
        flags: 'Ephemeral',
      });
    });
    await world.discord.as(MODERATOR).say(CHANNEL, 'Guten Tag');
    world.discord.as(MEMBER).changeLocale('de');
    const { page, messages, startCommand, errors } = await open(world.address.url);
    const english = [...textsOf(en).entries()].filter(([path, text]) => {
      const other = textsOf(de).get(path) ?? '';
      return text.length > 3 && other !== text && !other.toLowerCase().includes(text.toLowerCase());
    });
    const expectGerman = async () => {
      const read: string = await page.evaluate(READ);
      expect(english.filter(([, text]) => hasWords(read, text))).toEqual([]);
    };
    await messages.getByText('Guten Tag').waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('de');
    await expectGerman();

    await startCommand('draw');
    await page.keyboard.press('Enter');
    await page.getByText(de.refusals.required).waitFor();
    await expectGerman();
    await page.keyboard.insertText('ein Fuchs secret:true');
    await page.keyboard.press('Enter');
    await messages.last().getByText('ein Fuchs true').waitFor();
    await messages.last().getByRole('button', { name: de.messages.dismiss }).waitFor();
    await messages.last().getByText('hat /draw verwendet').waitFor();
    await expectGerman();

    world.discord.world.blockWords(GUILD, ['verboten']);
    await page.locator('#composer-text').fill('verboten');
    await page.keyboard.press('Enter');
    await page.getByText(de.refusals.blocked).waitFor();
    await expectGerman();
    // The browser says so of every request that is refused.
    expect(errors.splice(0)).toEqual([expect.stringContaining('422')]);

    world.discord.as(MEMBER).changeLocale('en-US');
    await messages.last().getByRole('button', { name: en.messages.dismiss }).waitFor();
  });
});
