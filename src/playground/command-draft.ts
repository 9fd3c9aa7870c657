import {
  type APIApplicationCommandBasicOption,
  ApplicationCommandType,
  ApplicationCommandOptionType as Option,
} from 'discord-api-types/v10';
import type { VisibleCommand } from '../local-discord/hand/hand.ts';
import type { WireOptionValue } from './wire.ts';

/** A slash command as it is typed: a subcommand is one of its own. */
export interface Leaf {
  /** `imagine`, `apikey link`. */
  path: string;
  description: string;
  options: APIApplicationCommandBasicOption[];
  command: VisibleCommand;
}

/** One option that the person is filling in. */
export interface Pill {
  option: APIApplicationCommandBasicOption;
  text: string;
  /** What stands behind the text, where it was picked from a list or is a file. */
  picked: WireOptionValue | null;
}

/** A command that is being typed. */
export interface Draft {
  leaf: Leaf;
  pills: Pill[];
}

export interface Choice {
  label: string;
  value: WireOptionValue;
}

const words = ({ path }: Leaf): number => path.split(' ').length;

/** Plain commands before subcommands, each by the alphabet. */
export function leavesOf(commands: readonly VisibleCommand[]): Leaf[] {
  return commands
    .filter(({ type }) => type === ApplicationCommandType.ChatInput)
    .flatMap((command) => descend(command, command.name, command.options ?? [], command.description))
    .sort((a, b) => words(a) - words(b) || a.path.localeCompare(b.path));
}

type AnyOption = NonNullable<VisibleCommand['options']>[number];

function descend(
  command: VisibleCommand,
  path: string,
  options: readonly AnyOption[],
  description: string,
): Leaf[] {
  const basic: APIApplicationCommandBasicOption[] = [];
  const below: Leaf[] = [];
  for (const option of options) {
    if (option.type === Option.Subcommand || option.type === Option.SubcommandGroup) {
      below.push(...descend(command, `${path} ${option.name}`, option.options ?? [], option.description));
    } else basic.push(option);
  }
  return below.length > 0 ? below : [{ path, description, options: basic, command }];
}

/** Best first: those that begin with what was typed, then those that contain it. */
export function matching(leaves: readonly Leaf[], typed: string): Leaf[] {
  const wanted = typed.toLowerCase();
  const begins = leaves.filter(({ path }) => path.startsWith(wanted));
  return [...begins, ...leaves.filter((leaf) => !begins.includes(leaf) && leaf.path.includes(wanted))];
}

const pillFor = (option: APIApplicationCommandBasicOption): Pill => ({ option, text: '', picked: null });

export function startDraft(leaf: Leaf): Draft {
  return { leaf, pills: leaf.options.filter(({ required }) => required).map(pillFor) };
}

export function unusedOptions({ leaf, pills }: Draft): APIApplicationCommandBasicOption[] {
  return leaf.options.filter((option) => pills.every((pill) => pill.option !== option));
}

/** The place of an option in the command, made where it has none yet. */
export function openPill(draft: Draft, option: APIApplicationCommandBasicOption): Pill {
  const there = draft.pills.find((pill) => pill.option === option);
  if (there) return there;
  const pill = pillFor(option);
  draft.pills = [...draft.pills, pill];
  return pill;
}

/** What a list offers for an option whose values the command itself fixes; `null` where anything may be typed. */
export function fixedChoices(option: APIApplicationCommandBasicOption): Choice[] | null {
  if (option.type === Option.Boolean) {
    return [
      { label: 'True', value: true },
      { label: 'False', value: false },
    ];
  }
  if (!('choices' in option) || !option.choices?.length) return null;
  return option.choices.map(({ name, value }) => ({ label: name, value }));
}

export const hasAutocomplete = (option: APIApplicationCommandBasicOption): boolean =>
  'autocomplete' in option && option.autocomplete === true;

/** A value that may be sent, or what Discord's client says about one that may not. `null` where nothing was given. */
export function readPill(pill: Pill): { value: WireOptionValue | null } | { problem: string } {
  const { option, picked } = pill;
  if (picked !== null) return { value: picked };
  const text = pill.text.trim();
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
  if (text.length > max) return { problem: `Must be ${max} or fewer in length: this is ${text.length}` };
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
export function readPills(
  draft: Draft,
): { values: Record<string, WireOptionValue> } | { problem: string; pill: Pill } {
  const values: Record<string, WireOptionValue> = {};
  for (const pill of draft.pills) {
    const read = readPill(pill);
    if ('problem' in read) return { ...read, pill };
    if (read.value !== null) values[pill.option.name] = read.value;
  }
  return { values };
}

/** The values that are fine so far, and as text the one that is being typed: what a bot gets for autocomplete. */
export function valuesSoFar(draft: Draft, focused: Pill): Record<string, WireOptionValue> {
  const values: Record<string, WireOptionValue> = { [focused.option.name]: focused.text };
  for (const pill of draft.pills) {
    const read = readPill(pill);
    if (pill !== focused && 'value' in read && read.value !== null) values[pill.option.name] = read.value;
  }
  return values;
}
