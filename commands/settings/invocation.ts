import { keptGuildWithRight } from '../../src/bot/guild-rights.ts';
import type * as bot from '../../src/bot/invocation.ts';

export const USES = ['guilds', 'keys', 'moderation', 'offers', 'requests'] as const;

export type Invocation<Options = unknown> = bot.Invocation<Options, (typeof USES)[number]>;

/** The server whose settings the caller may change; rejects with `UserError` where there is none. */
export const managedGuild = (invocation: Invocation): Promise<string> =>
  keptGuildWithRight(invocation, 'ManageGuild');
