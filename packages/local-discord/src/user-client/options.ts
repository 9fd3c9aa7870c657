import {
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandOption,
  ApplicationCommandOptionType as Option,
} from 'discord-api-types/v10';
import type { Suggested } from '../state/state.ts';
import { numberRefusal, optionTextRefusal } from './input-checks.ts';
import type { Refusal } from './refusals.ts';
import type { Resolved } from './resolved.ts';
import type { OptionValue, OptionValues } from './shapes.ts';
import { throwIfRefused, UserClientError } from './user-client-error.ts';

interface ApiOption {
  name: string;
  type: Option;
  value?: string | number | boolean;
  focused?: true;
  options?: ApiOption[];
}

/** The options that belong to a command or subcommand, and how they are nested when they are sent. */
export function openSubcommand(
  options: readonly APIApplicationCommandOption[] | undefined,
  words: readonly string[],
): { leaf: APIApplicationCommandBasicOption[]; nest: (sent: ApiOption[]) => ApiOption[] } {
  const [word, ...rest] = words;
  const nested = (options ?? []).filter(
    ({ type }) => type === Option.Subcommand || type === Option.SubcommandGroup,
  );
  if (word === undefined) {
    if (nested.length > 0) throw new UserClientError('unknown', 'noSubcommand');
    // What is not a subcommand or a group is a basic option.
    return { leaf: (options ?? []) as APIApplicationCommandBasicOption[], nest: (sent) => sent };
  }
  const sub = nested.find(({ name }) => name === word);
  if (!sub) throw new UserClientError('unknown', 'unknownSubcommand', { name: word });
  const inner = openSubcommand('options' in sub ? sub.options : [], rest);
  return {
    leaf: inner.leaf,
    nest: (sent) => [{ name: sub.name, type: sub.type, options: inner.nest(sent) }],
  };
}

/** Checks what a person typed and picked, as Discord's client does, and brings it into the form it is sent in. */
export function toApiOptions(
  options: readonly APIApplicationCommandBasicOption[],
  values: OptionValues,
  resolved: Resolved,
): ApiOption[] {
  checkNames(options, values);
  const sent: ApiOption[] = [];
  for (const option of options) {
    const value = values[option.name];
    if (value === undefined) {
      if (option.required) throw new UserClientError('invalid', 'required', {}, option.name);
      continue;
    }
    sent.push({ name: option.name, type: option.type, value: sendValue(option, value, resolved) });
  }
  return sent;
}

/** The same while the person still types in `focused`: nothing is required yet, and text is not checked. */
export function toAutocompleteOptions(
  options: readonly APIApplicationCommandBasicOption[],
  values: OptionValues,
  focused: string,
): { sent: ApiOption[]; suggestsFor: Suggested } {
  checkNames(options, values);
  const option = options.find(({ name }) => name === focused);
  if (!option || !('autocomplete' in option) || !option.autocomplete) {
    throw new UserClientError('invalid', 'noSuggestions', {}, focused);
  }
  const sent = options.flatMap(({ name, type }): ApiOption[] => {
    const value = values[name];
    if (name === focused) return [{ name, type, value: String(value ?? ''), focused: true }];
    return value === undefined || typeof value === 'object' ? [] : [{ name, type, value }];
  });
  return { sent, suggestsFor: option.type };
}

function checkNames(options: readonly APIApplicationCommandBasicOption[], values: OptionValues): void {
  for (const name of Object.keys(values)) {
    if (!options.some((option) => option.name === name)) {
      throw new UserClientError('invalid', 'unknownOption', { name }, name);
    }
  }
}

function sendValue(
  option: APIApplicationCommandBasicOption,
  value: OptionValue,
  resolved: Resolved,
): string | number | boolean {
  const refuse = (code: Refusal['code'], values?: Refusal['values']) =>
    new UserClientError('invalid', code, values, option.name);
  const found = (is: boolean, id: string) => {
    if (!is) throw refuse('unknown', { name: id });
    return id;
  };
  if ('choices' in option && option.choices?.length) {
    const choice = option.choices.find((known) => known.value === value || known.name === value);
    if (!choice) throw refuse('oneOfChoices');
    return choice.value;
  }
  switch (option.type) {
    case Option.String:
      if (typeof value !== 'string' || value === '') throw refuse('text');
      throwIfRefused(optionTextRefusal(option, value), option.name);
      return value;
    case Option.Integer:
    case Option.Number: {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      if (typeof number !== 'number') throw refuse('number');
      throwIfRefused(numberRefusal(option, number), option.name);
      return number;
    }
    case Option.Boolean:
      if (typeof value !== 'boolean') throw refuse('trueOrFalse');
      return value;
    case Option.Attachment:
      if (typeof value !== 'object') throw refuse('file');
      return resolved.attachment(value, option.name, option.file_types);
    case Option.User:
      return found(resolved.user(String(value)), String(value));
    case Option.Role:
      return found(resolved.role(String(value)), String(value));
    case Option.Channel:
      return found(resolved.channel(String(value), option.channel_types), String(value));
    case Option.Mentionable:
      return found(resolved.user(String(value)) || resolved.role(String(value)), String(value));
  }
}
