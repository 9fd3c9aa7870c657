import { PermissionFlagsBits } from 'discord.js';
import type { Invocation } from '../../src/bot/command.ts';
import { UserError } from '../../src/bot/user-error.ts';
import type { KeyOwner } from '../../src/credentials/key-owner.ts';

/** Whether moderators may see the credits of a member's key; `unchanged`: as its owner last said, else they may. */
type Visibility = 'visible' | 'hidden' | 'unchanged';

/** Whose key is linked, and what they say of moderators. A server's own key is not a matter of who may see it. */
export type KeyTarget = { owner: 'guild' } | { owner: 'member'; visibility: Visibility };

export const keyTarget = (owner: KeyOwner['kind']): KeyTarget =>
  owner === 'guild' ? { owner } : { owner, visibility: 'unchanged' };

/** The caller's own key, with the option `moderators` as it was filled in. */
export function ownKey({ moderators }: { moderators?: boolean | undefined }): KeyTarget {
  if (moderators === undefined) return keyTarget('member');
  return { owner: 'member', visibility: moderators ? 'visible' : 'hidden' };
}

/** The words for targets in custom ids, which old messages still carry. */
const TARGETS: ReadonlyMap<string, KeyTarget> = new Map([
  ['own', { owner: 'member', visibility: 'unchanged' }],
  ['visible', { owner: 'member', visibility: 'visible' }],
  ['hidden', { owner: 'member', visibility: 'hidden' }],
  ['server', { owner: 'guild' }],
]);

export function toArg(target: KeyTarget): string {
  if (target.owner === 'guild') return 'server';
  return target.visibility === 'unchanged' ? 'own' : target.visibility;
}

export const fromArgs = ([arg = '']: readonly string[]): KeyTarget => TARGETS.get(arg) ?? keyTarget('member');

/** Throws `UserError` where the caller may not touch the server's key, or is in no server. */
export function keyOwner(
  owner: KeyOwner['kind'],
  { caller, permissions, texts }: Pick<Invocation, 'caller' | 'permissions' | 'texts'>,
): KeyOwner {
  if (owner === 'member') return { kind: 'member', id: caller.member.id };
  if (caller.guildId === null) throw new UserError(texts.refusal.serverOnly);
  if (!permissions.callerHas(PermissionFlagsBits.ManageGuild)) {
    throw new UserError(texts.refusal.needsManageServer);
  }
  return { kind: 'guild', id: caller.guildId };
}
