import type { ImageClient } from '@darkroom/image-api';
import type { Log } from '@darkroom/process';
import {
  type APIApplicationCommandOptionChoice,
  type ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
  type RESTPostAPIContextMenuApplicationCommandsJSONBody,
} from 'discord-api-types/v10';
import type { Attempts } from '../credentials/attempts.ts';
import type { Credentials } from '../credentials/credentials.ts';
import type { Publications } from '../delivery/publications.ts';
import type { ShownPictures } from '../delivery/shown-pictures.ts';
import type { Thumbnails } from '../delivery/thumbnails.ts';
import type { KeptGraphs } from '../graphs/kept-graphs.ts';
import type { BlockedMembers } from '../guilds/blocked-members.ts';
import type { GuildSettingsStore } from '../guilds/guild-settings.ts';
import type { Caller } from '../jobs/job-request.ts';
import type { Tracker } from '../jobs/tracker.ts';
import type { Allowance } from '../limits/allowance.ts';
import type { LimitSet } from '../limits/limit-set.ts';
import type { LimitedRequest, Limits } from '../limits/limits.ts';
import type { Texts } from '../messages/locale/en.ts';
import type { Message } from '../messages/message.ts';
import type { OfferedSteps } from '../messages/next-steps.ts';
import type { AuditLog } from '../moderation/audit-log.ts';
import type { Reports } from '../moderation/reports.ts';
import type { Privacy } from '../privacy/privacy.ts';
import type { Retention } from '../privacy/retention.ts';
import type { Drafts } from '../requests/drafts.ts';
import type { KnownModels } from '../requests/known-models.ts';
import type { MemberSettingsStore } from '../requests/member-settings.ts';
import type { Prices } from '../requests/prices.ts';
import type { MonthChart } from '../usage/month-chart.ts';
import type { Usage } from '../usage/usage.ts';
import type { GuildDirectory } from './guild-directory.ts';
import type { OptionsOf, SubcommandsOf } from './options.ts';
import type { Permissions } from './permissions.ts';
import type { Presses } from './presses.ts';
import type { Reply } from './reply.ts';
import type { SourceMessage } from './source-message.ts';
import type { TokenActions } from './token-actions.ts';

/** What command handlers may use; everything below them receives exactly what it needs. */
export interface Context {
  tracker: Tracker;
  credentials: Credentials;
  attempts: Attempts;
  auditLog: AuditLog;
  reports: Reports;
  shownPictures: ShownPictures;
  publications: Publications;
  presses: Presses;
  /** Of pictures, by their messages. Of one that is not known any more the bot's own token may do. */
  deletions: TokenActions<() => Promise<void>>;
  /** Puts a message in place of a question that was asked, by the id of its draft. */
  questions: TokenActions<(message: Message) => Promise<void>>;
  usage: Usage;
  monthChart: MonthChart;
  guildSettings: GuildSettingsStore;
  blockedMembers: BlockedMembers;
  guildDirectory: GuildDirectory;
  keptGraphs: KeptGraphs;
  drafts: Drafts;
  memberSettings: MemberSettingsStore;
  knownModels: Pick<KnownModels, 'suggest'>;
  prices: Prices;
  /** The names of the commands that are not registered for a server, or of another version. Rejects where Discord does not say. */
  outdatedCommands(options: {
    applicationId: string;
    guildId: string;
    signal: AbortSignal;
  }): Promise<string[]>;
  limits: Pick<Limits, 'bounds' | 'claimsOf'>;
  /** How many pictures may still be asked for. `guild`: what the server allows. */
  allowanceOf(request: Omit<LimitedRequest, 'count'>, guild: LimitSet): Promise<Allowance | undefined>;
  thumbnails: Thumbnails;
  privacy: Privacy;
  retention: Retention;
  images: ImageClient;
  nextSteps: OfferedSteps;
  /**
   * Begins what was asked for and kept under this id, as the answer to this interaction; false where nothing is kept any more.
   * Undefined without the command that can.
   */
  continueDraft: Command['continueDraft'];
  /** Whether the service's address sends keys so that others can read them on the way. */
  isReadOnTheWay: boolean;
  log: Log;
}

/** One use of a command, a button or a form. */
export interface Invocation<Options = unknown> {
  options: Options;
  caller: Caller;
  permissions: Permissions;
  /** The message that the button, the menu or the form stands under; undefined where it stands under none. */
  message?: SourceMessage | undefined;
  reply: Reply;
  texts: Texts;
  context: Context;
}

/** The text field of a form for a key or a login token; in any other one a key is refused. */
export const SECRET_FIELD = 'secret';

/** A form that was sent: its texts and what was picked, by custom id, and `args` as of a button. */
export interface FormOptions {
  fields: Readonly<Record<string, string>>;
  picked: Readonly<Record<string, readonly string[]>>;
  args: readonly string[];
}

/** What was picked in a select menu, and `args` as of a button. */
export interface SelectOptions {
  values: readonly string[];
  args: readonly string[];
}

type Choice = APIApplicationCommandOptionChoice<string>;

/** A command in the menu of a message ("Apps"): its name is what is read there. */
export interface MessageCommand {
  data: RESTPostAPIContextMenuApplicationCommandsJSONBody & { type: ApplicationCommandType.Message };
  /** `options`: the message that it is used on. */
  run(invocation: Invocation<SourceMessage>): Promise<void>;
}

/** A slash command: its payload, which is the deploy JSON itself, its handler, its buttons, select menus and forms. */
export interface Command {
  data: RESTPostAPIChatInputApplicationCommandsJSONBody;
  /** `path`: of the subcommand, empty without one. */
  run(path: string, invocation: Invocation<Record<string, unknown>>): Promise<void>;
  /** At most 25 are shown. */
  autocomplete?(
    option: string,
    typed: string,
    texts: Texts,
    asked: { guildId: string | null; memberId: string; context: Pick<Context, 'keptGraphs' | 'knownModels'> },
  ): Choice[] | Promise<Choice[]>;
  buttons?: Readonly<Record<string, (invocation: Invocation<readonly string[]>) => Promise<void>>>;
  selects?: Readonly<Record<string, (invocation: Invocation<SelectOptions>) => Promise<void>>>;
  forms?: Readonly<Record<string, (invocation: Invocation<FormOptions>) => Promise<void>>>;
  /** What it offers in the menu of a message. */
  messageCommands?: readonly MessageCommand[];
  /** Buttons of this command that others offer. */
  nextSteps?: OfferedSteps;
  /** As `Context.continueDraft`. */
  continueDraft?: ((invocation: Invocation, draftId: string) => Promise<boolean>) | undefined;
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

type Extras = Pick<
  Command,
  'autocomplete' | 'buttons' | 'selects' | 'forms' | 'messageCommands' | 'nextSteps' | 'continueDraft'
>;

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
