import type { PageUser } from '../page-server/protocol.ts';
import { browserStorage } from './browser-storage.ts';

/** Of the address: `?as=moderator`. */
const PARAMETER = 'as';
const USER = 'local-discord.user';
const MODAL = 'local-discord.modal';
const channelKey = (userId: string) => `local-discord.channel.${userId}`;

const { read, write } = browserStorage(() => sessionStorage);
const nameInAddress = ({ name }: PageUser) => name.toLowerCase();

/** What belongs to one tab, so that two of them can be two people: kept in its address and over a reload. */
export const tab = {
  /** Whom this tab was before, or is asked to be; else the first one. */
  user(users: readonly PageUser[]): PageUser | undefined {
    const asked = new URL(location.href).searchParams.get(PARAMETER);
    const stored = read(USER);
    return (
      users.find((user) => user.id === asked || nameInAddress(user) === asked?.toLowerCase()) ??
      users.find(({ id }) => id === stored) ??
      users[0]
    );
  },

  saveUser(user: PageUser, users: readonly PageUser[]): void {
    write(USER, user.id);
    const address = new URL(location.href);
    const isUnique = users.filter((other) => nameInAddress(other) === nameInAddress(user)).length === 1;
    address.searchParams.set(PARAMETER, isUnique ? nameInAddress(user) : user.id);
    history.replaceState(history.state, '', address);
  },

  /** The channel that this user had open here. */
  channel(userId: string): { guildId: string | null; channelId: string } | undefined {
    const [channelId, guildId = null] = read(channelKey(userId))?.split(' ') ?? [];
    return channelId === undefined ? undefined : { guildId, channelId };
  },

  saveChannel(userId: string, guildId: string | null, channelId: string): void {
    write(channelKey(userId), guildId === null ? channelId : `${channelId} ${guildId}`);
  },

  /** Interaction of the form that is open here: a reload shows it again. */
  modal: () => read(MODAL),
  saveModal: (interactionId: string | null) => write(MODAL, interactionId),
};
