import { createHash } from 'node:crypto';
import type { APIModalInteractionResponseCallbackData } from 'discord-api-types/v10';

/** Characters that `versioned` adds to the id of a form. */
export const VERSION_CHARACTERS = 10;

/**
 * The form, with what it shows as a part of its id. Phones show a form as they first saw its id, whatever it holds by
 * now (discord/discord-api-docs#7554); and what somebody typed and closed is there again only where the id is the same.
 */
export function versioned(
  form: APIModalInteractionResponseCallbackData,
): APIModalInteractionResponseCallbackData {
  const version = createHash('sha256').update(JSON.stringify(form)).digest('base64url').slice(0, 8);
  return { ...form, custom_id: `${form.custom_id}:~${version}` };
}

/** The id that a form was made with. */
export const withoutVersion = (customId: string): string => customId.replace(/:~[\w-]{8}$/, '');
