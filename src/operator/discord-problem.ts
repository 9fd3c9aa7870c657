import { causeOf, OperatorError } from '@darkroom/process';
import { DiscordAPIError, type REST } from 'discord.js';
import { isAnswer, isWrongAddress } from '../bot/wrong-address.ts';
import type { Words } from './words/words.ts';

/** Whether Discord does not know the token that it was asked with. */
export const isRefused = (error: unknown): boolean =>
  error instanceof DiscordAPIError && error.status === 401;

/** Why Discord did not do what `rest` asked of it, and what mends that, in a sentence. */
export function discordProblem(error: unknown, rest: Pick<REST, 'options'>, { discord }: Words): string {
  if (error instanceof OperatorError) return error.message;
  if (isWrongAddress(error)) return discord.elsewhere(rest.options.api);
  if (isRefused(error)) return discord.refused;
  return error instanceof DiscordAPIError && isAnswer(error)
    ? discord.refuses(error.message)
    : discord.away(causeOf(error));
}
