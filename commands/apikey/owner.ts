import { PermissionFlagsBits } from 'discord.js';
import type { KeyScope } from '../../src/bot/buttons.ts';
import type { Invocation } from '../../src/bot/command.ts';
import { UserError } from '../../src/errors.ts';
import type { KeyOwner } from '../../src/payer.ts';

export const scopeOf = ([part]: readonly string[]): KeyScope =>
  part === 'hidden' || part === 'server' ? part : 'own';

/** Throws `UserError` where the caller may not touch the server's key, or is in no server. */
export function ownerOf(scope: KeyScope, { asker, texts }: Pick<Invocation, 'asker' | 'texts'>): KeyOwner {
  if (scope !== 'server') return { kind: 'member', id: asker.memberId };
  if (asker.guildId === null) throw new UserError(texts.refusal.noServer);
  if (!asker.may(PermissionFlagsBits.ManageGuild)) throw new UserError(texts.refusal.notServerManager);
  return { kind: 'guild', id: asker.guildId };
}
