import { GatewayIntentBits as Intent } from 'discord-api-types/v10';
import type { Context } from '../context.ts';
import { withoutContent } from '../rules/message-content.ts';
import { memberOf, sees } from '../rules/permissions.ts';
import { guildIdOf, serializeChannel, serializeThreadMember } from '../serialize/channel.ts';
import { serializeGuildCreate, serializeMember, serializeRole } from '../serialize/guild.ts';
import { serializeMessage } from '../serialize/message.ts';
import { serializeUserById } from '../serialize/user.ts';
import { guildOf, isThread } from '../state/channels.ts';
import type { StateEvent } from '../state/event-bus.ts';
import type { Channel, Guild, Member, Message } from '../state/state.ts';
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

/** Sends an event to a session if its shard, intents and permissions allow it. Source: 'Gateway', intents. */
export function dispatch(context: Context, session: Session, event: StateEvent): void {
  const { state } = context;
  const bot = session.applicationId;
  const send = (name: GatewayEvent, guildId: string | null, d: unknown) => {
    const intents: { guild?: Intent; direct?: Intent } = GATEWAY_EVENTS[name];
    const intent = (guildId === null ? intents.direct : intents.guild) ?? 0;
    if (session.handlesGuild(guildId) && (session.intents & intent) !== 0) session.send(name, d);
  };
  const isIn = (guild: Guild | undefined) => guild !== undefined && memberOf(guild, bot) !== undefined;

  switch (event.type) {
    case 'message-created':
      sendMessage('MESSAGE_CREATE', event.message);
      return;
    case 'message-updated':
      sendMessage('MESSAGE_UPDATE', event.message);
      return;
    case 'message-deleted': {
      if (event.inBulk) return;
      const { id, channelId } = event.message;
      const channel = visibleChannel(event.message);
      if (!channel) return;
      send('MESSAGE_DELETE', channel.guildId, { id, channel_id: channelId, ...guildIdOf(channel) });
      return;
    }
    case 'messages-deleted': {
      const { channel, ids } = event;
      if (!sees(state, channel, bot)) return;
      send('MESSAGE_DELETE_BULK', channel.guildId, { ids, channel_id: channel.id, ...guildIdOf(channel) });
      return;
    }
    case 'reaction-added':
      sendReaction('MESSAGE_REACTION_ADD', event);
      return;
    case 'reaction-removed':
      sendReaction('MESSAGE_REACTION_REMOVE', event);
      return;
    case 'channel-created':
      sendChannel('CREATE', event.channel);
      return;
    case 'channel-updated':
      sendChannel('UPDATE', event.channel);
      return;
    case 'channel-deleted':
      sendChannel('DELETE', event.channel);
      return;
    case 'webhooks-changed': {
      const { id, guildId } = event.channel;
      if (sees(state, event.channel, bot)) {
        send('WEBHOOKS_UPDATE', guildId, { guild_id: guildId, channel_id: id });
      }
      return;
    }
    case 'typing-started':
      sendTyping(event.channel, event.userId);
      return;
    case 'role-created':
    case 'role-updated': {
      const { guild, role } = event;
      if (!isIn(guild)) return;
      const data = { guild_id: guild.id, role: serializeRole(role, guild.roles.indexOf(role)) };
      send(event.type === 'role-created' ? 'GUILD_ROLE_CREATE' : 'GUILD_ROLE_UPDATE', guild.id, data);
      return;
    }
    case 'role-deleted': {
      const { guild, role } = event;
      if (isIn(guild)) send('GUILD_ROLE_DELETE', guild.id, { guild_id: guild.id, role_id: role.id });
      return;
    }
    case 'ban-added':
    case 'ban-removed': {
      const { guild, userId } = event;
      const data = { guild_id: guild.id, user: serializeUserById(state, userId) };
      if (!isIn(guild)) return;
      send(event.type === 'ban-added' ? 'GUILD_BAN_ADD' : 'GUILD_BAN_REMOVE', guild.id, data);
      return;
    }
    case 'thread-member-changed':
      sendThreadMember(event);
      return;
    case 'member-added': {
      const { guild, member } = event;
      if (member.userId === bot) {
        send('GUILD_CREATE', guild.id, serializeGuildCreate(state, guild, bot, session.intents));
      } else if (isIn(guild)) send('GUILD_MEMBER_ADD', guild.id, memberData(guild, member));
      return;
    }
    case 'member-updated': {
      const { guild, member } = event;
      if (member.userId !== bot) {
        if (isIn(guild)) send('GUILD_MEMBER_UPDATE', guild.id, memberData(guild, member));
        return;
      }
      // Source: 'Gateway', list of intents: a bot hears of itself without the intent.
      if (session.handlesGuild(guild.id)) session.send('GUILD_MEMBER_UPDATE', memberData(guild, member));
      return;
    }
    case 'member-removed': {
      const { guild, member } = event;
      if (member.userId === bot) {
        send('GUILD_DELETE', guild.id, { id: guild.id });
        return;
      }
      const { user } = serializeMember(state, member);
      if (isIn(guild)) send('GUILD_MEMBER_REMOVE', guild.id, { guild_id: guild.id, user });
      return;
    }
    case 'guild-deleted':
      if (isIn(event.guild)) send('GUILD_DELETE', event.guild.id, { id: event.guild.id });
      return;
    default:
      return;
  }

  function memberData(guild: Guild, member: Member) {
    return { ...serializeMember(state, member), guild_id: guild.id };
  }

  /** Where the bot may read the message; ephemeral ones are sent to no bot. */
  function visibleChannel({ channelId, reader }: Message): Channel | undefined {
    const channel = state.channels.get(channelId);
    if (!channel || reader !== null) return undefined;
    return sees(state, channel, bot) ? channel : undefined;
  }

  /** Of others than itself a bot hears with the intent only. Source: 'Gateway', list of intents. */
  function sendThreadMember({ channel, userId, isMember }: Of<'thread-member-changed'>): void {
    const { id, guildId, thread } = channel;
    if (!guildId || !thread || (userId !== bot && (session.intents & Intent.GuildMembers) === 0)) return;
    const member = thread.members.find((known) => known.userId === userId);
    // Source: 'Gateway Events', Thread Create: who is added is told of the thread itself, too.
    if (isMember && userId === bot && sees(state, channel, bot)) {
      send('THREAD_CREATE', guildId, serializeChannel(state, channel, bot));
    }
    send('THREAD_MEMBERS_UPDATE', guildId, {
      id,
      guild_id: guildId,
      member_count: thread.members.length,
      ...(isMember && member
        ? { added_members: [serializeThreadMember(id, member)] }
        : { removed_member_ids: [userId] }),
    });
  }

  /** Of threads a bot hears where it may view them; of what is deleted it hears in any case. Source: 'Threads'. */
  function sendChannel(change: 'CREATE' | 'UPDATE' | 'DELETE', channel: Channel): void {
    const { id, type, guildId, parentId } = channel;
    if (!guildId || !isIn(state.guilds.get(guildId))) return;
    if (!isThread(channel)) send(`CHANNEL_${change}`, guildId, serializeChannel(state, channel, bot));
    else if (change === 'DELETE') {
      send('THREAD_DELETE', guildId, { id, guild_id: guildId, parent_id: parentId, type });
    } else if (sees(state, channel, bot)) {
      const newly = change === 'CREATE' && { newly_created: true };
      send(`THREAD_${change}`, guildId, { ...serializeChannel(state, channel, bot), ...newly });
    }
  }

  /**
   * Content without the intent only where it concerns the bot. Source: 'Gateway Events', extra fields of Message Create.
   */
  function sendMessage(name: GatewayEvent, message: Message): void {
    const channel = visibleChannel(message);
    if (!channel) return;
    const guild = guildOf(state, channel);
    const asMember = (userId: string) => {
      const member = guild && memberOf(guild, userId);
      return member && { member: { ...serializeMember(state, member), user: undefined } };
    };
    const whole = serializeMessage(context, message, bot);
    const reads = (session.intents & Intent.MessageContent) !== 0;
    send(name, channel.guildId, {
      ...(reads ? whole : withoutContent(whole, bot, channel.guildId === null)),
      ...guildIdOf(channel),
      ...asMember(message.authorId),
      mentions: whole.mentions.map((user) => ({ ...user, ...asMember(user.id) })),
    });
  }

  /** Source: 'Gateway Events', Message Reaction Add and Remove. */
  function sendReaction(
    name: 'MESSAGE_REACTION_ADD' | 'MESSAGE_REACTION_REMOVE',
    { message, emoji, userId }: { message: Message; emoji: string; userId: string },
  ): void {
    const channel = visibleChannel(message);
    if (!channel) return;
    const guild = guildOf(state, channel);
    const member = guild && memberOf(guild, userId);
    const isAdded = name === 'MESSAGE_REACTION_ADD';
    send(name, channel.guildId, {
      user_id: userId,
      channel_id: channel.id,
      message_id: message.id,
      ...guildIdOf(channel),
      emoji: { id: null, name: emoji },
      burst: false,
      type: 0,
      ...(isAdded && { message_author_id: message.authorId, burst_colors: [] }),
      ...(isAdded && member && { member: serializeMember(state, member) }),
    });
  }

  /** Source: 'Gateway Events', Typing Start. */
  function sendTyping(channel: Channel, userId: string): void {
    if (!sees(state, channel, bot)) return;
    const guild = guildOf(state, channel);
    const member = guild && memberOf(guild, userId);
    send('TYPING_START', channel.guildId, {
      channel_id: channel.id,
      user_id: userId,
      timestamp: Math.floor(context.clock.now() / 1_000),
      ...guildIdOf(channel),
      ...(member && { member: serializeMember(state, member) }),
    });
  }
}
