import type { PermissionsString } from 'discord.js';
import type { Texts } from '../messages/locale/en.ts';
import { UserError } from '../messages/user-error.ts';
import type { Invocation } from './invocation.ts';

/** What a caller may need in a server, each with what is said to who lacks it. */
const REFUSALS = {
  ManageGuild: 'needsManageServer',
  ManageMessages: 'needsManageMessages',
  ModerateMembers: 'needsModerateMembers',
} as const satisfies Partial<Record<PermissionsString, keyof Texts['refusal']>>;
type Right = keyof typeof REFUSALS;

/** Throws `UserError` where the caller lacks it. */
export function checkRight(
  { permissions, texts: { refusal } }: Pick<Invocation, 'permissions' | 'texts'>,
  right: Right,
): void {
  if (!permissions.callerHas(right)) throw new UserError(refusal[REFUSALS[right]]);
}

/** The server, where the caller has the right. Throws `UserError` where they lack it, or are in no server. */
export function guildWithRight(
  invocation: Pick<Invocation, 'caller' | 'permissions' | 'texts'>,
  right: Right,
): string {
  const { caller, texts } = invocation;
  if (caller.guildId === null) throw new UserError(texts.refusal.serverOnly);
  checkRight(invocation, right);
  return caller.guildId;
}

/** Likewise; rejects with `UserError` also where the bot is no member, so that nothing is kept of the server. */
export async function keptGuildWithRight(
  invocation: Pick<Invocation, 'caller' | 'permissions' | 'texts'>,
  right: Right,
): Promise<string> {
  const guildId = guildWithRight(invocation, right);
  if (!(await invocation.caller.botIsMember())) throw new UserError(invocation.texts.refusal.nothingKeptHere);
  return guildId;
}
