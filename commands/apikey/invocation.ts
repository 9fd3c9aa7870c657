import type * as bot from '../../src/bot/invocation.ts';

export const USES = ['guilds', 'keys', 'moderation', 'pictures', 'requests'] as const;

export type Invocation<Options = unknown> = bot.Invocation<Options, (typeof USES)[number]>;
