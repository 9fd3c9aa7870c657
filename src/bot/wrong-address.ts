import { DiscordAPIError } from 'discord.js';
import { ZodError } from 'zod';

/**
 * Whether something answers that is not Discord: an unknown path, or a page. Discord itself gives its own code with
 * whatever it does not find.
 */
export function isWrongAddress(error: unknown): boolean {
  const isUnknownPath = error instanceof DiscordAPIError && error.status === 404 && !Number(error.code);
  return isUnknownPath || error instanceof ZodError;
}

/** Whether Discord has heard a request, and will answer it the same the next time. */
export const isAnswer = (error: unknown): boolean =>
  isWrongAddress(error) || (error instanceof DiscordAPIError && error.status < 500);
