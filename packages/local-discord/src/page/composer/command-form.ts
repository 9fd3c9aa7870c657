import {
  type APIApplicationCommandBasicOption,
  ApplicationCommandType,
  ApplicationCommandOptionType as Option,
} from 'discord-api-types/v10';
import type { OptionInput } from '../../page-server/protocol.ts';
import { numberRefusal, optionTextRefusal } from '../../user-client/input-checks.ts';
import type { Refusal } from '../../user-client/refusals.ts';
import type { VisibleCommand } from '../../user-client/shapes.ts';
import type { ChosenFile } from '../chosen-file.ts';
import type { Words } from '../words/en.ts';

/** A command or subcommand that can be run. */
export interface SlashCommand {
  /** `ping`, `feedback send`. */
  path: string;
  description: string;
  options: APIApplicationCommandBasicOption[];
  registration: VisibleCommand;
}

/** What a command is sent as: applications may have commands of one name, and one has them here and everywhere. */
export const sentAs = ({ path, registration }: SlashCommand): string => path.replace(/^\S+/, registration.id);

export interface OptionField {
  option: APIApplicationCommandBasicOption;
  text: string;
  /** The value, where it was picked from a list or is a file; `null` while `text` is typed. */
  picked: OptionInput | null;
  file?: ChosenFile | null;
  /** Ends when the file that was chosen is read, or cannot be. */
  reading?: Promise<void>;
}

export interface CommandForm {
  command: SlashCommand;
  fields: OptionField[];
}

export interface Choice {
  label: string;
  value: OptionInput;
}

type ComposerWords = Words['composer'];

const wordCount = ({ path }: SlashCommand): number => path.split(' ').length;

const known = new WeakMap<readonly VisibleCommand[], SlashCommand[]>();

/**
 * Every command and subcommand that can be run, described in the user's language: commands before subcommands, each
 * in alphabetical order.
 */
export function slashCommands(commands: readonly VisibleCommand[]): SlashCommand[] {
  const found = known.get(commands) ?? flattenAll(commands);
  known.set(commands, found);
  return found;
}

function flattenAll(commands: readonly VisibleCommand[]): SlashCommand[] {
  return commands
    .filter(({ type }) => type === ApplicationCommandType.ChatInput)
    .flatMap((command) => flatten(command, command.name, command.options ?? [], descriptionOf(command)))
    .sort((a, b) => wordCount(a) - wordCount(b) || a.path.localeCompare(b.path));
}

const nameOf = (choice: { name: string; name_localized?: string }) => choice.name_localized ?? choice.name;
const descriptionOf = (described: { description: string; description_localized?: string }) =>
  described.description_localized ?? described.description;

/** The option with its description in the user's language; its name stays, because it is typed and sent. */
const localized = (option: APIApplicationCommandBasicOption): APIApplicationCommandBasicOption => ({
  ...option,
  description: descriptionOf(option),
});

type AnyOption = NonNullable<VisibleCommand['options']>[number];

function flatten(
  registration: VisibleCommand,
  path: string,
  options: readonly AnyOption[],
  description: string,
): SlashCommand[] {
  const basic: APIApplicationCommandBasicOption[] = [];
  const subcommands: SlashCommand[] = [];
  for (const option of options) {
    if (option.type === Option.Subcommand || option.type === Option.SubcommandGroup) {
      subcommands.push(
        ...flatten(registration, `${path} ${option.name}`, option.options ?? [], descriptionOf(option)),
      );
    } else basic.push(localized(option));
  }
  return subcommands.length > 0 ? subcommands : [{ path, description, options: basic, registration }];
}

/** Those that begin with what was typed, then those that contain it. */
export function searchCommands(commands: readonly SlashCommand[], typed: string): SlashCommand[] {
  const query = typed.toLowerCase();
  const prefixed = commands.filter(({ path }) => path.startsWith(query));
  return [
    ...prefixed,
    ...commands.filter((command) => !prefixed.includes(command) && command.path.includes(query)),
  ];
}

const emptyField = (option: APIApplicationCommandBasicOption): OptionField => ({
  option,
  text: '',
  picked: null,
});

export function createForm(command: SlashCommand): CommandForm {
  return { command, fields: command.options.filter(({ required }) => required).map(emptyField) };
}

export function unusedOptions({ command, fields }: CommandForm): APIApplicationCommandBasicOption[] {
  return command.options.filter((option) => fields.every((field) => field.option !== option));
}

/** The field of an option, added to the form where it is not there yet. */
export function openField(form: CommandForm, option: APIApplicationCommandBasicOption): OptionField {
  const existing = form.fields.find((field) => field.option === option);
  if (existing) return existing;
  const field = emptyField(option);
  form.fields = [...form.fields, field];
  return field;
}

/** The choices that the command defines for an option; `null` where anything may be typed. */
export function fixedChoices(
  option: APIApplicationCommandBasicOption,
  { yes, no }: ComposerWords,
): Choice[] | null {
  if (option.type === Option.Boolean) {
    return [
      { label: yes, value: true },
      { label: no, value: false },
    ];
  }
  if (!('choices' in option) || !option.choices?.length) return null;
  return option.choices.map((choice) => ({ label: nameOf(choice), value: choice.value }));
}

/** The choice that was typed in full: its label, or its value as it is written in every language. */
export const typedChoice = (choices: readonly Choice[], text: string): Choice | undefined =>
  choices.find(({ label, value }) =>
    [label, String(value)].some((name) => name.toLowerCase() === text.trim().toLowerCase()),
  );

export const hasAutocomplete = (option: APIApplicationCommandBasicOption): boolean =>
  'autocomplete' in option && option.autocomplete === true;

/** A value that may be sent, or why it may not. `null` where nothing was given. */
export function readField(
  field: OptionField,
  words: ComposerWords,
): { value: OptionInput | null } | { refusal: Refusal } {
  const { option, picked } = field;
  if (picked !== null) return { value: picked };
  const text = field.text.trim();
  if (text === '') {
    return option.required ? { refusal: { code: 'required', values: {} } } : { value: null };
  }
  const choices = fixedChoices(option, words);
  if (choices) {
    const choice = typedChoice(choices, text);
    return choice ? { value: choice.value } : { refusal: { code: 'oneOfChoices', values: {} } };
  }
  switch (option.type) {
    case Option.String: {
      const refusal = optionTextRefusal(option, text);
      return refusal ? { refusal } : { value: text };
    }
    case Option.Integer:
    case Option.Number: {
      const isTyped = option.type === Option.Number || /^-?\d+$/.test(text);
      const value = isTyped ? Number(text) : Number.NaN;
      const refusal = numberRefusal(option, value);
      return refusal ? { refusal } : { value };
    }
    case Option.Attachment:
      return { refusal: { code: 'file', values: {} } };
    default:
      return { refusal: { code: 'unknown', values: { name: text } } };
  }
}

/** Whether its value is words: a file is picked. */
export const isTyped = ({ type }: APIApplicationCommandBasicOption): boolean => type !== Option.Attachment;

/** Every value of the command, or the first option that is in the way. */
export function readFields(
  form: CommandForm,
  words: ComposerWords,
): { values: Record<string, OptionInput> } | { refusal: Refusal; field: OptionField } {
  const values: Record<string, OptionInput> = {};
  for (const field of form.fields) {
    const read = readField(field, words);
    if ('refusal' in read) return { ...read, field };
    if (read.value !== null) values[field.option.name] = read.value;
  }
  return { values };
}

/** The values that are fine so far, and as text the one that is being typed: what a bot gets for autocomplete. */
export function partialValues(
  form: CommandForm,
  focused: OptionField,
  words: ComposerWords,
): Record<string, OptionInput> {
  const values: Record<string, OptionInput> = { [focused.option.name]: focused.text };
  for (const field of form.fields) {
    const read = readField(field, words);
    if (field !== focused && 'value' in read && read.value !== null) values[field.option.name] = read.value;
  }
  return values;
}
