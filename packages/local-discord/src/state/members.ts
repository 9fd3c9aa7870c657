import type { Guild, Member, State } from './state.ts';

/** Members whose username, shown name or nickname begins with `query`, without regard to case. */
export function findMembers(state: State, guild: Guild, query: string): Member[] {
  const start = query.toLowerCase();
  return guild.members.filter(({ userId, nick }) => {
    const user = state.users.get(userId);
    return [user?.username, user?.displayName, nick].some((name) => name?.toLowerCase().startsWith(start));
  });
}
