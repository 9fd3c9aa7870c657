import { type APIEmbed, RESTJSONErrorCodes } from 'discord-api-types/v10';
import type { Guild } from '../state/state.ts';
import { apiError } from './errors.ts';

/** Whether AutoMod's list of words blocks this text in `guild`. */
export function isBlocked(guild: Guild | undefined, texts: readonly (string | undefined)[]): boolean {
  const text = texts.join('\n').toLowerCase();
  return guild?.blockedWords.some((word) => text.includes(word.toLowerCase())) ?? false;
}

/** Source: 'Opcodes and Status Codes', 200000. It meets edits of interaction answers as well. */
export function checkAutoMod(guild: Guild | undefined, content: string, embeds: readonly APIEmbed[]): void {
  const texts = embeds.flatMap(({ title, description, fields }) => [
    title,
    description,
    ...(fields ?? []).flatMap(({ name, value }) => [name, value]),
  ]);
  if (isBlocked(guild, [content, ...texts])) {
    throw apiError(RESTJSONErrorCodes.MessageWasBlockedByAutomaticModeration);
  }
}
