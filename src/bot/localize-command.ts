import type { APIApplicationCommandOption } from 'discord-api-types/v10';
import { descriptionsOf } from '../messages/locale/texts.ts';
import type { Command } from './command.ts';

/** A payload with its descriptions in every language that the catalogues have. */
export function localizeCommand(data: Command['data']): Command['data'] {
  return { ...data, ...described(data.name), ...optionsOf(data, data.name) };
}

function localizeOption<Option extends APIApplicationCommandOption>(option: Option, path: string): Option {
  return { ...option, ...described(path), ...optionsOf(option, path) };
}

function described(path: string) {
  const descriptions = descriptionsOf(path);
  return Object.keys(descriptions).length > 0 ? { description_localizations: descriptions } : {};
}

const optionsOf = (parent: object, path: string) =>
  hasOptions(parent)
    ? { options: parent.options.map((option) => localizeOption(option, `${path} ${option.name}`)) }
    : {};

const hasOptions = (parent: object): parent is { options: readonly APIApplicationCommandOption[] } =>
  'options' in parent && Array.isArray(parent.options);
