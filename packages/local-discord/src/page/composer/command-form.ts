import {
  type APIApplicationCommandBasicOption,
  ApplicationCommandType,
  ApplicationCommandOptionType as Option,
} from 'discord-api-types/v10';
import type { OptionInput } from '../../page-server/protocol.ts';
import type { VisibleCommand } from '../../user-client/user-client.ts';

/** A command or subcommand that can be run. */
export interface SlashCommand {
  /** `ping`, `feedback send`. */
  path: string;
  description: string;
  options: APIApplicationCommandBasicOption[];
  /** What the bot registered. */
  registration: VisibleCommand;
}

/** One option that the user is filling in. */
export interface OptionField {
  option: APIApplicationCommandBasicOption;
  text: string;
  /** The value, where it was picked from a list or is a file; `null` while `text` is typed. */
  picked: OptionInput | null;
}

/** A command that is being typed. */
export interface CommandForm {
  command: SlashCommand;
  fields: OptionField[];
}

export interface Choice {
  label: string;
  value: OptionInput;
}

const wordCount = ({ path }: SlashCommand): number => path.split(' ').length;

const known = new WeakMap<readonly VisibleCommand[], SlashCommand[]>();

/**
 * Every command and subcommand that can be run, described in the user's language: commands before subcommands, each in
 * alphabetical order.
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
export function fixedChoices(option: APIApplicationCommandBasicOption): Choice[] | null {
  if (option.type === Option.Boolean) {
    return [
      { label: 'True', value: true },
      { label: 'False', value: false },
    ];
  }
  if (!('choices' in option) || !option.choices?.length) return null;
  return option.choices.map((choice) => ({ label: nameOf(choice), value: choice.value }));
}

export const hasAutocomplete = (option: APIApplicationCommandBasicOption): boolean =>
  'autocomplete' in option && option.autocomplete === true;

/** A value that may be sent, or what Discord's client says about one that may not. `null` where nothing was given. */
export function readField(field: OptionField): { value: OptionInput | null } | { problem: string } {
  const { option, picked } = field;
  if (picked !== null) return { value: picked };
  const text = field.text.trim();
  if (text === '') {
    return option.required ? { problem: 'This option is required. Specify a value' } : { value: null };
  }
  const choices = fixedChoices(option);
  if (choices) {
    const choice = choices.find(({ label }) => label.toLowerCase() === text.toLowerCase());
    return choice ? { value: choice.value } : { problem: 'Pick one of the values in the list' };
  }
  switch (option.type) {
    case Option.String:
      return stringValue(option, text);
    case Option.Integer:
      return numberValue(option, /^-?\d+$/.test(text) ? Number(text) : Number.NaN, 'a whole number');
    case Option.Number:
      return numberValue(option, Number(text), 'a number');
    case Option.Attachment:
      return { problem: 'Choose a file' };
    default:
      return { problem: 'Pick somebody or something from the list' };
  }
}

function stringValue(
  { min_length: min = 0, max_length: max = 6_000 }: { min_length?: number; max_length?: number },
  text: string,
): { value: string } | { problem: string } {
  if (text.length < min) return { problem: `Must be ${min} or more in length` };
  const over = text.length - max;
  if (over > 0) {
    return { problem: `${over.toLocaleString('en')} ${over === 1 ? 'character' : 'characters'} too long` };
  }
  return { value: text };
}

function numberValue(
  { min_value: min, max_value: max }: { min_value?: number; max_value?: number },
  value: number,
  kind: string,
): { value: number } | { problem: string } {
  if (!Number.isFinite(value) || Math.abs(value) > 2 ** 53) return { problem: `Input ${kind}` };
  if (min !== undefined && value < min) return { problem: `Must be ${min} or more` };
  if (max !== undefined && value > max) return { problem: `Must be ${max} or less` };
  return { value };
}

/** Every value of the command, or the first option that is in the way. */
export function readFields(
  form: CommandForm,
): { values: Record<string, OptionInput> } | { problem: string; field: OptionField } {
  const values: Record<string, OptionInput> = {};
  for (const field of form.fields) {
    const read = readField(field);
    if ('problem' in read) return { ...read, field };
    if (read.value !== null) values[field.option.name] = read.value;
  }
  return { values };
}

/** The values that are fine so far, and as text the one that is being typed: what a bot gets for autocomplete. */
export function partialValues(form: CommandForm, focused: OptionField): Record<string, OptionInput> {
  const values: Record<string, OptionInput> = { [focused.option.name]: focused.text };
  for (const field of form.fields) {
    const read = readField(field);
    if (field !== focused && 'value' in read && read.value !== null) values[field.option.name] = read.value;
  }
  return values;
}
