import { type APIModalInteractionResponseCallbackData, ComponentType, TextInputStyle } from 'discord.js';
import type { FormOptions } from '../../src/bot/command.ts';

const FIELD = 'secret';
/** Longer than any key; login tokens have no form that is known. */
const MAX_LENGTH = 200;

interface SecretFormTexts {
  title: string;
  label: string;
  description: string;
  placeholder?: string;
}

/** A form with one line for a secret. Discord has no masked input; at least the secret is in no command and no message. */
export function secretForm(
  id: string,
  { title, label, description, placeholder }: SecretFormTexts,
): APIModalInteractionResponseCallbackData {
  return {
    custom_id: id,
    title,
    components: [
      {
        type: ComponentType.Label,
        label,
        description,
        component: {
          type: ComponentType.TextInput,
          custom_id: FIELD,
          style: TextInputStyle.Short,
          required: true,
          max_length: MAX_LENGTH,
          ...(placeholder !== undefined && { placeholder }),
        },
      },
    ],
  };
}

/** What was typed into the form. */
export const secretOf = ({ options }: { options: FormOptions }): string =>
  (options.fields[FIELD] ?? '').trim();
