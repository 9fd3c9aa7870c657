import { type REST, type RESTPostAPIApplicationCommandsJSONBody, type RequestData, Routes } from 'discord.js';
import type { StartOptions } from '../../src/start.ts';
import type { TestDiscord } from './local-discord.ts';
import { openLocalDiscord } from './open-local-discord.ts';

interface PingWorldOptions extends StartOptions {
  /** What the command has besides its name and description. */
  command?: Partial<RESTPostAPIApplicationCommandsJSONBody>;
}

/**
 * A local Discord whose bot has registered `/ping`; what the bot does with it, `serve` tells. Closed when the test
 * ends.
 */
export async function pingWorld({ command, ...options }: PingWorldOptions = {}): Promise<TestDiscord> {
  const world = await openLocalDiscord(options);
  await world.register({ name: 'ping', description: 'Answers.', ...command });
  return world;
}

/** Answers an interaction with just this, without what discord.js would make of it. */
export const respond = (rest: REST, { id, token }: { id: string; token: string }, answer: RequestData) =>
  rest.post(Routes.interactionCallback(id, token), { auth: false, ...answer });
