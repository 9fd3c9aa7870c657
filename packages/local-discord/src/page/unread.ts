import type { APIChannel, APIMessage } from 'discord-api-types/v10';
import { preferences } from './preferences.ts';
import type { View } from './view.ts';

/** Whether a message mentions the user of this tab: by name, by a role, or as everybody. */
export function mentionsUser({ guilds, snapshot }: View, message: APIMessage): boolean {
  const self = snapshot?.userId;
  if (!self || message.author.id === self) return false;
  if (message.mention_everyone || message.mentions.some(({ id }) => id === self)) return true;
  const guild = guilds.find(({ channels }) => channels.some(({ id }) => id === message.channel_id));
  const roles = guild?.members.find(({ user }) => user.id === self)?.roles ?? [];
  return message.mention_roles.some((id) => roles.includes(id));
}

/** The same, or in a conversation of their own. */
export const callsUser = (view: View, message: APIMessage): boolean =>
  mentionsUser(view, message) ||
  (message.author.id !== view.snapshot?.userId &&
    view.directMessages.some(({ id }) => id === message.channel_id));

const isNewer = (a: string, b: string) => BigInt(a) > BigInt(b);
const newestOf = (channel: APIChannel) => ('last_message_id' in channel ? channel.last_message_id : null);

/**
 * Which channels have messages that the user has not seen, and how many of these call them. The browser remembers up
 * to where each user has read, so that what came while nobody looked is marked as well.
 */
export function createUnread(options: {
  view: View;
  newest(channelId: string): Promise<APIMessage[]>;
  redraw(): void;
}) {
  const { view, newest, redraw } = options;

  const channels = () => [...view.directMessages, ...view.guilds.flatMap((guild) => guild.channels)];

  function saveRead(channelId: string, messageId: string): void {
    const userId = view.snapshot?.userId;
    if (!userId) return;
    const read = preferences.readMarks(userId);
    const before = read[channelId];
    if (before === undefined || isNewer(messageId, before))
      preferences.saveReadMarks(userId, { ...read, [channelId]: messageId });
  }

  async function countCalls(channelId: string, readUpTo: string): Promise<void> {
    const messages = await newest(channelId).catch(() => []);
    const calls = messages.filter(({ id }) => isNewer(id, readUpTo)).filter((one) => callsUser(view, one));
    if (!view.unread.has(channelId) || calls.length === 0) return;
    view.unread.set(channelId, calls.length);
    redraw();
  }

  return {
    /** A message that the user does not see: in a channel that is not open, or while the tab is hidden. */
    add(message: APIMessage): void {
      if (message.author.id === view.snapshot?.userId) return;
      const calls = view.unread.get(message.channel_id) ?? 0;
      view.unread.set(message.channel_id, calls + (callsUser(view, message) ? 1 : 0));
    },

    /** In a channel that is gone nothing is unread any more. */
    forgetGone(): void {
      const known = new Set(channels().map(({ id }) => id));
      for (const id of view.unread.keys()) if (!known.has(id)) view.unread.delete(id);
    },

    /** The user sees this channel up to this message. */
    read(channelId: string, messageId: string | undefined): void {
      view.unread.delete(channelId);
      if (messageId) saveRead(channelId, messageId);
    },

    /** What came while this user was not here. A channel that they never opened is read up to now. */
    catchUp(): void {
      view.unread.clear();
      const read = view.snapshot ? preferences.readMarks(view.snapshot.userId) : {};
      for (const channel of channels()) {
        const last = newestOf(channel);
        const before = read[channel.id];
        if (!before) saveRead(channel.id, last ?? channel.id);
        else if (last && isNewer(last, before)) {
          view.unread.set(channel.id, 0);
          void countCalls(channel.id, before);
        }
      }
    },
  };
}
