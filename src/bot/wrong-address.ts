import { DiscordAPIError, type REST } from 'discord.js';
import { ZodError } from 'zod';

/**
 * What to do where something answers that is not Discord: an unknown path, or a page. Discord itself gives its own code with
 * whatever it does not find. Undefined where it may be Discord.
 */
export function wrongAddress(error: unknown, rest: Pick<REST, 'options'>): string | undefined {
  const isUnknownPath = error instanceof DiscordAPIError && error.status === 404 && !Number(error.code);
  if (!isUnknownPath && !(error instanceof ZodError)) return undefined;
  return nowhere(rest);
}

export const nowhere = ({ options }: Pick<REST, 'options'>): string =>
  `there is no Discord at ${options.api}. Leave DISCORD_API_URL out, or set it to https://discord.com/api.`;
