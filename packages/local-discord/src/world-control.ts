import type { Context } from './context.ts';
import { memberOf } from './rules/permissions.ts';
import { guildChannel, setOverwrite } from './state/channels.ts';
import { changeMember, newMember, removeMember } from './state/members.ts';
import type { Messages } from './state/messages.ts';
import { forgetChannels, removeChannel } from './state/remove-channel.ts';
import type { Guild, Member, Overwrite } from './state/state.ts';
import type { WorldChannel } from './world.ts';

/** What an administrator of the whole world can do to it while bots run. Unknown ids are errors of the caller. */
export function createWorldControl(context: Context, messages: Messages) {
  const { state, events, clock, snowflakes } = context;
  function find<T>(map: Map<string, T>, id: string): T {
    const found = map.get(id);
    if (!found) throw new Error(`the local Discord has no ${id}`);
    return found;
  }

  function findMember(guild: Guild, userId: string): Member {
    const member = memberOf(guild, userId);
    if (!member) throw new Error(`the server ${guild.id} has no member ${userId}`);
    return member;
  }

  return {
    addMember(guildId: string, userId: string, roles: string[] = []): void {
      const guild = find(state.guilds, guildId);
      const member = newMember({ userId, roles, joinedAt: clock.now() });
      guild.members.push(member);
      events.publish({ type: 'member-added', guild, member });
    },
    /** Changes a member's roles (ids) or nickname; what is absent stays. */
    updateMember(guildId: string, userId: string, changes: { roles?: string[]; nick?: string | null }): void {
      const guild = find(state.guilds, guildId);
      changeMember(context, guild, findMember(guild, userId), changes);
    },
    /** Removes a person or a bot from a server. */
    kick(guildId: string, userId: string): void {
      const guild = find(state.guilds, guildId);
      removeMember(context, guild, findMember(guild, userId));
    },
    /** Deletes a server with its channels, messages and commands. */
    deleteGuild(guildId: string): void {
      const guild = find(state.guilds, guildId);
      const channels = [...state.channels.values()].filter((channel) => channel.guildId === guildId);
      forgetChannels(state, messages, channels);
      for (const command of state.commands.values()) {
        if (command.guild_id === guildId) state.commands.delete(command.id);
      }
      state.guilds.delete(guildId);
      events.publish({ type: 'guild-deleted', guild });
    },
    addChannel(guildId: string, seed: Omit<WorldChannel, 'id'> & { id?: string }): string {
      const id = seed.id ?? snowflakes.next();
      const channel = guildChannel(find(state.guilds, guildId), { ...seed, id }, clock.now());
      state.channels.set(id, channel);
      events.publish({ type: 'channel-created', channel });
      return id;
    },
    deleteChannel(channelId: string): void {
      removeChannel(context, messages, find(state.channels, channelId));
    },
    deleteMessage(messageId: string): void {
      messages.remove(find(state.messages, messageId));
    },
    /** Replaces what a role or member may in one channel beyond or below their roles. */
    setOverwrite(channelId: string, overwrite: Overwrite): void {
      setOverwrite(context, find(state.channels, channelId), overwrite);
    },
    /** Denies one user permissions in one channel, e.g. the bot `PermissionFlagsBits.SendMessages`. */
    deny(channelId: string, userId: string, permissions: bigint): void {
      setOverwrite(context, find(state.channels, channelId), {
        id: userId,
        kind: 'member',
        deny: permissions,
      });
    },
    setRolePermissions(guildId: string, roleId: string, permissions: bigint): void {
      const guild = find(state.guilds, guildId);
      const role = guild.roles.find(({ id }) => id === roleId);
      if (!role) throw new Error(`the server ${guildId} has no role ${roleId}`);
      role.permissions = permissions;
      events.publish({ type: 'role-updated', guild, role });
    },
    /** AutoMod refuses messages with these words from now on. */
    blockWords(guildId: string, words: readonly string[]): void {
      const guild = find(state.guilds, guildId);
      guild.blockedWords = [...words];
      events.publish({ type: 'blocked-words-changed', guild });
    },
    /** Whether this user takes messages from bots (50007 otherwise). */
    openDirectMessages(userId: string, open: boolean): void {
      find(state.users, userId).closedToDirectMessages = !open;
    },
    /** Installs an app to a user's account, or its commands to a server without its bot; or removes it. */
    setInstalled(ownerId: string, applicationId: string, installed: boolean): void {
      const owner = state.guilds.get(ownerId) ?? find(state.users, ownerId);
      const others = owner.installed?.filter((id) => id !== applicationId) ?? [];
      owner.installed = installed ? [...others, applicationId] : others;
      events.publish({ type: 'commands-changed' });
    },
  };
}

export type WorldControl = ReturnType<typeof createWorldControl>;
