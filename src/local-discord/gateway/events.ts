import {
  type GatewayDispatchPayload,
  GatewayIntentBits as Intent,
  PermissionFlagsBits as P,
} from 'discord-api-types/v10';
import type { Core } from '../core.ts';
import { channelPermissions, has, memberOf } from '../rules/permissions.ts';
import type { Happening } from '../state/feed.ts';
import type { Channel, Message } from '../state/state.ts';
import { wireChannel } from '../wire/channel.ts';
import { wireGuildCreate, wireMember } from '../wire/guild.ts';
import { wireMessage } from '../wire/message.ts';
import type { Session } from './session.ts';

type EventName = GatewayDispatchPayload['t'];
type Send = (intent: Intent, guildId: string | null, t: string, d: unknown) => void;

/** Tells one session what happened, as far as its shard, intents and permissions go. Source: 'Gateway', intents. */
export function tell(core: Core, session: Session, happening: Happening): void {
  const { state } = core;
  const send: Send = (intent, guildId, t, d) => {
    // Names of events are an enum of texts.
    if (session.serves(guildId) && (session.intents & intent) !== 0) session.send(t as EventName, d);
  };
  switch (happening.type) {
    case 'message-created':
    case 'message-updated':
    case 'message-deleted':
      tellMessage(core, session, happening, send);
      return;
    case 'channel-created':
    case 'channel-deleted': {
      const { channel } = happening;
      if (!channel.guildId || !isMember(core, channel.guildId, session)) return;
      const t = happening.type === 'channel-created' ? 'CHANNEL_CREATE' : 'CHANNEL_DELETE';
      send(Intent.Guilds, channel.guildId, t, wireChannel(state, channel, session.applicationId));
      return;
    }
    case 'typing-started':
      tellTyping(core, session, happening, send);
      return;
    case 'guild-joined': {
      const { guild, userId } = happening;
      const member = memberOf(guild, userId);
      if (userId === session.applicationId) {
        send(Intent.Guilds, guild.id, 'GUILD_CREATE', wireGuildCreate(state, guild, userId));
      } else if (member && isMember(core, guild.id, session)) {
        const joined = { ...wireMember(state, member), guild_id: guild.id };
        send(Intent.GuildMembers, guild.id, 'GUILD_MEMBER_ADD', joined);
      }
      return;
    }
    case 'guild-left':
      if (happening.userId === session.applicationId) {
        send(Intent.Guilds, happening.guild.id, 'GUILD_DELETE', { id: happening.guild.id });
      }
      return;
    default:
      return;
  }
}

function isMember({ state }: Core, guildId: string, session: Session): boolean {
  const guild = state.guilds.get(guildId);
  return guild !== undefined && memberOf(guild, session.applicationId) !== undefined;
}

/** Source: 'Gateway Events', Typing Start. */
function tellTyping(
  { state, clock }: Core,
  session: Session,
  { channel, userId }: { channel: Channel; userId: string },
  send: Send,
): void {
  if (!has(channelPermissions(state, channel, session.applicationId), P.ViewChannel)) return;
  const guild = channel.guildId ? state.guilds.get(channel.guildId) : undefined;
  const member = guild && memberOf(guild, userId);
  send(
    channel.guildId ? Intent.GuildMessageTyping : Intent.DirectMessageTyping,
    channel.guildId,
    'TYPING_START',
    {
      channel_id: channel.id,
      user_id: userId,
      timestamp: Math.floor(clock.now() / 1_000),
      ...(guild && { guild_id: guild.id }),
      ...(member && { member: wireMember(state, member) }),
    },
  );
}

/** Ephemeral messages are told to no bot; content without the intent only where it concerns the bot. */
function tellMessage(
  { state, links }: Core,
  session: Session,
  { type, message }: { type: string; message: Message },
  send: Send,
): void {
  const bot = session.applicationId;
  const channel = state.channels.get(message.channelId);
  if (!channel || message.reader !== null) return;
  if (!has(channelPermissions(state, channel, bot), P.ViewChannel)) return;
  const intent = channel.guildId ? Intent.GuildMessages : Intent.DirectMessages;
  const place = channel.guildId ? { guild_id: channel.guildId } : {};
  if (type === 'message-deleted') {
    send(intent, channel.guildId, 'MESSAGE_DELETE', { id: message.id, channel_id: channel.id, ...place });
    return;
  }
  const guild = channel.guildId ? state.guilds.get(channel.guildId) : undefined;
  const author = guild && memberOf(guild, message.authorId);
  const concerned =
    (session.intents & Intent.MessageContent) !== 0 ||
    !channel.guildId ||
    message.authorId === bot ||
    message.mentions.users.includes(bot);
  send(intent, channel.guildId, type === 'message-created' ? 'MESSAGE_CREATE' : 'MESSAGE_UPDATE', {
    ...wireMessage(state, links, message),
    ...place,
    ...(author && { member: { ...wireMember(state, author), user: undefined } }),
    ...(!concerned && { content: '', embeds: [], attachments: [], components: [] }),
  });
}
