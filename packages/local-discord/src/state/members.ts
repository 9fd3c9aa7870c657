import type { Context } from '../context.ts';
import type { Guild, Member, State } from './state.ts';

/** A member with everything that is not said of them. */
export const newMember = (member: Pick<Member, 'userId' | 'joinedAt'> & Partial<Member>): Member => ({
  nick: null,
  roles: [],
  timedOutUntil: null,
  ...member,
});

export function changeMember(
  { events }: Context,
  guild: Guild,
  member: Member,
  changes: Partial<Member>,
): void {
  Object.assign(member, changes);
  events.publish({ type: 'member-updated', guild, member });
}

export function removeMember({ events }: Context, guild: Guild, member: Member): void {
  guild.members = guild.members.filter((other) => other !== member);
  events.publish({ type: 'member-removed', guild, member });
}

/** Members whose username, shown name or nickname begins with `query`, without regard to case. */
export function findMembers(state: State, guild: Guild, query: string): Member[] {
  const start = query.toLowerCase();
  return guild.members.filter(({ userId, nick }) => {
    const user = state.users.get(userId);
    return [user?.username, user?.displayName, nick].some((name) => name?.toLowerCase().startsWith(start));
  });
}
