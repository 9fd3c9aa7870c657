import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WrongSettings } from '@darkroom/process';
import { NOWHERE } from '@darkroom/testing';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { wordsIn } from '../../src/operator/words/words.ts';
import { WRONG_SETTINGS } from '../support/wrong-settings.ts';

function inGerman(settings: Readonly<Record<string, string>>): string {
  try {
    loadConfig(settings);
  } catch (error) {
    if (error instanceof WrongSettings) return wordsIn('de').said(error.message);
  }
  throw new Error('expected the settings to be wrong');
}

test.each(Object.entries(WRONG_SETTINGS))('what is wrong with %s is said in German', (name, value) => {
  const said = inGerman({ [name]: value });
  expect(said).toContain('Eine Einstellung ist falsch');
  expect(said).toContain(`  ${name}: `);
  expect(said).not.toMatch(/\b(expected|missing|not|with|and)\b/);
});

test('that an address has too much is said in German', () => {
  expect(inGerman({ IMAGE_API_URL: 'https://images.example.com/#api' })).toContain(
    'IMAGE_API_URL: erwartet: eine Adresse ohne das, was mit ? oder # beginnt',
  );
});

test('that a password ends an address too soon is said in German', () => {
  const STORE_URL = 'postgres://somebody:p#@127.0.0.1/x';
  expect(inGerman({ STORE_URL, SECRET_KEY: 'ab'.repeat(32) })).toContain(
    'STORE_URL: keine Adresse; schreib in ihrem Passwort %23 für #, %2F für /, %3F für ?, %40 für @ und %25 für %',
  );
});

test('what is missing for another setting is said in German', () => {
  const said = inGerman({
    STORE_URL: 'postgres://127.0.0.1/x',
    PICTURES_ENDPOINT: NOWHERE,
    HOSTED_MODEL: 'openai-compatible:sd',
  });
  expect(said).toContain('3 Einstellungen sind falsch');
  expect(said).not.toMatch(/\b(expected|missing|where|the)\b/);
});

/**
 * Whose sentences set-up and the doctor may show: what draws words, the databases, the secret, a start of the bot.
 */
const SPEAKERS = [
  ...['hosted', 'horde', 'servers', 'webui'].map((name) => `packages/image-service/src/engines/${name}`),
  ...['explain', 'run-prompt', 'server'].map(
    (name) => `packages/image-service/src/engines/comfyui/${name}.ts`,
  ),
  'packages/image-service/src/database/database.ts',
  'packages/image-service/src/files/place-proof.ts',
  'packages/image-service/src/ledger/expenses.ts',
  'packages/image-service/src/workflows/workflows.ts',
  ...['damaged', 'flush', 'key-file', 'postgres', 'transaction-pooler', 'vault-proof'].map(
    (name) => `packages/storage/src/${name}.ts`,
  ),
  'packages/process/src/port-error.ts',
  'src/bot/log-in.ts',
  'src/bot/no-discord.ts',
  ...['layout', 'unusable-store', 'store-lock'].map((name) => `src/storage/${name}.ts`),
  ...['installation', 'locks', 'shards'].map((name) => `src/shards/${name}.ts`),
];

const filesOf = (path: string): string[] =>
  path.endsWith('.ts') ? [path] : readdirSync(path).map((name) => join(path, name));

/** Of `store shards`, of graphs of one's own, and of what begins with a picture. */
const NOT_SHOWN =
  /^No bot has been started|runs no graphs|restarted while|alchemist|could not do this|with its background|picture of the AI Horde|address of a picture/;

/** The whole sentences that a file of code can say, with a number for what is put into them. */
function sentencesOf(code: string): string[] {
  const joined = code.replace(/^\s*(\*|\/\/|\/\*).*$/gm, '').replace(/(['`]) \+\n\s+['`]/g, '');
  return [...joined.matchAll(/'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g)]
    .map(([, plain, template = '']) => (plain ?? template).replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '7'))
    .filter((text) => /[a-z]{2}/.test(text))
    .filter((text) => /^[A-Z7]\S* \S+ .*([.:]( 7)?|Trying again; .*)$/.test(text) && !NOT_SHOWN.test(text));
}

const SENTENCES = [
  ...new Set(SPEAKERS.flatMap(filesOf).flatMap((file) => sentencesOf(readFileSync(file, 'utf8')))),
];

test('sentences are found in what is read for them', () => {
  expect(SENTENCES.length).toBeGreaterThan(30);
});

test.each(SENTENCES)('a German terminal shows no English: %s', (sentence) => {
  const said = wordsIn('de').said(sentence);
  expect(said).not.toBe(sentence);
  expect(said).not.toMatch(
    /\b(the|this|that|is|are|has|not|no|and|or|with|for|of|to|it|its|does|cannot|check|set|put|give)\b/i,
  );
});
