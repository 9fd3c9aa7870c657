import { type APIGuildMember, GatewayIntentBits as Intent } from 'discord-api-types/v10';
import type { Context } from '../context.ts';
import { withoutContent } from '../rules/message-content.ts';
import { memberOf, sees } from '../rules/permissions.ts';
import { guildIdOf, serializeChannel, serializeThreadMember } from '../serialize/channel.ts';
import { serializeGuildCreate, serializeMember, serializeRole } from '../serialize/guild.ts';
import { serializeMessage } from '../serialize/message.ts';
import { serializeUserById } from '../serialize/user.ts';
import { guildOf, isThread } from '../state/channels.ts';
import type { StateEvent } from '../state/event-bus.ts';
import type { Channel, Guild, Message, Role } from '../state/state.ts';
import type { Session } from './session.ts';

/**
 * Every event that bots are sent, and the intents it needs in a server and in a direct conversation. Source:
 * 'Gateway', list of intents.
 */
export const GATEWAY_EVENTS = {
  READY: {},
  RESUMED: {},
  INTERACTION_CREATE: {},
  GUILD_MEMBERS_CHUNK: {},
  GUILD_CREATE: { guild: Intent.Guilds },
  GUILD_DELETE: { guild: Intent.Guilds },
  GUILD_ROLE_CREATE: { guild: Intent.Guilds },
  GUILD_ROLE_UPDATE: { guild: Intent.Guilds },
  GUILD_ROLE_DELETE: { guild: Intent.Guilds },
  GUILD_BAN_ADD: { guild: Intent.GuildModeration },
  GUILD_BAN_REMOVE: { guild: Intent.GuildModeration },
  THREAD_MEMBERS_UPDATE: { guild: Intent.Guilds },
  WEBHOOKS_UPDATE: { guild: Intent.GuildWebhooks },
  CHANNEL_CREATE: { guild: Intent.Guilds },
  CHANNEL_UPDATE: { guild: Intent.Guilds },
  CHANNEL_DELETE: { guild: Intent.Guilds },
  THREAD_CREATE: { guild: Intent.Guilds },
  THREAD_UPDATE: { guild: Intent.Guilds },
  THREAD_DELETE: { guild: Intent.Guilds },
  GUILD_MEMBER_ADD: { guild: Intent.GuildMembers },
  GUILD_MEMBER_UPDATE: { guild: Intent.GuildMembers },
  GUILD_MEMBER_REMOVE: { guild: Intent.GuildMembers },
  MESSAGE_CREATE: { guild: Intent.GuildMessages, direct: Intent.DirectMessages },
  MESSAGE_UPDATE: { guild: Intent.GuildMessages, direct: Intent.DirectMessages },
  MESSAGE_DELETE_BULK: { guild: Intent.GuildMessages },
  MESSAGE_DELETE: { guild: Intent.GuildMessages, direct: Intent.DirectMessages },
  MESSAGE_REACTION_ADD: { guild: Intent.GuildMessageReactions, direct: Intent.DirectMessageReactions },
  MESSAGE_REACTION_REMOVE: { guild: Intent.GuildMessageReactions, direct: Intent.DirectMessageReactions },
  PRESENCE_UPDATE: { guild: Intent.GuildPresences },
  TYPING_START: { guild: Intent.GuildMessageTyping, direct: Intent.DirectMessageTyping },
} as const satisfies Record<string, { guild?: Intent; direct?: Intent }>;

type Of<T extends StateEvent['type']> = Extract<StateEvent, { type: T }>;

type GatewayEvent = keyof typeof GATEWAY_EVENTS;

interface Told {
  name: GatewayEvent;
  guildId: string | null;
  data: unknown;
  /** Without the intent as well. */
  always?: boolean;
}

/** Sends an event to a session if its shard, intents and permissions allow it. Source: 'Gateway', intents. */
export function dispatch(context: Context, session: Session, event: StateEvent): void {
  for (const { name, guildId, data, always } of toldOf(context, session, event)) {
    const intents: { guild?: Intent; direct?: Intent } = GATEWAY_EVENTS[name];
    const intent = (guildId === null ? intents.direct : intents.guild) ?? 0;
    const isWanted = always || (session.intents & intent) !== 0;
    if (isWanted && session.handlesGuild(guildId)) session.send(name, data);
  }
}

/** What a bot is told of an event where it is, and of what it may see there. */
function toldOf(context: Context, session: Session, event: StateEvent): Told[] {
  const { state } = context;
  const bot = session.applicationId;
  const isIn = (guild: Guild | undefined) => guild !== undefined && memberOf(guild, bot) !== undefined;

  switch (event.type) {
    case 'message-created':
      return ofMessage('MESSAGE_CREATE', event.message);
    case 'message-updated':
      return ofMessage('MESSAGE_UPDATE', event.message);
    case 'message-deleted': {
      const { id, channelId } = event.message;
      const channel = event.inBulk ? undefined : visibleChannel(event.message);
      if (!channel) return [];
      const data = { id, channel_id: channelId, ...guildIdOf(channel) };
      return [{ name: 'MESSAGE_DELETE', guildId: channel.guildId, data }];
    }
    case 'messages-deleted': {
      const { channel, ids } = event;
      if (!sees(state, channel, bot)) return [];
      const data = { ids, channel_id: channel.id, ...guildIdOf(channel) };
      return [{ name: 'MESSAGE_DELETE_BULK', guildId: channel.guildId, data }];
    }
    case 'reaction-added':
      return ofReaction('MESSAGE_REACTION_ADD', event);
    case 'reaction-removed':
      return ofReaction('MESSAGE_REACTION_REMOVE', event);
    case 'channel-created':
      return ofChannel('CREATE', event.channel);
    case 'channel-updated':
      return ofChannel('UPDATE', event.channel);
    case 'channel-deleted':
      return ofChannel('DELETE', event.channel);
    case 'webhooks-changed': {
      const { id, guildId } = event.channel;
      if (!sees(state, event.channel, bot)) return [];
      return [{ name: 'WEBHOOKS_UPDATE', guildId, data: { guild_id: guildId, channel_id: id } }];
    }
    case 'typing-started':
      return ofTyping(event.channel, event.userId);
    case 'role-created':
      return ofRole('GUILD_ROLE_CREATE', event);
    case 'role-updated':
      return ofRole('GUILD_ROLE_UPDATE', event);
    case 'role-deleted':
      return inGuild('GUILD_ROLE_DELETE', event.guild, { role_id: event.role.id });
    case 'ban-added':
      return inGuild('GUILD_BAN_ADD', event.guild, { user: serializeUserById(state, event.userId) });
    case 'ban-removed':
      return inGuild('GUILD_BAN_REMOVE', event.guild, { user: serializeUserById(state, event.userId) });
    case 'thread-member-changed':
      return ofThreadMember(event);
    case 'member-added': {
      const { guild, member } = event;
      if (member.userId !== bot) return inGuild('GUILD_MEMBER_ADD', guild, serializeMember(state, member));
      const data = serializeGuildCreate(state, guild, bot, session.intents);
      return [{ name: 'GUILD_CREATE', guildId: guild.id, data }];
    }
    case 'member-updated': {
      const { guild, member } = event;
      const told = inGuild('GUILD_MEMBER_UPDATE', guild, serializeMember(state, member));
      // Source: 'Gateway', list of intents: a bot hears of itself without the intent.
      return told.map((one) => ({ ...one, always: member.userId === bot }));
    }
    case 'member-removed': {
      const { guild, member } = event;
      if (member.userId === bot) return [{ name: 'GUILD_DELETE', guildId: guild.id, data: { id: guild.id } }];
      return inGuild('GUILD_MEMBER_REMOVE', guild, { user: serializeUserById(state, member.userId) });
    }
    case 'guild-deleted': {
      const { id } = event.guild;
      return isIn(event.guild) ? [{ name: 'GUILD_DELETE', guildId: id, data: { id } }] : [];
    }
    default:
      return [];
  }

  function inGuild(name: GatewayEvent, guild: Guild, data: object): Told[] {
    return isIn(guild) ? [{ name, guildId: guild.id, data: { guild_id: guild.id, ...data } }] : [];
  }

  function ofRole(name: GatewayEvent, { guild, role }: { guild: Guild; role: Role }): Told[] {
    return inGuild(name, guild, { role: serializeRole(role, guild.roles.indexOf(role)) });
  }

  /** Whom a user is in the server of a channel. */
  function memberIn(channel: Channel, userId: string): APIGuildMember | undefined {
    const guild = guildOf(state, channel);
    const member = guild && memberOf(guild, userId);
    return member && serializeMember(state, member);
  }

  /** Where the bot may read the message; ephemeral ones are sent to no bot. */
  function visibleChannel({ channelId, reader }: Message): Channel | undefined {
    const channel = state.channels.get(channelId);
    return channel && reader === null && sees(state, channel, bot) ? channel : undefined;
  }

  /** Of others than itself a bot hears with the intent only. Source: 'Gateway', list of intents. */
  function ofThreadMember({ channel, userId, isMember }: Of<'thread-member-changed'>): Told[] {
    const { id, guildId, thread } = channel;
    if (!thread || (userId !== bot && (session.intents & Intent.GuildMembers) === 0)) return [];
    const member = thread.members.find((known) => known.userId === userId);
    const change = member
      ? { added_members: [serializeThreadMember(id, member)] }
      : { removed_member_ids: [userId] };
    const data = { id, guild_id: guildId, member_count: thread.members.length, ...change };
    const told: Told = { name: 'THREAD_MEMBERS_UPDATE', guildId, data };
    // Source: 'Gateway Events', Thread Create: who is added is told of the thread itself, too.
    if (!isMember || userId !== bot || !sees(state, channel, bot)) return [told];
    return [{ name: 'THREAD_CREATE', guildId, data: serializeChannel(state, channel, bot) }, told];
  }

  /** Of threads a bot hears where it may view them; of what is deleted it hears in any case. Source: 'Threads'. */
  function ofChannel(change: 'CREATE' | 'UPDATE' | 'DELETE', channel: Channel): Told[] {
    const { id, type, guildId, parentId } = channel;
    if (!guildId || !isIn(state.guilds.get(guildId))) return [];
    const whole = serializeChannel(state, channel, bot);
    if (!isThread(channel)) return [{ name: `CHANNEL_${change}`, guildId, data: whole }];
    if (change === 'DELETE') {
      return [{ name: 'THREAD_DELETE', guildId, data: { id, guild_id: guildId, parent_id: parentId, type } }];
    }
    const data = { ...whole, ...(change === 'CREATE' && { newly_created: true }) };
    return sees(state, channel, bot) ? [{ name: `THREAD_${change}`, guildId, data }] : [];
  }

  /**
   * Content without the intent only where it concerns the bot. Source: 'Gateway Events', extra fields of Message Create.
   */
  function ofMessage(name: GatewayEvent, message: Message): Told[] {
    const channel = visibleChannel(message);
    if (!channel) return [];
    const asMember = (userId: string) => {
      const member = memberIn(channel, userId);
      return member && { member: { ...member, user: undefined } };
    };
    const whole = serializeMessage(context, message, bot);
    const reads = (session.intents & Intent.MessageContent) !== 0;
    const data = {
      ...(reads ? whole : withoutContent(whole, bot, channel.guildId === null)),
      ...guildIdOf(channel),
      ...asMember(message.authorId),
      mentions: whole.mentions.map((user) => ({ ...user, ...asMember(user.id) })),
    };
    return [{ name, guildId: channel.guildId, data }];
  }

  /** Source: 'Gateway Events', Message Reaction Add and Remove. */
  function ofReaction(
    name: 'MESSAGE_REACTION_ADD' | 'MESSAGE_REACTION_REMOVE',
    { message, emoji, userId }: Of<'reaction-added' | 'reaction-removed'>,
  ): Told[] {
    const channel = visibleChannel(message);
    if (!channel) return [];
    const member = memberIn(channel, userId);
    const isAdded = name === 'MESSAGE_REACTION_ADD';
    const data = {
      user_id: userId,
      channel_id: channel.id,
      message_id: message.id,
      ...guildIdOf(channel),
      emoji: { id: null, name: emoji },
      burst: false,
      type: 0,
      ...(isAdded && { message_author_id: message.authorId, burst_colors: [] }),
      ...(isAdded && member && { member }),
    };
    return [{ name, guildId: channel.guildId, data }];
  }

  /** Source: 'Gateway Events', Typing Start. */
  function ofTyping(channel: Channel, userId: string): Told[] {
    if (!sees(state, channel, bot)) return [];
    const member = memberIn(channel, userId);
    const data = {
      channel_id: channel.id,
      user_id: userId,
      timestamp: Math.floor(context.clock.now() / 1_000),
      ...guildIdOf(channel),
      ...(member && { member }),
    };
    return [{ name: 'TYPING_START', guildId: channel.guildId, data }];
  }
}
