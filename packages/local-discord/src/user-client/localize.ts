import type { APIApplicationCommand } from 'discord-api-types/v10';
import { mapParts } from '../rules/commands.ts';

/**
 * A command with `name_localized` and `description_localized` for one locale, as Discord's client shows it: in
 * choices too. Source: 'Application Commands', localization.
 */
export function localize(command: APIApplicationCommand, locale: string): APIApplicationCommand {
  const textOf = (part: object, key: 'name' | 'description'): object => {
    const texts: unknown = Reflect.get(part, `${key}_localizations`);
    const text: unknown = Reflect.get(Object(texts), locale);
    return text ? { [`${key}_localized`]: text } : {};
  };
  return mapParts(command, (part) => ({ ...part, ...textOf(part, 'name'), ...textOf(part, 'description') }));
}
