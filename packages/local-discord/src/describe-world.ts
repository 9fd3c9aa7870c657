import type { World, WorldChannel, WorldGuild } from './world.ts';

/** A world in a few words: one bot, one server, and people. Ids are made up; names are enough to find them again. */
export interface WorldDescription {
  /** The bot's name; `Testbot` when absent. */
  bot?: string;
  guild?: {
    name?: string;
    /** Names, or roles with permissions. */
    roles?: (string | { name: string; permissions?: bigint; color?: number })[];
    /** Names, or channels with more than that; one called `general` when absent. */
    channels?: (string | Omit<WorldChannel, 'id'>)[];
    /** Usernames of people with the names of their roles; `member` and `friend` without roles when absent. */
    members?: Record<string, string[]>;
  };
}

/** Who owns a server has every permission in it: somebody whom tests do not use by accident. */
const OWNER = 'owner';

export function describeWorld({ bot = 'Testbot', guild = {} }: WorldDescription): World {
  const { name = 'Server', roles = [], channels = ['general'], members = { member: [], friend: [] } } = guild;
  const botId = idOf(3, 1);
  const guildId = idOf(4, 1);
  const worldRoles = roles.map((role, index) => ({
    permissions: 0n,
    ...(typeof role === 'string' ? { name: role } : role),
    id: idOf(6, index + 1),
  }));
  const users = [OWNER, ...Object.keys(members)].map((username, index) => ({
    id: idOf(2, index + 1),
    username,
  }));

  function roleId(roleName: string): string {
    const role = worldRoles.find((known) => known.name === roleName);
    if (!role) throw new Error(`the server has no role '${roleName}'`);
    return role.id;
  }

  const worldGuild: WorldGuild = {
    id: guildId,
    name,
    ownerId: idOf(2, 1),
    roles: worldRoles,
    channels: channels.map((channel, index) => ({
      ...(typeof channel === 'string' ? { name: channel } : channel),
      id: idOf(5, index + 1),
    })),
    members: [
      { userId: botId },
      ...users.map(({ id, username }) => ({ userId: id, roles: (members[username] ?? []).map(roleId) })),
    ],
  };
  return { applications: [{ id: botId, name: bot }], users, guilds: [worldGuild] };
}

/** 18 digits, of which the first tells what it is an id of. */
function idOf(kind: number, count: number): string {
  return `${kind}${String(count).padStart(17, '0')}`;
}
