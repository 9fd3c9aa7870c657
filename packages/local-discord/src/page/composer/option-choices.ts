import {
  type APIApplicationCommandBasicOption,
  ApplicationCommandOptionType as Option,
} from 'discord-api-types/v10';
import { channels, mentionables, roles, users } from '../mentionables.ts';
import type { View } from '../view.ts';
import { type Choice, fixedChoices } from './command-form.ts';

/** Everything that may be picked for an option; `null` where it is typed freely. */
export function choicesFor(view: View, option: APIApplicationCommandBasicOption): Choice[] | null {
  switch (option.type) {
    case Option.User:
      return users(view);
    case Option.Role:
      return roles(view);
    case Option.Mentionable:
      return mentionables(view);
    case Option.Channel:
      return channels(view, option.channel_types);
    default:
      return fixedChoices(option, view.words.composer);
  }
}
