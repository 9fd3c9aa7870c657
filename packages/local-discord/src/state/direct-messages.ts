import { ChannelType } from 'discord-api-types/v10';
import type { Context } from '../context.ts';
import { newChannel } from './channels.ts';
import type { Channel } from './state.ts';

/** The conversation of two users, made where there is none. */
export function openDirectMessage(
  { state, events, snowflakes }: Context,
  one: string,
  other: string,
): Channel {
  const existing = [...state.channels.values()].find(
    ({ type, recipients }) =>
      type === ChannelType.DM && recipients.includes(one) && recipients.includes(other),
  );
  if (existing) return existing;
  const channel = newChannel({ id: snowflakes.next(), type: ChannelType.DM, recipients: [one, other] });
  state.channels.set(channel.id, channel);
  events.publish({ type: 'channel-created', channel });
  return channel;
}
