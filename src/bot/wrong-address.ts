import { DiscordAPIError } from 'discord.js';
import { ZodError } from 'zod';
import { saidByDiscord } from '../delivery/classify-discord-error.ts';

/**
 * Whether something answers that is not Discord: an unknown path, or a page. Discord itself gives its own code with
 * whatever it does not find.
 */
export function isWrongAddress(error: unknown): boolean {
  const isUnknownPath = error instanceof DiscordAPIError && error.status === 404 && !Number(error.code);
  return isUnknownPath || error instanceof ZodError;
}

/** Whether Discord does not know the token that it was asked with. It says so without a code of its own. */
export const isTokenRefused = (error: unknown): boolean =>
  error instanceof DiscordAPIError && error.status === 401;

/** Whether a request was heard, and will be answered the same the next time. */
export const isAnswer = (error: unknown): boolean =>
  isWrongAddress(error) ||
  isTokenRefused(error) ||
  (error instanceof DiscordAPIError && error.status < 500 && saidByDiscord(error));
