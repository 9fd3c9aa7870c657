import type { APIApplicationCommandBasicOption } from 'discord-api-types/v10';
import type { OptionInput } from '../../page-server/protocol.ts';
import { type CommandForm, isTyped, type OptionField, openField } from './command-form.ts';

/** The first of these options that `text` names, at the beginning of a word: `size` in `a fox size:9x9`. */
function namedIn(text: string, options: readonly APIApplicationCommandBasicOption[]) {
  for (const { 0: whole, 1: name, index } of text.matchAll(/(?<!\S)([^\s:]+):\s*/g)) {
    const option = options.find((one) => one.name === name?.toLowerCase());
    if (option)
      return { option, at: index, before: text.slice(0, index), behind: text.slice(index + whole.length) };
  }
  return undefined;
}

/** The same, where nothing stands before the name. */
function namedFirst(text: string, options: readonly APIApplicationCommandBasicOption[]) {
  const named = namedIn(text, options);
  return named?.before.trim() === '' ? named : undefined;
}

/** Options that can be typed and have no value. */
const emptyOptions = ({ command, fields }: CommandForm): APIApplicationCommandBasicOption[] =>
  command.options.filter(
    (option) => isTyped(option) && !fields.some((field) => field.option === option && field.text !== ''),
  );

/** The field of the option that `text` begins with: of `size` for `size:9x9`. */
export function openNamed(form: CommandForm, text: string): OptionField | undefined {
  const named = namedFirst(text, emptyOptions(form));
  return named && openField(form, named.option);
}

/**
 * Puts what was typed or pasted into an option. From where it names another one that is empty, it goes into that one:
 * `a fox size:9x9`. Returns the last field that something went into. `pick` finds the choice whose
 * label was typed behind a name.
 */
export function fill(
  form: CommandForm,
  field: OptionField,
  text: string,
  pick: (field: OptionField) => OptionInput | null,
): OptionField {
  const repeated = namedFirst(text, [field.option]);
  const value = repeated?.behind ?? text;
  const next = namedIn(
    value,
    emptyOptions(form).filter((option) => option !== field.option),
  );
  field.text = next ? next.before.trimEnd() : value;
  field.picked = repeated ? pick(field) : null;
  return next ? fill(form, openField(form, next.option), value.slice(next.at), pick) : field;
}
