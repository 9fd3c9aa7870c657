import type { APIChannel, APIMessage } from 'discord-api-types/v10';
import { z } from 'zod';
import type { Refusal } from '../user-client/refusals.ts';
import type {
  AutocompleteResult,
  InteractionResult,
  OpenModal,
  UserClientEvent,
  VisibleCommand,
  VisibleGuild,
} from '../user-client/shapes.ts';
import type { UserClientErrorReason } from '../user-client/user-client-error.ts';

export interface PageUser {
  id: string;
  name: string;
  /** What sets this user apart, in a few words. */
  about: string;
}

/** A panel beside the chat, e.g. a user's account with a service that a bot uses. */
export interface Panel {
  title: string;
  rows: PanelRow[];
  /** Small print at the end. */
  note?: string;
}

export interface PanelRow {
  /** Unique in its panel. */
  label: string;
  /** Discord's markdown; shown literally where it is `copyable` or `secret`. */
  value: string;
  /** Has a button that copies the value. */
  copyable?: boolean;
  /** Masked until the visitor reveals it. */
  secret?: boolean;
  /** Small print below, in Discord's markdown. */
  hint?: string;
}

export interface Bot {
  id: string;
  name: string;
  online: boolean;
}

/** What the host of the page says, in a user's language. */
export interface HostWords {
  /** Follows the page's own first words; in place of the page's own. */
  notice: string | null;
  /** Whole lines to try in an empty channel. */
  examples: readonly string[];
  users: PageUser[];
}

/**
 * First event of every connection: everything that does not belong to one channel, as the user sees it. The panel
 * follows, which may take its host a while.
 */
export interface Snapshot extends HostWords {
  type: 'snapshot';
  title: string;
  suggestedCommand: string | null;
  /** Milliseconds since the epoch, by the clock of the local Discord. */
  now: number;
  /** Of the user that the page follows. */
  userId: string;
  /** Language of that user, e.g. `en-US`. */
  locale: string;
  guilds: VisibleGuild[];
  directMessages: APIChannel[];
  bots: Bot[];
  /** The form that the page had asked for before it was loaded again. */
  openModal: OpenModal | null;
}

export type PageEvent =
  | Snapshot
  | Exclude<UserClientEvent, { type: 'guilds-changed' }>
  | { type: 'channels'; guilds: VisibleGuild[]; directMessages: APIChannel[] }
  | { type: 'bots'; bots: Bot[] }
  | { type: 'panel'; panel: Panel | null }
  | ({ type: 'host-words' } & HostWords);

/** What `GET /page/users/:userId/channels/:channelId` answers. Messages: oldest first. */
export interface ChannelView {
  messages: APIMessage[];
  /** There are older ones. */
  more: boolean;
  commands: VisibleCommand[];
}

/** Files of an action together, in bytes: two of 10 MiB fit, ten do not. */
export const MAX_FILE_BYTES = 24 * 1024 * 1024;
/** Limit of its body, in bytes: the files in base64, and what stands around them. */
export const MAX_ACTION_BYTES = (MAX_FILE_BYTES * 4) / 3 + 65_536;

export const snowflake = z.string().regex(/^\d{17,20}$/);
const upload = z
  .strictObject({ name: z.string().min(1).max(255), base64: z.base64() })
  .transform(({ name, base64 }) => ({ name, bytes: z.util.base64ToUint8Array(base64) }));
const optionValue = z.union([z.string().max(6_000), z.number(), z.boolean(), upload]);
const modalValue = z.union([z.string(), z.boolean(), z.array(z.string()), z.array(upload)]);
/** Comes back in `interaction-sent`. */
const nonce = z.string().max(36);
const optionValues = z.record(z.string().max(32), optionValue);

/** What a user can do on the page, each as the body of `POST /page/users/:userId/actions`. */
export const action = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('say'),
    channelId: snowflake,
    content: z.string(),
    uploads: z.array(upload).max(10),
  }),
  z.strictObject({
    do: z.literal('invoke'),
    channelId: snowflake,
    command: z.string(),
    options: optionValues,
    nonce,
  }),
  z.strictObject({
    do: z.literal('autocomplete'),
    channelId: snowflake,
    command: z.string(),
    options: optionValues,
    focused: z.string(),
  }),
  /** A command for messages, on this one. */
  z.strictObject({
    do: z.literal('invoke-on'),
    channelId: snowflake,
    command: z.string(),
    messageId: snowflake,
    nonce,
  }),
  z.strictObject({ do: z.literal('press'), messageId: snowflake, customId: z.string() }),
  z.strictObject({
    do: z.literal('select'),
    messageId: snowflake,
    customId: z.string(),
    values: z.array(z.string()),
  }),
  z.strictObject({
    do: z.literal('submit-modal'),
    interactionId: snowflake,
    values: z.record(z.string(), modalValue),
  }),
  z.strictObject({ do: z.literal('close-modal'), interactionId: snowflake }),
  /** Adds or takes back the user's own reaction. */
  z.strictObject({ do: z.literal('react'), messageId: snowflake, emoji: z.string(), on: z.boolean() }),
  z.strictObject({ do: z.literal('dismiss'), messageId: snowflake }),
  z.strictObject({ do: z.literal('change-locale'), locale: z.string() }),
]);

/** As the page sends it, and as the server reads it. */
export type Action = z.input<typeof action>;
export type ReadAction = z.output<typeof action>;
export type UploadInput = z.input<typeof upload>;
export type OptionInput = z.input<typeof optionValue>;
export type ModalInput = z.input<typeof modalValue>;

/** What each action resolves with, by its name. */
export interface ActionResult {
  say: APIMessage;
  invoke: InteractionResult;
  'invoke-on': InteractionResult;
  autocomplete: AutocompleteResult;
  press: InteractionResult;
  select: InteractionResult;
  'submit-modal': InteractionResult;
  'close-modal': null;
  react: null;
  dismiss: null;
  'change-locale': null;
}

/** Body of a 422: Discord's client would not have let the user do this. */
export interface UserClientErrorBody {
  reason: UserClientErrorReason;
  /** In English. */
  message: string;
  /** What `message` says, where it is known. */
  refusal: Refusal | null;
  field: string | null;
}
