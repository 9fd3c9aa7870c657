import { channelPermissions, has, sees } from '../rules/permissions.ts';
import type { Channel, Message, State } from '../state/state.ts';
import { UserClientError } from './user-client-error.ts';

/** What one person sees. */
export function createVisibility(state: State, userId: string) {
  function canViewChannel(channel: Channel): boolean {
    return sees(state, channel, userId);
  }

  function canSee(message: Message): boolean {
    const channel = state.channels.get(message.channelId);
    const isFor = message.reader === null || (message.reader === userId && !message.dismissed);
    return channel !== undefined && canViewChannel(channel) && isFor;
  }

  return {
    userId,
    canViewChannel,
    canSee,
    channel(id: string): Channel {
      const channel = state.channels.get(id);
      if (channel && canViewChannel(channel)) return channel;
      throw new UserClientError('unknown', 'unknownChannel', { id });
    },
    message(id: string): Message {
      const message = state.messages.get(id);
      if (message && canSee(message)) return message;
      throw new UserClientError('unknown', 'unknownMessage', { id });
    },
    hasPermission(channel: Channel, permission: bigint): boolean {
      return has(channelPermissions(state, channel, userId), permission);
    },
  };
}

export type Visibility = ReturnType<typeof createVisibility>;
