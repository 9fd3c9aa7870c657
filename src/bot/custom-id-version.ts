import { createHash } from 'node:crypto';
import type { APIModalInteractionResponseCallbackData } from 'discord-api-types/v10';

/** A short hash, which finds a place in a custom id. */
export const versionOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 8);

/** A custom id with the version of a text, which the router takes off again. */
export const withVersion = (customId: string, text: string): string => `${customId}:~${versionOf(text)}`;

/** The custom id that a version was added to, or this one. */
export const withoutVersion = (customId: string): string => customId.replace(/:~[\w-]{8}$/, '');

/**
 * The form, with what it shows as a part of its id. Phones show a form as they first saw its id, whatever it holds by
 * now (discord/discord-api-docs#7554); and what somebody typed and closed is there again only where the id is the same.
 */
export const versioned = (
  form: APIModalInteractionResponseCallbackData,
): APIModalInteractionResponseCallbackData => ({
  ...form,
  custom_id: withVersion(form.custom_id, JSON.stringify(form)),
});
