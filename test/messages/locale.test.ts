import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { en } from '../../src/messages/locale/en.ts';
import { textsFor } from '../../src/messages/locale/texts.ts';

const FOLDER = new URL('../../src/messages/locale/', import.meta.url);
const LANGUAGES = readdirSync(FOLDER).flatMap((name) =>
  name === 'texts.ts' || !name.endsWith('.ts') ? [] : [name.replace('.ts', '')],
);

/** Every path of a catalogue and what stands there: text, or a function of so many values. */
function shapeOf({ commands: _, ...catalogue }: { commands?: unknown }, path = ''): string[] {
  return Object.entries(catalogue).flatMap(([key, value]: [string, unknown]) => {
    if (typeof value === 'object' && value !== null) return shapeOf(value, `${path}${key}.`);
    return [`${path}${key}: ${typeof value === 'function' ? `${value.length} values` : typeof value}`];
  });
}

test.each(LANGUAGES)('the catalogue %s has the shape of every other, and is used', async (language) => {
  const module: Record<string, object> = await import(new URL(`${language}.ts`, FOLDER).href);
  const [catalogue = {}] = Object.values(module);
  expect(shapeOf(catalogue).toSorted()).toEqual(shapeOf(en).toSorted());
  expect(textsFor(language)).toEqual(catalogue);
});

test.each(LANGUAGES)('the forms of %s are within what Discord shows', (language) => {
  const { linkForm, generateForm, revokeForm } = textsFor(language).apiKey;
  for (const { title, label, description } of [linkForm, generateForm, revokeForm]) {
    expect(title.length).toBeLessThanOrEqual(45);
    expect(label.length).toBeLessThanOrEqual(45);
    expect(description.length).toBeLessThanOrEqual(100);
  }
});

test.each(LANGUAGES)('few credits and their limit are written alike in %s', (language) => {
  const { lowCredits } = textsFor(language).apiKey;
  for (const credits of [9.97, 9.98])
    expect(lowCredits(9.97, 9.98)).toContain(new Intl.NumberFormat(language).format(credits));
});

test('no text is empty', () => {
  const texts = shapeOf(en).map((line) => line.split(': ')[0]?.split('.') ?? []);
  for (const path of texts) {
    const value = path.reduce<unknown>((node, key) => Object(node)[key], en);
    if (typeof value === 'string') expect(value.trim()).not.toBe('');
  }
});

test('a region reads its language, and an unknown language English', () => {
  expect(textsFor('en-GB')).toBe(en);
  expect(textsFor('xx')).toBe(en);
  expect(textsFor('')).toBe(en);
  expect(textsFor('constructor')).toBe(en);
});
