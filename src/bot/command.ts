import type {
  APIApplicationCommandOptionChoice,
  ApplicationCommandType,
  RESTPostAPIChatInputApplicationCommandsJSONBody,
  RESTPostAPIContextMenuApplicationCommandsJSONBody,
} from 'discord-api-types/v10';
import type { AttachedFile } from '../jobs/input.ts';
import type { Texts } from '../messages/locale/en.ts';
import type { OfferedSteps } from '../messages/next-steps.ts';
import type { Context, FeatureName, Features, Invocation } from './invocation.ts';
import type { OptionsOf, SubcommandsOf } from './options.ts';
import type { SourceMessage } from './source-message.ts';

/** The text field of a form for a key or a login token; in any other one either is refused. */
export const SECRET_FIELD = 'secret';

/** A form that was sent: what was typed, picked and attached, by custom id, and `args` as of a button. */
export interface FormOptions {
  fields: Readonly<Record<string, string>>;
  picked: Readonly<Record<string, readonly string[]>>;
  files: Readonly<Record<string, readonly AttachedFile[]>>;
  args: readonly string[];
}

/**
 * What was picked in a select menu, and `args` as of a button. `shown`: what it showed as picked before. `channels`:
 * those of the values that Discord itself says are channels of this server, whether the bot sees them or not.
 */
export interface SelectOptions {
  values: readonly string[];
  shown: readonly string[];
  channels: ReadonlySet<string>;
  args: readonly string[];
}

type Choice = APIApplicationCommandOptionChoice<string>;

/** A command in the menu of a message ("Apps"): its name is what is read there. */
export interface MessageCommand<Used extends FeatureName = FeatureName> {
  data: RESTPostAPIContextMenuApplicationCommandsJSONBody & { type: ApplicationCommandType.Message };
  /** `options`: the message that it is used on. */
  run(invocation: Invocation<SourceMessage, Used>): Promise<void>;
}

/** Who types, and what can be suggested to them. */
interface AskedBy {
  guildId: string | null;
  memberId: string;
  /** What is filled in so far. */
  given: Readonly<Record<string, unknown>>;
  guildSettings: Pick<Features['guilds']['guildSettings'], 'of'>;
  keptGraphs: Features['guilds']['keptGraphs'];
  knownModels: Features['requests']['knownModels'];
  offers: Features['offers'];
  usage: Pick<Features['usage']['counts'], 'retentionMs'>;
}

type Handler<Options, Used extends FeatureName> = (invocation: Invocation<Options, Used>) => Promise<void>;

/** What a command has beside its own handler. */
interface Extras<Used extends FeatureName> {
  /** At most 25 are shown. */
  autocomplete?(option: string, typed: string, texts: Texts, asked: AskedBy): Choice[] | Promise<Choice[]>;
  buttons?: Readonly<Record<string, Handler<readonly string[], Used>>>;
  selects?: Readonly<Record<string, Handler<SelectOptions, Used>>>;
  forms?: Readonly<Record<string, Handler<FormOptions, Used>>>;
  messageCommands?: readonly MessageCommand<Used>[];
  /** Buttons of this command that others offer. */
  nextSteps?: OfferedSteps;
  /** Begins what was kept under this id, as `Features` says; with what this command uses. */
  continueDraft?: ((invocation: Invocation<unknown, Used>, draftId: string) => Promise<void>) | undefined;
}

/** A slash command: its payload, which is the deploy JSON, its handler, its buttons, select menus and forms. */
export interface Command extends Extras<FeatureName> {
  data: RESTPostAPIChatInputApplicationCommandsJSONBody;
  uses: readonly FeatureName[];
  /** `path`: of the subcommand, empty without one. */
  run(path: string, invocation: Invocation<Record<string, unknown>, FeatureName>): Promise<void>;
}

export function contextOf({ uses }: Pick<Command, 'uses'>, all: Context<FeatureName>): Context<FeatureName> {
  const { nextSteps, log } = all;
  const given = Object.fromEntries(uses.map((name) => [name, all[name]]));
  // Its handlers are typed by what it uses.
  return { nextSteps, log, ...given } as Context<FeatureName>;
}

type Payload = RESTPostAPIChatInputApplicationCommandsJSONBody;

/** A command without subcommands. `options` are derived from `data`: an unknown option does not compile. */
export function defineCommand<const Data extends Payload, Used extends FeatureName = never>(
  command: {
    data: Data;
    uses: readonly Used[];
    run(invocation: Invocation<OptionsOf<Data>, Used>): Promise<void>;
  } & Extras<Used>,
): Command {
  return {
    ...givenMore(command),
    // The router fills `options` from the same payload that their type is derived from.
    run: (_path, invocation) => command.run(invocation as Invocation<OptionsOf<Data>, FeatureName>),
  };
}

/** A command with subcommands: a handler for every path, `link` or `server link`. */
export function defineCommandGroup<const Data extends Payload, Used extends FeatureName = never>(
  command: {
    data: Data;
    uses: readonly Used[];
    run: {
      [Path in keyof SubcommandsOf<Data>]: Handler<SubcommandsOf<Data>[Path], Used>;
    };
  } & Extras<Used>,
): Command {
  // As above; and Discord sends no path that is not in the payload.
  const handlers = command.run as Record<string, Handler<never, FeatureName>>;
  return {
    ...givenMore(command),
    async run(path, invocation) {
      const handler = handlers[path];
      if (!handler) throw new Error(`/${command.data.name} ${path} has no handler`);
      await handler(invocation as Invocation<never, FeatureName>);
    },
  };
}

/** What can do with some of the features can do with all of them, which the compiler does not see of `Used`. */
const givenMore = (command: Pick<Command, 'data' | 'uses'>) => command as Omit<Command, 'run'>;

const KEY = /sk-[0-9a-f]{48}/i;

/** A key, or a login token of the service that is included: those of others have no form that is known. */
const SECRET = /(?:sk|lt)-[0-9a-f]{48}/i;

export const holdsKey = (text: string): boolean => KEY.test(text);

/** Whether one of these texts holds such a secret: somebody typed it where others may read it, or where it is sent on. */
export const holdsSecret = (...texts: readonly unknown[]): boolean =>
  texts.some((text) => typeof text === 'string' && SECRET.test(text));
