import { PermissionFlagsBits as P } from 'discord-api-types/v10';
import { channelPermissions, has } from '../rules/permissions.ts';
import type { Channel, Message, State } from '../state/state.ts';
import { Refusal } from './refusal.ts';

/** What one person sees. */
export function createSight(state: State, userId: string) {
  function seesChannel(channel: Channel): boolean {
    return has(channelPermissions(state, channel, userId), P.ViewChannel);
  }

  function sees(message: Message): boolean {
    const channel = state.channels.get(message.channelId);
    return channel !== undefined && seesChannel(channel) && (message.reader ?? userId) === userId;
  }

  return {
    seesChannel,
    sees,
    channel(id: string): Channel {
      const channel = state.channels.get(id);
      if (channel && seesChannel(channel)) return channel;
      throw new Refusal('unknown', `There is no channel ${id} for you.`);
    },
    message(id: string): Message {
      const message = state.messages.get(id);
      if (message && sees(message)) return message;
      throw new Refusal('unknown', `There is no message ${id} for you.`);
    },
    may(channel: Channel, permission: bigint): boolean {
      return has(channelPermissions(state, channel, userId), permission);
    },
  };
}

export type Sight = ReturnType<typeof createSight>;
