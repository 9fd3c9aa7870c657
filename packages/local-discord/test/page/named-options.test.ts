import {
  type APIApplicationCommandBasicOption,
  ApplicationCommandOptionType as Option,
} from 'discord-api-types/v10';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CommandForm, createForm, type SlashCommand } from '../../src/page/composer/command-form.ts';
import { fill, openNamed } from '../../src/page/composer/named-options.ts';

const text = (name: string, required = false): APIApplicationCommandBasicOption => ({
  type: Option.String,
  name,
  description: name,
  required,
});
const file: APIApplicationCommandBasicOption = {
  type: Option.Attachment,
  name: 'picture',
  description: 'A file',
};

/** `/draw`, with its one required option open. */
function drawing(): CommandForm {
  const options = [text('prompt', true), text('size'), text('steps'), file];
  // Nothing here looks at whose command it is.
  return createForm({ path: 'draw', description: 'Draw', options } as SlashCommand);
}

/** What each option has after this was typed into the first. */
function typed(line: string, form = drawing()): string[] {
  const [first] = form.fields;
  if (!first) throw new Error('no option is open');
  fill(form, first, line, () => null);
  return form.fields.map((field) => `${field.option.name}=${field.text}`);
}

test.each([
  ['a fox', ['prompt=a fox']],
  ['a fox ', ['prompt=a fox ']],
  ['prompt:a fox', ['prompt=a fox']],
  ['prompt: a fox size:9x9', ['prompt=a fox', 'size=9x9']],
  ['a fox size:9x9 steps: 12', ['prompt=a fox', 'size=9x9', 'steps=12']],
  ['a fox Steps:12 size:', ['prompt=a fox', 'steps=12', 'size=']],
  ['size:9x9', ['prompt=', 'size=9x9']],
  ['a fox size:9x9 size:8x8', ['prompt=a fox', 'size=9x9 size:8x8']],
  ['a fox prompt:a cat', ['prompt=a fox prompt:a cat']],
  ['capsize:9x9, 12:30, https://a.example', ['prompt=capsize:9x9, 12:30, https://a.example']],
  ['a fox picture:fox.png', ['prompt=a fox picture:fox.png']],
])('%j goes where it is named', (line, values) => {
  expect(typed(line)).toEqual(values);
});

test('an option that has a value keeps it, and one that is empty takes one', () => {
  const form = drawing();
  typed('a fox size: steps:4', form);
  expect(typed('a fox size:9x9 steps:5', form)).toEqual(['prompt=a fox', 'size=9x9 steps:5', 'steps=4']);
});

test('behind the last option, a name opens its option', () => {
  const form = drawing();
  expect(openNamed(form, 'size')).toBeUndefined();
  expect(openNamed(form, 'my size:')).toBeUndefined();
  expect(openNamed(form, ' size:')?.option.name).toBe('size');
  expect(form.fields.map(({ option }) => option.name)).toEqual(['prompt', 'size']);
});

test('of whatever is pasted, no word is lost', () => {
  const word = fc.constantFrom('prompt:', 'size:', 'steps:', 'picture:', 'a', 'fox', '9x9', ':');
  const words = (line: string) =>
    line
      .split(/\s+|(?<=:)/)
      .filter((part) => part !== '' && !part.endsWith(':'))
      .sort();
  fc.assert(
    fc.property(fc.array(word), (parts) => {
      const values = typed(parts.join(' ')).map((value) => value.slice(value.indexOf('=') + 1));
      expect(words(values.join(' '))).toEqual(words(parts.join(' ')));
    }),
  );
});
