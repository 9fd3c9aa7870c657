import { causeOf, OperatorError } from '@darkroom/process';
import { DiscordAPIError, RateLimitError, type REST } from 'discord.js';
import { isAnswer, isTokenRefused, isWrongAddress } from '../bot/wrong-address.ts';
import type { Words } from './words/words.ts';

/** Why Discord did not do what `rest` asked of it, and what mends that, in a sentence. */
export function discordProblem(error: unknown, rest: Pick<REST, 'options'>, { discord }: Words): string {
  if (error instanceof OperatorError) return error.message;
  if (isWrongAddress(error)) return discord.elsewhere(rest.options.api);
  if (isTokenRefused(error)) return discord.refused;
  if (error instanceof RateLimitError) {
    // The library adds a part of a second to what Discord asks for.
    const seconds = Math.floor(Math.max(error.retryAfter, error.sublimitTimeout) / 1_000);
    return discord.limited(Math.ceil(seconds / 60));
  }
  return error instanceof DiscordAPIError && isAnswer(error)
    ? discord.refuses(error.message)
    : discord.down(causeOf(error));
}
