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
    if (error instanceof WrongSettings) return wordsIn('de').wrongSettings(error);
  }
  throw new Error('expected the settings to be wrong');
}

test.each(Object.entries(WRONG_SETTINGS))('what is wrong with %s is said in German', (name, value) => {
  const said = inGerman({ [name]: value });
  expect(said).toContain('Eine Einstellung ist falsch');
  expect(said).toContain(`  ${name}: `);
  expect(said).not.toMatch(/\b(expected|missing|not|with|and)\b/);
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
