import type { APIApplicationCommand, APIApplicationCommandOption } from 'discord-api-types/v10';

/**
 * A command with `name_localized` and `description_localized` for one locale, as Discord's client shows it: in
 * choices too. Source: 'Application Commands', localization.
 */
export function localize(command: APIApplicationCommand, locale: string): APIApplicationCommand {
  return {
    ...command,
    ...localizedTexts(command, locale),
    ...(command.options && { options: command.options.map((option) => localizeOption(option, locale)) }),
  };
}

function localizeOption(option: APIApplicationCommandOption, locale: string): APIApplicationCommandOption {
  const made = {
    ...option,
    ...localizedTexts(option, locale),
    ...('options' in option && option.options
      ? { options: option.options.map((inner) => localizeOption(inner, locale)) }
      : {}),
    ...('choices' in option && option.choices
      ? { choices: option.choices.map((choice) => ({ ...choice, ...localizedTexts(choice, locale) })) }
      : {}),
  };
  // Only texts were added: an option stays of its kind.
  return made as APIApplicationCommandOption;
}

interface Texts {
  name_localizations?: Partial<Record<string, string | null>> | null;
  description_localizations?: Partial<Record<string, string | null>> | null;
}

function localizedTexts({ name_localizations, description_localizations }: Texts, locale: string) {
  const name = name_localizations?.[locale];
  const description = description_localizations?.[locale];
  return {
    ...(name && { name_localized: name }),
    ...(description && { description_localized: description }),
  };
}
