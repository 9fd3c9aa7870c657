import { PermissionFlagsBits } from 'discord.js';
import type * as bot from '../../src/bot/invocation.ts';
import { UserError } from '../../src/messages/user-error.ts';

export const USES = ['guilds', 'keys', 'moderation', 'offers', 'requests'] as const;

/** One use of `/settings`, with what it is given. */
export type Invocation<Options = unknown> = bot.Invocation<Options, (typeof USES)[number]>;

/**
 * The server whose settings the caller may change. Rejects with `UserError` where they may not, or the bot is no
 * member.
 */
export async function managedGuild({ caller, permissions, texts }: Invocation): Promise<string> {
  const { refusal } = texts;
  if (caller.guildId === null) throw new UserError(refusal.serverOnly);
  if (!permissions.callerHas(PermissionFlagsBits.ManageGuild)) throw new UserError(refusal.needsManageServer);
  if (!(await caller.botIsMember())) throw new UserError(refusal.nothingKeptHere);
  return caller.guildId;
}
