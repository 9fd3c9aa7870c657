import type { ChannelType } from 'discord-api-types/v10';

/** Snowflakes are strings of 17 to 19 digits; discord.js puts shorter ones into one rate-limit queue. */
export interface World {
  /** Bots that can log in. */
  applications: WorldApplication[];
  users: WorldUser[];
  guilds?: WorldGuild[];
  /** Conversations between people, without a bot: 2 recipients make a DM, 3 and more a group. */
  privateChannels?: { id: string; recipients: string[]; name?: string }[];
}

/** A bot: its user has the application's id and name, and is a member where it stands in `WorldGuild.members`. */
interface WorldApplication {
  id: string;
  name: string;
  /** What the bot logs in with; generated when absent, see `LocalDiscord.token`. */
  token?: string;
  description?: string;
  /** The user who made it; the first of `users` when absent. */
  ownerId?: string;
  /**
   * Bits of the privileged intents that are switched on for it, as in Discord's developer portal; all when absent.
   * The gateway is closed with 4014 for others.
   */
  privilegedIntents?: number;
  /** Ids of the custom emojis that components may show; others are refused. */
  emojis?: string[];
}

interface WorldUser {
  id: string;
  /** Lower case, unique. */
  username: string;
  displayName?: string;
  /** One of Discord's 32 locales; `en-US` when absent. */
  locale?: string;
  /** Applications (ids) that this user installed to their account. */
  installed?: string[];
  /** Refuses messages from bots (50007). */
  closedToDirectMessages?: boolean;
}

export interface WorldGuild {
  id: string;
  name: string;
  ownerId: string;
  locale?: string;
  roles?: { id: string; name: string; permissions: bigint; color?: number }[];
  channels: WorldChannel[];
  /** People and bots; the owner need not be listed. */
  members: { userId: string; roles?: string[]; nick?: string }[];
  /** AutoMod refuses messages with one of these (200000). */
  blockedWords?: string[];
}

export interface WorldChannel {
  id: string;
  name: string;
  topic?: string;
  nsfw?: boolean;
  overwrites?: Overwrite[];
  /** The channel whose public thread it is; with `type` of another kind, its category. */
  parentId?: string;
  /** Discord's number of the kind of channel: a text channel when absent. */
  type?: ChannelType;
}

/** What a role or a user may in one channel beyond or below their roles. */
export interface Overwrite {
  /** A role's or user's id; the guild's id for `@everyone`. */
  id: string;
  kind: 'role' | 'member';
  allow?: bigint;
  deny?: bigint;
}
