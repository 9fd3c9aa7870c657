import type { Context } from '../context.ts';
import type { Channel } from './state.ts';

/** The conversation of two users, made where there is none. */
export function openDirectMessage(
  { state, events, snowflakes }: Context,
  one: string,
  other: string,
): Channel {
  const existing = [...state.channels.values()].find(
    ({ kind, recipients }) => kind === 'dm' && recipients.includes(one) && recipients.includes(other),
  );
  if (existing) return existing;
  const channel: Channel = {
    id: snowflakes.next(),
    kind: 'dm',
    guildId: null,
    name: null,
    topic: null,
    nsfw: false,
    overwrites: [],
    recipients: [one, other],
    lastMessageId: null,
  };
  state.channels.set(channel.id, channel);
  events.publish({ type: 'channel-created', channel });
  return channel;
}
