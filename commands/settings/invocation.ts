import type * as bot from '../../src/bot/invocation.ts';

export const USES = ['guilds', 'keys', 'moderation', 'offers', 'requests'] as const;

/** One use of `/settings`, with what it is given. */
export type Invocation<Options = unknown> = bot.Invocation<Options, (typeof USES)[number]>;
