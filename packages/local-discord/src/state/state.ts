import type {
  APIApplicationCommand,
  APIEmbed,
  APIMessageTopLevelComponent,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  ChannelType,
  InteractionType,
  MessageType,
} from 'discord-api-types/v10';

/** Everything that there is, as plain data. */
export interface State extends Kept {
  /** Milliseconds since the epoch: who may do what depends on it. */
  readonly now: () => number;
}

/** What a restart keeps. All maps are by id. */
export interface Kept {
  applications: Map<string, Application>;
  users: Map<string, User>;
  guilds: Map<string, Guild>;
  channels: Map<string, Channel>;
  messages: Map<string, Message>;
  attachments: Map<string, Attachment>;
  commands: Map<string, APIApplicationCommand>;
  interactions: Map<string, Interaction>;
  /** Of channels; their tokens are derived, and kept nowhere. */
  webhooks: Map<string, Webhook>;
}

export interface Application {
  id: string;
  name: string;
  description: string;
  /** What the bot logs in with; generated where a world does not say it, see `LocalDiscord.token`. */
  token: string;
  /** The user who made it; the first of the world when absent. */
  ownerId: string;
  /**
   * Bits of the privileged intents that are switched on for it, as in Discord's developer portal; all when absent.
   * The gateway is closed with 4014 for others.
   */
  privilegedIntents: number;
  /** Ids of the custom emojis that components may show; others are refused. */
  emojis: string[];
}

export interface User {
  id: string;
  /** Lower case, unique. */
  username: string;
  displayName: string;
  /** One of Discord's 32 locales; `en-US` when absent. */
  locale: string;
  bot: boolean;
  /** Applications (ids) that this user installed to their account. */
  installed: string[];
  /** Refuses messages from bots (50007). */
  closedToDirectMessages: boolean;
}

export interface Role {
  id: string;
  name: string;
  permissions: bigint;
  color: number;
  hoist?: boolean;
  mentionable?: boolean;
}

export interface Member {
  userId: string;
  nick: string | null;
  roles: string[];
  joinedAt: number;
  /** Until then this member may only look: milliseconds since the epoch. */
  timedOutUntil: number | null;
}

export interface Guild {
  id: string;
  name: string;
  ownerId: string;
  locale: string;
  /** The first one is `@everyone`, whose id is the guild's. */
  roles: Role[];
  members: Member[];
  bans: { userId: string; reason: string | null }[];
  blockedWords: string[];
  /** Ids of applications whose commands alone were added: their bots need not be members. */
  installed?: string[];
}

export interface Channel {
  id: string;
  type: ChannelType;
  guildId: string | null;
  /** Of a thread: the channel that it belongs to; of another channel: its category. */
  parentId: string | null;
  name: string | null;
  topic: string | null;
  nsfw: boolean;
  overwrites: Overwrite[];
  /** Of a DM or a group: user ids. */
  recipients: string[];
  /** Of the newest message that is not ephemeral; the message may be deleted since. */
  lastMessageId: string | null;
  /** What else a bot gave it, as it goes over the wire: slow mode, bit rate, tags. */
  settings: Readonly<Record<string, unknown>>;
  thread?: Thread;
}

/** What a role or a user may in one channel beyond or below their roles. */
export interface Overwrite {
  /** A role's or user's id; the guild's id for `@everyone`. */
  id: string;
  kind: 'role' | 'member';
  allow?: bigint;
  deny?: bigint;
}

export interface Thread {
  ownerId: string;
  members: { userId: string; joinedAt: number }[];
  archived: boolean;
  locked: boolean;
  /** Of a private thread: whether its members may add others. */
  invitable: boolean;
  /** Minutes without a message. */
  archiveAfter: number;
  /** When it was made, archived or opened again, or got other minutes. */
  changedAt: number;
  /** How many messages were ever sent in it, without the one that a post begins with. */
  sent: number;
}

export interface Message {
  id: string;
  type: MessageType;
  channelId: string;
  authorId: string;
  content: string;
  embeds: APIEmbed[];
  components: APIMessageTopLevelComponent[];
  attachments: string[];
  flags: number;
  editedAt: number | null;
  tts: boolean;
  mentions: { everyone: boolean; users: string[]; roles: string[] };
  nonce: string | number | null;
  replyTo: string | null;
  /** The message that it forwards, as it was then; its files are still the other's. */
  forwards?: Message;
  /** The only user who sees it; `null`: everybody in the channel. */
  reader: string | null;
  /** That user's client shows it no more. */
  dismissed?: true;
  interaction: InteractionMetadata | null;
  /** The webhook of its channel that wrote it, and under which name. */
  webhook?: { id: string; applicationId: string; name: string };
  /** In the order in which their emojis were first used. */
  reactions: { emoji: string; userIds: string[] }[];
}

/** What a message tells of its interaction, kept with it because interactions are forgotten. */
export interface InteractionMetadata {
  id: string;
  type: InteractionType;
  applicationId: string;
  userId: string;
  owners: Owners;
  commandName: string | null;
  commandType: ApplicationCommandType | null;
  /** The message whose component was used. */
  sourceMessageId: string | null;
  /** Of a follow-up: the first answer. */
  originalMessageId: string | null;
  trigger: InteractionMetadata | null;
}

/** Keys are integration types, `'0'` guild and `'1'` user; values ids of guild (`'0'` in a bot's DM) and user. */
export type Owners = { [key in ApplicationIntegrationType]?: string };

export interface Webhook {
  id: string;
  guildId: string;
  channelId: string;
  applicationId: string;
  name: string;
}

export interface Attachment {
  id: string;
  channelId: string;
  filename: string;
  contentType: string;
  size: number;
  width: number | null;
  height: number | null;
  description: string | null;
  title: string | null;
  ephemeral: boolean;
}

/** What autocomplete can be asked for. */
export type Suggested =
  | ApplicationCommandOptionType.String
  | ApplicationCommandOptionType.Integer
  | ApplicationCommandOptionType.Number;

export interface Interaction {
  metadata: InteractionMetadata;
  /** SHA-256 of the token, in hex: the token itself is never kept. */
  tokenHash: string;
  channelId: string;
  guildId: string | null;
  /** Of autocomplete: the type of the option that it is about. */
  suggestsFor?: Suggested;
  createdAt: number;
  /** `lost`: no answer came in time. */
  stage: 'waiting' | 'answered' | 'lost';
  /** What `@original` means: the first answer, or the message whose component was used. */
  originalMessageId: string | null;
  /** The member may not use external apps here: every answer is ephemeral. */
  forcedEphemeral: boolean;
  messageIds: string[];
  followUps: number;
}

export const emptyState = (now: () => number): State => ({
  now,
  applications: new Map(),
  users: new Map(),
  guilds: new Map(),
  channels: new Map(),
  messages: new Map(),
  attachments: new Map(),
  commands: new Map(),
  interactions: new Map(),
  webhooks: new Map(),
});
