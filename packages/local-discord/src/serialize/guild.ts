import {
  type APIGuild,
  type APIGuildMember,
  type APIRole,
  type GatewayGuildCreateDispatchData,
  GatewayIntentBits,
  GuildDefaultMessageNotifications,
  GuildExplicitContentFilter,
  GuildMFALevel,
  GuildNSFWLevel,
  GuildPremiumTier,
  GuildSystemChannelFlags,
  GuildVerificationLevel,
  type Locale,
} from 'discord-api-types/v10';
import { pictureHash } from '../cdn/links.ts';
import { sees } from '../rules/permissions.ts';
import { isActive, isThread } from '../state/channels.ts';
import type { Channel, Guild, Member, Role, State } from '../state/state.ts';
import { serializeChannel } from './channel.ts';
import { NO_FLAGS, serializeUserById } from './user.ts';

/** Source: 'Guild', guild object. */
export function serializeGuild(guild: Guild): APIGuild {
  return {
    id: guild.id,
    name: guild.name,
    icon: pictureHash(guild.id),
    owner_id: guild.ownerId,
    premium_tier: GuildPremiumTier.None,
    // A locale of a seed is a text of the same value as Discord's enum.
    preferred_locale: guild.locale as Locale,
    roles: guild.roles.map((role, position) => serializeRole(role, position)),
    emojis: [],
    stickers: [],
    features: [],
    splash: null,
    discovery_splash: null,
    banner: null,
    description: null,
    vanity_url_code: null,
    region: '',
    afk_channel_id: null,
    afk_timeout: 300,
    application_id: null,
    system_channel_id: null,
    system_channel_flags: GuildSystemChannelFlags.SuppressJoinNotifications,
    rules_channel_id: null,
    public_updates_channel_id: null,
    safety_alerts_channel_id: null,
    verification_level: GuildVerificationLevel.None,
    default_message_notifications: GuildDefaultMessageNotifications.OnlyMentions,
    explicit_content_filter: GuildExplicitContentFilter.Disabled,
    mfa_level: GuildMFALevel.None,
    nsfw_level: GuildNSFWLevel.Default,
    premium_progress_bar_enabled: false,
    premium_subscription_count: 0,
    max_video_channel_users: 25,
    hub_type: null,
    incidents_data: null,
  };
}

/** For `with_counts`: everybody of a local Discord is there. */
export function memberCounts({ members }: Guild) {
  return { approximate_member_count: members.length, approximate_presence_count: members.length };
}

/** What a bot with the Guilds intent receives for each server. Source: 'Gateway Events', Guild Create. */
export function serializeGuildCreate(
  state: State,
  guild: Guild,
  botId: string,
  intents: number,
): GatewayGuildCreateDispatchData {
  const bot = guild.members.find(({ userId }) => userId === botId);
  // Source: 'Gateway Events', Guild Create: who is there comes with the intent for presences, and the bot without it.
  const members = guild.members.filter(
    (member) => member === bot || (intents & GatewayIntentBits.GuildPresences) !== 0,
  );
  const all = [...state.channels.values()].filter(({ guildId }) => guildId === guild.id);
  const serialize = (channel: Channel) => serializeChannel(state, channel, botId);
  const channels = all.filter((channel) => !isThread(channel)).map(serialize);
  const threads = all.filter((channel) => isActive(channel) && sees(state, channel, botId)).map(serialize);
  return {
    ...serializeGuild(guild),
    joined_at: new Date(bot?.joinedAt ?? 0).toISOString(),
    unavailable: false,
    large: false,
    member_count: guild.members.length,
    members: members.map((member) => serializeMember(state, member)),
    // Channels of a guild are guild channels, and its threads are threads.
    channels: channels as GatewayGuildCreateDispatchData['channels'],
    threads: threads as GatewayGuildCreateDispatchData['threads'],
    presences: [],
    voice_states: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  };
}

export function serializeRole(
  { id, name, permissions, color, hoist = false, mentionable = false }: Role,
  position: number,
): APIRole {
  return {
    id,
    name,
    permissions: String(permissions),
    color,
    colors: { primary_color: color, secondary_color: null, tertiary_color: null },
    position,
    hoist,
    managed: false,
    mentionable,
    flags: NO_FLAGS,
  };
}

/** Source: 'Guild', guild member object. */
export function serializeMember(
  state: State,
  { userId, nick, roles, joinedAt, timedOutUntil }: Member,
): APIGuildMember {
  return {
    user: serializeUserById(state, userId),
    nick,
    avatar: null,
    banner: null,
    roles,
    joined_at: new Date(joinedAt).toISOString(),
    premium_since: null,
    deaf: false,
    mute: false,
    flags: NO_FLAGS,
    pending: false,
    communication_disabled_until: timedOutUntil === null ? null : new Date(timedOutUntil).toISOString(),
  };
}
