import type { ChannelType } from 'discord-api-types/v10';
import type { Application, Overwrite, User } from './state/state.ts';

/** Snowflakes are strings of 17 to 19 digits; discord.js puts shorter ones into one rate-limit queue. */
export interface World {
  /** Bots that can log in: their users have their ids and names, and are members where a server names them. */
  applications: (Pick<Application, 'id' | 'name'> & Partial<Application>)[];
  users: (Pick<User, 'id' | 'username'> & Partial<User>)[];
  guilds?: WorldGuild[];
  /** Conversations between people, without a bot: 2 recipients make a DM, 3 and more a group. */
  privateChannels?: { id: string; recipients: string[]; name?: string }[];
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
