import {
  type APIApplicationCommandOptionChoice,
  ApplicationIntegrationType,
  InteractionContextType,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
} from 'discord-api-types/v10';
import type { ImageClient } from '../client/client.ts';
import type { Credentials } from '../credentials/credentials.ts';
import type { Tracker } from '../jobs/tracker.ts';
import type { Log } from '../log.ts';
import type { Texts } from './locale/en.ts';
import type { OptionsOf, SubcommandsOf } from './options.ts';
import type { Reply } from './reply.ts';

/** What command handlers may use; everything below them receives exactly what it needs. */
export interface Context {
  tracker: Tracker;
  credentials: Credentials;
  images: ImageClient;
  log: Log;
}

/** Who asks, from where, and what is allowed there. Ids and bit sets as they stand in the interaction, nothing cached. */
export interface Asker {
  /** The interaction's id. */
  id: string;
  /** The interaction's token: a secret. */
  token: string;
  applicationId: string;
  memberId: string;
  guildId: string | null;
  channelId: string;
  locale: string;
  /** Milliseconds since the epoch; when the interaction began. */
  askedAt: number;
  /** Whether the member has the permission in this channel; false in direct messages. */
  may(permission: bigint): boolean;
  /** Permissions to post that the bot lacks here, by Discord's names. Empty where it does not post as a member. */
  botLacks(): string[];
  /** Bytes. */
  attachmentLimit: number;
}

/** One use of a command, a button or a form. */
export interface Invocation<Options = unknown> {
  options: Options;
  asker: Asker;
  reply: Reply;
  texts: Texts;
  context: Context;
}

/** A form that was sent: its fields by custom id, and `parts` as of a button. */
export interface FormOptions {
  fields: Readonly<Record<string, string>>;
  parts: readonly string[];
}

export type Choice = APIApplicationCommandOptionChoice<string>;

/** A slash command: its payload, which is the deploy JSON itself, its handler, its buttons and its forms. */
export interface Command {
  data: RESTPostAPIChatInputApplicationCommandsJSONBody;
  /** `path`: of the subcommand, empty without one. */
  run(path: string, invocation: Invocation<Record<string, unknown>>): Promise<void>;
  /** At most 25 are shown. */
  suggest?(option: string, typed: string, texts: Texts): Choice[];
  buttons?: Readonly<Record<string, (press: Invocation<readonly string[]>) => Promise<void>>>;
  forms?: Readonly<Record<string, (sent: Invocation<FormOptions>) => Promise<void>>>;
}

type Payload = RESTPostAPIChatInputApplicationCommandsJSONBody;

/** Where our commands are: in servers, direct messages and private channels, added to a server or to a user. */
export const EVERYWHERE: Required<Pick<Payload, 'contexts' | 'integration_types'>> = {
  contexts: [
    InteractionContextType.Guild,
    InteractionContextType.BotDM,
    InteractionContextType.PrivateChannel,
  ],
  integration_types: [ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall],
};

type Extras = Pick<Command, 'suggest' | 'buttons' | 'forms'>;

/** A command without subcommands. `options` are derived from `data`: an unknown option does not compile. */
export function defineCommand<const Data extends Payload>(
  command: { data: Data; run(invocation: Invocation<OptionsOf<Data>>): Promise<void> } & Extras,
): Command {
  return {
    ...command,
    // The router fills `options` from the same payload that their type is derived from.
    run: (_path, invocation) => command.run(invocation as Invocation<OptionsOf<Data>>),
  };
}

/** A command with subcommands: a handler for every path, `link` or `server link`. */
export function defineCommandGroup<const Data extends Payload>(
  command: {
    data: Data;
    run: {
      [Path in keyof SubcommandsOf<Data>]: (
        invocation: Invocation<SubcommandsOf<Data>[Path]>,
      ) => Promise<void>;
    };
  } & Extras,
): Command {
  // As above; and Discord sends no path that is not in the payload.
  const handlers = command.run as Record<string, (invocation: Invocation<never>) => Promise<void>>;
  return {
    ...command,
    async run(path, invocation) {
      const handler = handlers[path];
      if (!handler) throw new Error(`/${command.data.name} ${path} has no handler`);
      await handler(invocation as Invocation<never>);
    },
  };
}
