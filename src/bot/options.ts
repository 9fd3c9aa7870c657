import { ApplicationCommandOptionType, type CommandInteractionOption } from 'discord.js';
import type {
  APIApplicationCommandSubcommandGroupOption,
  APIApplicationCommandSubcommandOption,
} from 'discord-api-types/v10';
import { attachedFileOf } from '../delivery/attached-files.ts';
import type { AttachedFile } from '../jobs/input.ts';

/** A picked user; `inGuild`: they are a member of the server where the command was used. */
export interface PickedUser {
  id: string;
  inGuild: boolean;
}

/** What options hold. A role or channel is its id. */
interface ValueByType {
  [ApplicationCommandOptionType.String]: string;
  [ApplicationCommandOptionType.Integer]: number;
  [ApplicationCommandOptionType.Number]: number;
  [ApplicationCommandOptionType.Boolean]: boolean;
  [ApplicationCommandOptionType.Attachment]: AttachedFile;
  [ApplicationCommandOptionType.User]: PickedUser;
  [ApplicationCommandOptionType.Channel]: string;
  [ApplicationCommandOptionType.Role]: string;
}

/** The value of an option, by the option's own type and choices. */
type OptionValue<Option> = Option extends { choices: readonly { value: infer Value }[] }
  ? Value
  : Option extends { type: infer Type extends keyof ValueByType }
    ? ValueByType[Type]
    : never;

type OptionValues<List> = List extends readonly { name: string }[]
  ? {
      [Option in List[number] as Option['name']]: Option extends { required: true }
        ? OptionValue<Option>
        : OptionValue<Option> | undefined;
    }
  : Record<never, never>;

/** The options of a command, or of a subcommand, as its handler gets them: derived from its payload. */
export type OptionsOf<Data> = Data extends { options: infer List }
  ? OptionValues<List>
  : Record<never, never>;

type Subcommand = APIApplicationCommandSubcommandOption;
type Group = APIApplicationCommandSubcommandGroupOption;

/** Every subcommand of a payload by its path, `link` or `server link`, with its options. */
export type SubcommandsOf<Data> = Data extends { options: infer List extends readonly unknown[] }
  ? {
      [Entry in List[number] as Entry extends Subcommand ? Entry['name'] : never]: OptionsOf<Entry>;
    } & {
      [Path in GroupedPaths<List[number]> as Path['path']]: OptionsOf<Path['entry']>;
    }
  : never;

type GroupedPaths<Entry> = Entry extends Group & { options: infer List extends readonly unknown[] }
  ? List[number] extends infer Inner
    ? Inner extends { name: infer Name extends string }
      ? { path: `${Entry['name']} ${Name}`; entry: Inner }
      : never
    : never
  : never;

/** The options of an interaction, flat: the path of the subcommand where there is one, and the values by name. */
export function parseOptions(data: readonly CommandInteractionOption[]): {
  path: string;
  values: Record<string, unknown>;
} {
  const [first] = data;
  if (
    first?.type === ApplicationCommandOptionType.Subcommand ||
    first?.type === ApplicationCommandOptionType.SubcommandGroup
  ) {
    const { path, values } = parseOptions(first.options ?? []);
    return { path: `${first.name} ${path}`.trim(), values };
  }
  return { path: '', values: Object.fromEntries(data.map((option) => [option.name, readValue(option)])) };
}

function readValue({ type, value, attachment, user, member }: CommandInteractionOption): unknown {
  if (type === ApplicationCommandOptionType.User) {
    return { id: `${user?.id ?? value}`, inGuild: member != null } satisfies PickedUser;
  }
  return attachment ? attachedFileOf(attachment) : value;
}
