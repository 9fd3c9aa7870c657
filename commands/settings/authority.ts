import { PermissionFlagsBits } from 'discord.js';
import type { Invocation } from '../../src/bot/command.ts';
import { UserError } from '../../src/bot/user-error.ts';

/** The server whose settings the caller may change. Throws `UserError` where they may not. */
export function managedGuild({ caller, permissions, texts: { refusal } }: Invocation): string {
  if (caller.guildId === null) throw new UserError(refusal.serverOnly);
  if (!permissions.callerHas(PermissionFlagsBits.ManageGuild)) throw new UserError(refusal.needsManageServer);
  return caller.guildId;
}
