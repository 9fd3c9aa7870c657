import {
  type APIApplicationCommand,
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandOption,
  ApplicationCommandType,
  type ApplicationIntegrationType,
  type InteractionContextType,
  Locale,
  ApplicationCommandOptionType as Option,
} from 'discord-api-types/v10';
import { checkFileTypes } from './file-types.ts';
import type { FormErrors, Path } from './form-errors.ts';

/** Source: 'Application Commands', naming and limits. */
const NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;
const MAX_TEXT = 8000;
const MAX_CHOICE_VALUE = 100;
export const MAX_COMMANDS: Partial<Record<ApplicationCommandType, number>> = {
  [ApplicationCommandType.ChatInput]: 100,
  [ApplicationCommandType.User]: 15,
  [ApplicationCommandType.Message]: 15,
  [ApplicationCommandType.PrimaryEntryPoint]: 1,
};

/** Every language of Discord's client. */
export const LOCALES: ReadonlySet<string> = new Set<string>(Object.values(Locale));

interface Named {
  name: string;
  description?: string | null | undefined;
  name_localizations?: object | null | undefined;
  description_localizations?: object | null | undefined;
}

/** A command as it is registered: of any type. */
export interface CommandBody extends Named {
  type?: ApplicationCommandType;
  options?: APIApplicationCommandOption[] | null;
  default_member_permissions?: string | number | null;
  contexts?: InteractionContextType[] | null;
  integration_types?: ApplicationIntegrationType[] | null;
  dm_permission?: boolean | null;
  nsfw?: boolean | null;
}

/** Rules of one command that its schema does not know. `at` is its place in the body. */
export function checkCommand(errors: FormErrors, command: CommandBody, at: Path): void {
  const type = command.type ?? ApplicationCommandType.ChatInput;
  const options = command.options ?? [];
  checkLocales(errors, command, at);
  if (!/^\d{1,20}$/.test(String(command.default_member_permissions ?? 0))) {
    errors.add([...at, 'default_member_permissions'], 'BITFIELD_TYPE_INVALID');
  }
  if (type === ApplicationCommandType.ChatInput) {
    checkName(errors, command, at);
    checkDescription(errors, command.description, at);
    checkOptions(errors, options, [...at, 'options'], 0);
  } else {
    // Spaces and capitals are allowed; how long it may be, the schema knows.
    if (command.name.trim() === '') errors.add([...at, 'name'], 'APPLICATION_COMMAND_INVALID_NAME');
    if (command.description) {
      errors.add([...at, 'description'], 'APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION_NOT_ALLOWED');
    }
    if (options.length > 0) {
      errors.add([...at, 'options'], 'APPLICATION_COMMAND_CONTEXT_MENU_OPTIONS_NOT_ALLOWED');
    }
  }
  if (textOf(command, options) > MAX_TEXT) {
    errors.add(at, 'APPLICATION_COMMAND_TOO_LARGE', `Command exceeds maximum size (${MAX_TEXT})`);
  }
}

/** In every language by the same rule. */
function checkName(errors: FormErrors, { name, name_localizations }: Named, at: Path): void {
  if (!isName(name)) errors.add([...at, 'name'], 'APPLICATION_COMMAND_INVALID_NAME');
  for (const [locale, text] of Object.entries(name_localizations ?? {})) {
    if (text !== null && !isName(String(text)))
      errors.add([...at, 'name_localizations', locale], 'APPLICATION_COMMAND_INVALID_NAME');
  }
}

const isName = (text: string): boolean => NAME.test(text) && text === text.toLowerCase();

function checkDescription(errors: FormErrors, description: string | null | undefined, at: Path): void {
  if (!description) errors.add([...at, 'description'], 'BASE_TYPE_REQUIRED');
}

function checkLocales(errors: FormErrors, named: Named, at: Path): void {
  for (const key of ['name_localizations', 'description_localizations'] as const) {
    for (const locale of Object.keys(named[key] ?? {})) {
      if (!LOCALES.has(locale)) {
        errors.add(
          [...at, key],
          'BASE_TYPE_CHOICES',
          `Value must be one of the locales; '${locale}' is none.`,
        );
      }
    }
  }
}

function checkOptions(
  errors: FormErrors,
  options: readonly APIApplicationCommandOption[],
  path: Path,
  depth: number,
): void {
  const names = new Set<string>();
  let optionalSeen = false;
  const nested = options.some(({ type }) => type === Option.Subcommand || type === Option.SubcommandGroup);
  for (const [index, option] of options.entries()) {
    const at = [...path, index];
    checkName(errors, option, at);
    checkDescription(errors, option.description, at);
    checkLocales(errors, option, at);
    if (names.has(option.name)) errors.add(at, 'APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS');
    names.add(option.name);
    if (option.type === Option.Subcommand || option.type === Option.SubcommandGroup) {
      if (depth > 0 && (depth > 1 || option.type === Option.SubcommandGroup)) {
        errors.add(
          [...at, 'type'],
          'APPLICATION_COMMAND_OPTIONS_TYPE_INVALID',
          'Sub-command option nesting is not allowed here',
        );
      }
      const inner = option.type === Option.Subcommand ? 2 : 1;
      checkOptions(errors, option.options ?? [], [...at, 'options'], inner);
      continue;
    }
    if (nested) {
      errors.add(
        [...at, 'type'],
        'APPLICATION_COMMAND_OPTIONS_TYPE_INVALID',
        'Sub-command and sub-command group option types are mutually exclusive to all other types',
      );
    }
    if (option.required && optionalSeen) errors.add(at, 'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID');
    optionalSeen ||= !option.required;
    checkChoices(errors, option, at);
    if (option.type === Option.Attachment) checkFileTypes(errors, option.file_types, at);
  }
}

function checkChoices(errors: FormErrors, option: APIApplicationCommandBasicOption, at: Path): void {
  if (!('choices' in option) || !option.choices?.length) return;
  if ('autocomplete' in option && option.autocomplete) {
    errors.add([...at, 'autocomplete'], 'APPLICATION_COMMAND_OPTIONS_CHOICES_AUTOCOMPLETE');
  }
  const names = option.choices.map(({ name }) => name);
  const values = option.choices.map(({ value }): string | number => value);
  for (const [index, choice] of option.choices.entries()) {
    checkChoice(errors, choice, [...at, 'choices', index]);
    if (names.indexOf(names[index] ?? '') !== index || values.indexOf(values[index] ?? '') !== index) {
      errors.add([...at, 'choices', index], 'APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_ALREADY_EXISTS');
    }
  }
}

/**
 * Rules of one choice that its schema does not know, of autocomplete too. Source: 'Application Commands', option choice
 * structure; that blanks count for nothing, Statsify/statsify#830.
 */
export function checkChoice(
  errors: FormErrors,
  { name, value }: { name: string; value: string | number },
  at: Path,
): void {
  const wrong = {
    name: name.trim() === '',
    value: typeof value === 'string' && value.length > MAX_CHOICE_VALUE,
  };
  for (const [key, isWrong] of Object.entries(wrong)) {
    if (isWrong) errors.add([...at, key], 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 100 in length.');
  }
}

/** Characters that count towards the limit: the longest localisation of each text, and choices' values. */
function textOf(named: Named, options: readonly APIApplicationCommandOption[]): number {
  const longest = (text: string | null | undefined, localized: object | null | undefined) =>
    Math.max(text?.length ?? 0, ...Object.values(localized ?? {}).map((value) => String(value).length));
  const own =
    longest(named.name, named.name_localizations) +
    longest(named.description, named.description_localizations);
  return options.reduce((sum, option) => {
    const inner = 'options' in option ? (option.options ?? []) : [];
    const choices = 'choices' in option ? (option.choices ?? []) : [];
    const chosen = choices.map(
      ({ name, value, name_localizations }) => longest(name, name_localizations) + String(value).length,
    );
    return sum + textOf(option, inner) + chosen.reduce((a, b) => a + b, 0);
  }, own);
}

/** A command whose every part, with its options and choices, is what `change` makes of it: texts come or go. */
export function mapParts(
  command: APIApplicationCommand,
  change: (part: object) => object,
): APIApplicationCommand {
  const map = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(map);
    if (typeof value !== 'object' || value === null) return value;
    return change(Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, map(inner)])));
  };
  // Localised texts are optional in every part of a command.
  return map(command) as APIApplicationCommand;
}
