import type { APILabelComponent, APIModalInteractionResponseCallbackData } from 'discord.js';
import { type FormOptions, SECRET_FIELD } from '../../src/bot/command.ts';
import { selectField, textField } from '../../src/messages/form-fields.ts';
import type { Texts } from '../../src/messages/locale/en.ts';

/** Longer than any key; login tokens have no form that is known. */
export const MAX_LENGTH = 200;

const CONSENT = 'moderators';

/** A form with one line for a secret. Discord masks no input; at least the secret is in no command and no message. */
export function secretForm(
  id: string,
  { title, ...texts }: Texts['apiKey']['revokeForm'] & { placeholder?: string },
  ...further: APILabelComponent[]
): APIModalInteractionResponseCallbackData {
  const secret = textField({ name: SECRET_FIELD, ...texts, required: true, characters: MAX_LENGTH });
  return { custom_id: id, title, components: [secret, ...further] };
}

/** Asks whether the moderators of this server may see the credits; 'no' is picked already. */
export const consentField = ({ apiKey: { consent } }: Texts): APILabelComponent =>
  selectField({
    name: CONSENT,
    label: consent.label,
    description: consent.description,
    required: true,
    options: [
      { value: 'no', label: consent.no, default: true },
      { value: 'yes', label: consent.yes, default: false },
    ],
  });

export const secretOf = ({ options }: { options: FormOptions }): string =>
  (options.fields[SECRET_FIELD] ?? '').trim();

/** Whether moderators may see the credits; not where it was not asked. */
export const consentOf = ({ options }: { options: FormOptions }): boolean =>
  options.picked[CONSENT]?.[0] === 'yes';
