import { PermissionFlagsBits } from 'discord.js';
import type { Invocation } from '../../src/bot/command.ts';
import { UserError } from '../../src/bot/user-error.ts';
import type { KeyOwner } from '../../src/credentials/key-owner.ts';

/**
 * Whose key is linked. `consent`: what its owner has said of the moderators of this server outside of the form; version
 * 0.1.0 asked in an option.
 */
export type KeyTarget = { owner: 'guild' } | { owner: 'member'; consent?: boolean };

export const keyTarget = (owner: KeyOwner['kind']): KeyTarget => ({ owner });

/** The words for targets in custom ids, which old messages still carry. */
const TARGETS: ReadonlyMap<string, KeyTarget> = new Map([
  ['own', { owner: 'member' }],
  ['visible', { owner: 'member', consent: true }],
  ['hidden', { owner: 'member', consent: false }],
  ['server', { owner: 'guild' }],
]);

/** Of a custom id: whose key, and what goes on once it is linked. */
export const argsOf = (target: KeyTarget, draftId: string | undefined): string[] => [
  toArg(target),
  ...(draftId === undefined ? [] : [draftId]),
];

export const draftOf = ([, draftId]: readonly string[]): string | undefined => draftId;

function toArg(target: KeyTarget): string {
  if (target.owner === 'guild') return 'server';
  if (target.consent === undefined) return 'own';
  return target.consent ? 'visible' : 'hidden';
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
