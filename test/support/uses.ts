import {
  type APIComponentInMessageActionRow,
  type APIMessageComponent,
  type APIModalComponent,
  type APIModalInteractionResponseCallbackData,
  ApplicationCommandOptionType,
  ButtonStyle,
  ComponentType,
} from 'discord.js';
import type { OptionValue } from 'local-discord';
import type { Command } from '../../src/bot/command.ts';

/** What a person enters where they are asked for something. */
export interface Entries {
  /** Into a field of this name, of at most so many characters. */
  type(field: string, longest: number): string;
  /** To an option of this name. */
  attach(option: string): OptionValue;
  /** For an option, or in a menu, of this kind. */
  pick: Partial<Record<ApplicationCommandOptionType, OptionValue>>;
}

/**
 * Everything that can be done with the bot: `/graph save`, `Imagine this`, `button imagine:again`, `menu
 * settings:pick`, `form jobs:search`.
 */
export const usesOf = (commands: readonly Command[]): string[] =>
  commands.flatMap(({ data, buttons = {}, selects = {}, forms = {}, messageCommands = [] }) => [
    ...leavesOf(data).map(({ path }) => `/${path}`),
    ...messageCommands.map((one) => one.data.name),
    ...Object.keys(buttons).map((one) => `button ${data.name}:${one}`),
    ...Object.keys(selects).map((one) => `menu ${data.name}:${one}`),
    ...Object.keys(forms).map((one) => `form ${data.name}:${one}`),
  ]);

/** A command as a person calls it: `graph save`. */
interface Leaf {
  path: string;
  options: readonly Option[];
}

/** An option as far as it matters here. */
interface Option {
  name: string;
  type: ApplicationCommandOptionType;
  required?: boolean;
  options?: readonly Option[];
  choices?: readonly { value: string | number }[];
  min_value?: number;
  max_length?: number;
  autocomplete?: boolean;
}

const NESTED = [ApplicationCommandOptionType.Subcommand, ApplicationCommandOptionType.SubcommandGroup];

/** The commands in a payload. */
export function leavesOf({
  name,
  options = [],
}: {
  name: string;
  options?: readonly Option[] | undefined;
}): Leaf[] {
  const nested = options.filter(({ type }) => NESTED.includes(type));
  if (nested.length === 0) return [{ path: name, options }];
  return nested.flatMap(leavesOf).map(({ path, options }) => ({ path: `${name} ${path}`, options }));
}

/** Discord's own bound of a text that is typed into an option. */
const OPTION_CHARACTERS = 6_000;

/** What is given for an option. */
export function givenTo(option: Option, { type, attach, pick }: Entries): OptionValue {
  const { name, choices: [choice] = [], min_value: least = 1, max_length: longest } = option;
  if (choice) return choice.value;
  switch (option.type) {
    case ApplicationCommandOptionType.String:
      return type(name, longest ?? OPTION_CHARACTERS);
    case ApplicationCommandOptionType.Integer:
    case ApplicationCommandOptionType.Number:
      return Math.max(1, least);
    case ApplicationCommandOptionType.Boolean:
      return true;
    case ApplicationCommandOptionType.Attachment:
      return attach(name);
    default:
      return pick[option.type] ?? '';
  }
}

/** `imagine:again`, whatever follows. */
export const kindOf = (customId: string): string => customId.split(':').slice(0, 2).join(':');

/** Something that a person can do under a message: press a button, or pick something in a menu. */
export interface Offer {
  component: object;
  customId: string;
  /** What is picked; absent for a button. */
  values?: readonly string[];
  /** It does something that cannot be undone. */
  isRed: boolean;
}

/** Everything that can be done with the components of a message. */
export const offersOf = (rows: readonly APIMessageComponent[] | undefined, entries: Entries): Offer[] =>
  (rows ?? [])
    .flatMap((row) => (row.type === ComponentType.ActionRow ? row.components : []))
    .flatMap((component) =>
      'custom_id' in component && !component.disabled ? offersOfComponent(component, entries) : [],
    );

function offersOfComponent(
  component: Extract<APIComponentInMessageActionRow, { custom_id: string }>,
  { pick }: Entries,
): Offer[] {
  const { custom_id: customId } = component;
  const picked = (...values: string[]) => ({ component, customId, values, isRed: false });
  switch (component.type) {
    case ComponentType.Button:
      return [{ component, customId, isRed: component.style === ButtonStyle.Danger }];
    case ComponentType.StringSelect:
      return component.options.map(({ value }) => picked(value));
    case ComponentType.ChannelSelect:
      return [picked(`${pick[ApplicationCommandOptionType.Channel]}`)];
    default:
      return [picked(`${pick[ApplicationCommandOptionType.Role]}`)];
  }
}

/** Every text field as `type` says, and the first of what can be picked. */
export function filledIn(
  { components }: APIModalInteractionResponseCallbackData,
  { type }: Entries,
): Record<string, string | string[]> {
  const filled: Record<string, string | string[]> = {};
  for (const field of components.flatMap(innerOf)) {
    if (field.type === ComponentType.TextInput)
      filled[field.custom_id] = type(field.custom_id, field.max_length ?? 4_000);
    else if (field.type === ComponentType.StringSelect)
      filled[field.custom_id] = field.options.slice(0, 1).map(({ value }) => value);
  }
  return filled;
}

const innerOf = (
  component: APIModalInteractionResponseCallbackData['components'][number],
): APIModalComponent[] => (component.type === ComponentType.Label ? [component.component] : []);
