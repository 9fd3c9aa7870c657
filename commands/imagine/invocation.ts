import type * as bot from '../../src/bot/invocation.ts';

export const USES = ['guilds', 'keys', 'moderation', 'offers', 'pictures', 'requests'] as const;

export type Feature = (typeof USES)[number];

export type Invocation<Options = unknown> = bot.Invocation<Options, Feature>;
