import { PermissionFlagsBits } from 'discord.js';
import { UserError } from '../../src/messages/user-error.ts';
import type { Invocation } from './invocation.ts';

/** The server whose settings the caller may change. Rejects with `UserError` where they may not, or the bot is no member. */
export async function managedGuild({ caller, permissions, texts }: Invocation): Promise<string> {
  const { refusal } = texts;
  if (caller.guildId === null) throw new UserError(refusal.serverOnly);
  if (!permissions.callerHas(PermissionFlagsBits.ManageGuild)) throw new UserError(refusal.needsManageServer);
  if (!(await caller.botIsMember())) throw new UserError(refusal.nothingKeptHere);
  return caller.guildId;
}
