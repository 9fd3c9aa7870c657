import { MessageType, PermissionFlagsBits as P } from 'discord-api-types/v10';
import type { Core } from '../core.ts';
import type { Interactions } from '../interactions/interactions.ts';
import { isBlocked } from '../rules/auto-mod.ts';
import { ApiError } from '../rules/errors.ts';
import { memberOf } from '../rules/permissions.ts';
import { openDirectMessage } from '../state/direct-messages.ts';
import type { Messages } from '../state/messages.ts';
import { compareIds } from '../state/snowflakes.ts';
import { wireChannel } from '../wire/channel.ts';
import { wireMember, wireRole } from '../wire/guild.ts';
import { wireMessage } from '../wire/message.ts';
import { wireUser } from '../wire/user.ts';
import { visibleCommands } from './commands.ts';
import type { Hand } from './hand.ts';
import { createInteracting } from './interacting.ts';
import { Refusal } from './refusal.ts';
import { createSight } from './sight.ts';
import { createWatching } from './watching.ts';

interface Parts {
  core: Core;
  messages: Messages;
  interactions: Interactions;
}

/** See `Hand`. */
export function createHand({ core, messages, interactions }: Parts, userId: string): Hand {
  const { state, links } = core;
  const user = state.users.get(userId);
  if (!user || user.bot) throw new Refusal('unknown', `There is no person ${userId}.`);
  const sight = createSight(state, userId);
  const watching = createWatching({ core, sight });

  return {
    user: wireUser(user),
    ...createInteracting({ core, interactions, user, sight, watching }),
    watch: watching.watch,
    waitForMessage: watching.waitForMessage,

    guilds: () =>
      [...state.guilds.values()]
        .filter((guild) => memberOf(guild, userId))
        .map((guild) => ({
          id: guild.id,
          name: guild.name,
          iconUrl: links.icon(guild),
          channels: [...state.channels.values()]
            .filter((channel) => channel.guildId === guild.id && sight.seesChannel(channel))
            .map((channel) => wireChannel(state, channel, userId)),
          members: guild.members.map((member) => wireMember(state, member)),
          roles: guild.roles.map(wireRole),
        })),
    directMessages: () =>
      [...state.channels.values()]
        .filter(({ guildId, recipients }) => guildId === null && recipients.includes(userId))
        .map((channel) => wireChannel(state, channel, userId)),
    openDirectMessage(botId = [...state.applications.keys()][0] ?? '') {
      if (!state.applications.has(botId)) throw new Refusal('unknown', `There is no bot ${botId}.`);
      return wireChannel(state, openDirectMessage(core, userId, botId), userId);
    },
    avatarUrl: (of) => links.avatar(of),
    commands: (channelId) => visibleCommands(core, user, sight.channel(channelId)),

    messages(channelId, { limit = 50, before } = {}) {
      const channel = sight.channel(channelId);
      if (!sight.may(channel, P.ReadMessageHistory)) return [];
      return [...state.messages.values()]
        .filter((message) => message.channelId === channelId && sight.sees(message))
        .filter(({ id }) => !before || compareIds(id, before) < 0)
        .slice(-limit)
        .map((message) => wireMessage(state, links, message));
    },
    message(messageId) {
      const message = state.messages.get(messageId);
      return message && sight.sees(message) ? wireMessage(state, links, message) : undefined;
    },

    async say(channelId, content, uploads = []) {
      const channel = sight.channel(channelId);
      if (!sight.may(channel, P.SendMessages)) throw new Refusal('forbidden', 'You may not write here.');
      if (uploads.length > 0 && !sight.may(channel, P.AttachFiles)) {
        throw new Refusal('forbidden', 'You may not attach files here.');
      }
      const guild = channel.guildId ? state.guilds.get(channel.guildId) : undefined;
      if (isBlocked(guild, [content])) throw new Refusal('blocked', 'This message was blocked by AutoMod.');
      const files = uploads.map(({ name, bytes, contentType = '' }, n) => ({ n, name, bytes, contentType }));
      const message = await messages
        .create({
          channel,
          authorId: userId,
          type: MessageType.Default,
          body: { content },
          files,
          at: [],
          mayMentionEveryone: sight.may(channel, P.MentionEveryone),
        })
        .catch((error: unknown) => {
          throw error instanceof ApiError ? new Refusal('invalid', error.message) : error;
        });
      return wireMessage(state, links, message);
    },
    dismiss(messageId) {
      const message = sight.message(messageId);
      if (message.reader !== userId) throw new Refusal('forbidden', 'Only your own private answers go away.');
      messages.remove(message);
    },
    deleteMessage(messageId) {
      const message = sight.message(messageId);
      const channel = sight.channel(message.channelId);
      const others = message.authorId !== userId;
      if (others && !(channel.guildId && sight.may(channel, P.ManageMessages))) {
        throw new Refusal('forbidden', 'You may not delete this message.');
      }
      messages.remove(message);
    },
  };
}
