import type * as bot from '../../src/bot/invocation.ts';

export const USES = ['guilds', 'keys', 'moderation', 'requests'] as const;

/** One use of `/apikey`, with what it is given. */
export type Invocation<Options = unknown> = bot.Invocation<Options, (typeof USES)[number]>;
