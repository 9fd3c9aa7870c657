import type { Core } from './core.ts';
import type { Messages } from './state/messages.ts';
import type { Guild } from './state/state.ts';
import type { ChannelSeed, Overwrite } from './world.ts';

/** What an administrator of the whole world can do to it while bots run. Unknown ids are errors of the caller. */
export function createWorldControl({ state, feed, clock, snowflakes }: Core, messages: Messages) {
  function known<T>(map: Map<string, T>, id: string): T {
    const found = map.get(id);
    if (!found) throw new Error(`the local Discord knows no ${id}`);
    return found;
  }
  const changed = (guild: Guild) => feed.publish({ type: 'guild-changed', guild });

  /** Replaces what a role or member may in one channel beyond or below their roles. */
  function setOverwrite(channelId: string, overwrite: Overwrite): void {
    const channel = known(state.channels, channelId);
    channel.overwrites = [...channel.overwrites.filter(({ id }) => id !== overwrite.id), overwrite];
    if (channel.guildId) changed(known(state.guilds, channel.guildId));
  }

  return {
    addMember(guildId: string, userId: string, roles: string[] = []): void {
      const guild = known(state.guilds, guildId);
      guild.members.push({ userId, nick: null, roles, joinedAt: clock.now() });
      feed.publish({ type: 'guild-joined', guild, userId });
    },
    /** Removes a person or a bot from a server. */
    kick(guildId: string, userId: string): void {
      const guild = known(state.guilds, guildId);
      guild.members = guild.members.filter((member) => member.userId !== userId);
      feed.publish({ type: 'guild-left', guild, userId });
    },
    addChannel(guildId: string, seed: Omit<ChannelSeed, 'id'> & { id?: string }): string {
      const id = seed.id ?? snowflakes.next();
      const channel = {
        kind: 'text' as const,
        guildId,
        topic: null,
        nsfw: false,
        overwrites: [],
        recipients: [],
        lastMessageId: null,
        ...seed,
        id,
      };
      state.channels.set(id, channel);
      feed.publish({ type: 'channel-created', channel });
      return id;
    },
    deleteChannel(channelId: string): void {
      const channel = known(state.channels, channelId);
      state.channels.delete(channelId);
      for (const message of state.messages.values()) {
        if (message.channelId === channelId) messages.remove(message);
      }
      feed.publish({ type: 'channel-deleted', channel });
    },
    deleteMessage(messageId: string): void {
      messages.remove(known(state.messages, messageId));
    },
    setOverwrite,
    /** Denies one user permissions in one channel, e.g. the bot `PermissionFlagsBits.SendMessages`. */
    deny(channelId: string, userId: string, permissions: bigint): void {
      setOverwrite(channelId, { id: userId, kind: 'member', deny: permissions });
    },
    setRolePermissions(guildId: string, roleId: string, permissions: bigint): void {
      const guild = known(state.guilds, guildId);
      for (const role of guild.roles) if (role.id === roleId) role.permissions = permissions;
      changed(guild);
    },
    /** AutoMod refuses messages with these words from now on. */
    blockWords(guildId: string, words: readonly string[]): void {
      const guild = known(state.guilds, guildId);
      guild.blockedWords = [...words];
      changed(guild);
    },
    /** Whether this user takes messages from bots (50007 otherwise). */
    openDirectMessages(userId: string, open: boolean): void {
      known(state.users, userId).closedToDirectMessages = !open;
    },
    /** Installs an app to a user's account, or removes it. */
    setInstalled(userId: string, applicationId: string, installed: boolean): void {
      const user = known(state.users, userId);
      user.installed = user.installed.filter((id) => id !== applicationId);
      if (installed) user.installed.push(applicationId);
      feed.publish({ type: 'commands-changed' });
    },
  };
}

export type WorldControl = ReturnType<typeof createWorldControl>;
