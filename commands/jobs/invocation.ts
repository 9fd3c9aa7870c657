import type * as bot from '../../src/bot/invocation.ts';

export const USES = ['guilds', 'moderation', 'pictures'] as const;

/** One use of `/jobs`, with what it is given. */
export type Invocation<Options = unknown> = bot.Invocation<Options, (typeof USES)[number]>;
