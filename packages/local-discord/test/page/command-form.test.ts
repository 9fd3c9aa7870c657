import { type APIApplicationCommandBasicOption, ApplicationCommandOptionType } from 'discord-api-types/v10';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readField } from '../../src/page/composer/command-form.ts';
import { en } from '../../src/page/words/en.ts';

const integer: APIApplicationCommandBasicOption = {
  type: ApplicationCommandOptionType.Integer,
  name: 'steps',
  description: 'Steps',
  min_value: 1,
  max_value: 50,
};
const text: APIApplicationCommandBasicOption = {
  type: ApplicationCommandOptionType.String,
  name: 'prompt',
  description: 'Prompt',
  required: true,
  max_length: 20,
};
const read = (option: APIApplicationCommandBasicOption, typed: string) =>
  readField({ option, text: typed, picked: null }, en.composer);

test('every whole number in the range is taken as a number, and every other one is refused', () => {
  fc.assert(
    fc.property(fc.integer({ min: -200, max: 200 }), (value) => {
      const answer = read(integer, ` ${value} `);
      if (value >= 1 && value <= 50) expect(answer).toEqual({ value });
      else expect(answer).toHaveProperty('refusal');
    }),
  );
});

test('what is not a whole number is never sent as one', () => {
  fc.assert(
    fc.property(
      fc.string().filter((typed) => typed.trim() !== '' && !/^-?\d+$/.test(typed.trim())),
      (typed) => {
        expect(read(integer, typed)).toHaveProperty('refusal');
      },
    ),
  );
});

test('a required text is asked for, an optional value may be left out, and a long text is refused', () => {
  expect(read(text, '  ')).toHaveProperty('refusal.code', 'required');
  expect(read(integer, '')).toEqual({ value: null });
  expect(read(text, 'x'.repeat(21))).toEqual({
    refusal: { code: 'tooLong', values: { over: 1, max: 20 } },
  });
  expect(read(text, 'a red fox')).toEqual({ value: 'a red fox' });
});
