import { PermissionFlagsBits } from 'discord.js';
import type { KeyScope } from '../../src/bot/buttons.ts';
import type { Invocation } from '../../src/bot/command.ts';
import { UserError } from '../../src/errors.ts';
import type { KeyOwner } from '../../src/payer.ts';

const SCOPES: readonly KeyScope[] = ['own', 'visible', 'hidden', 'server'];

/** As it stands in a custom id. */
export const scopeOf = ([part]: readonly string[]): KeyScope =>
  SCOPES.find((scope) => scope === part) ?? 'own';

/** The caller's own key, and what they said about `moderators`. */
export function ownScope({ moderators }: { moderators?: boolean | undefined }): KeyScope {
  if (moderators === undefined) return 'own';
  return moderators ? 'visible' : 'hidden';
}

/** Throws `UserError` where the caller may not touch the server's key, or is in no server. */
export function ownerOf(scope: KeyScope, { asker, texts }: Pick<Invocation, 'asker' | 'texts'>): KeyOwner {
  if (scope !== 'server') return { kind: 'member', id: asker.memberId };
  if (asker.guildId === null) throw new UserError(texts.refusal.noServer);
  if (!asker.may(PermissionFlagsBits.ManageGuild)) throw new UserError(texts.refusal.notServerManager);
  return { kind: 'guild', id: asker.guildId };
}
