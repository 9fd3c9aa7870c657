import type { APIModalInteractionResponseCallbackData } from 'discord.js';
import { BLOCKED_WORDS, type GuildSettings } from '../../src/guilds/guild-settings.ts';
import type { LimitSet } from '../../src/limits/limit-set.ts';
import { type Button, button, customId } from '../../src/messages/buttons.ts';
import { textField } from '../../src/messages/form-fields.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { verbatim } from '../../src/messages/message.ts';
import { UserError } from '../../src/messages/user-error.ts';

export const LIMIT_FORMS = {
  member: ['openRequests', 'memberHour', 'memberDay'],
  guild: ['guildHour', 'guildDay'],
  key: ['keyDay', 'keyMonth', 'keyCreditsDay', 'keyCreditsMonth'],
} as const satisfies Record<string, readonly (keyof LimitSet)[]>;

export type LimitForm = keyof typeof LIMIT_FORMS;
export const isLimitForm = (name: string): name is LimitForm => Object.hasOwn(LIMIT_FORMS, name);

const MOST = 1_000_000;
const WORDS_FIELD = 'words';
/** Of a text that is typed into a form, by Discord's documentation ("Text Input"). */
const WORDS_CHARACTERS = 4_000;

type Fields = Readonly<Record<string, string>>;

/** Asks for some limits; those that stand are filled in, or what was `typed` before, as `typedLimits` writes it. */
export const limitForm = (
  form: LimitForm,
  { limits }: GuildSettings,
  { settings: texts }: Texts,
  typed: readonly string[] = [],
): APIModalInteractionResponseCallbackData => ({
  custom_id: customId('settings', 'limits', form),
  title: texts.limitForms[form],
  components: LIMIT_FORMS[form].map((name, index) =>
    textField({
      name,
      label: texts.limits[name],
      description: texts.emptyIsUnlimited,
      characters: `${MOST}`.length,
      value: decoded(typed[index]) ?? limits[name]?.toString(),
    }),
  ),
});

const decoded = (typed: string | undefined) =>
  typed === undefined ? undefined : Buffer.from(typed, 'base64url').toString();

/** Characters of a typed limit in a custom id: four of them fit. */
const TYPED = 19;

/** The button that opens the form with what was typed into it, whatever it is, as far as a custom id holds it. */
const typedLimits = (form: LimitForm, fields: Fields, { editForm }: Texts): Button =>
  button.primary(
    editForm.edit,
    customId(
      'settings',
      'limits',
      form,
      ...LIMIT_FORMS[form].map((name) => {
        const typed = Buffer.from(fields[name] ?? '').toString('base64url');
        return typed.length > TYPED ? '' : typed;
      }),
    ),
  );

/** The settings with the limits that were typed into that form. Throws `UserError` naming what is no number. */
export function withLimits(
  settings: GuildSettings,
  form: LimitForm,
  fields: Fields,
  texts: Texts,
): GuildSettings {
  const limits = { ...settings.limits };
  const wrong: string[] = [];
  for (const name of LIMIT_FORMS[form]) {
    const typed = (fields[name] ?? '').trim();
    const limit = Number(typed);
    if (typed === '') delete limits[name];
    else if (/^\d+$/.test(typed) && limit >= 1 && limit <= MOST) limits[name] = limit;
    else wrong.push(texts.settings.noLimit(texts.settings.limits[name], MOST));
  }
  if (wrong.length > 0) {
    throw new UserError(wrong.join('\n'), { nextStep: typedLimits(form, fields, texts) });
  }
  return { ...settings, limits };
}

/** Asks for the blocked words, one a line; those that stand are filled in, or what was `typed` before. */
export const wordsForm = (
  { blockedWords }: GuildSettings,
  { settings: texts }: Texts,
  typed = blockedWords.join('\n'),
): APIModalInteractionResponseCallbackData => ({
  custom_id: customId('settings', 'words'),
  title: texts.names.blockedWords,
  components: [
    textField({
      name: WORDS_FIELD,
      label: texts.wordsForm.label,
      description: texts.wordsForm.description,
      long: true,
      characters: WORDS_CHARACTERS,
      value: typed,
    }),
  ],
});

export const typedWords = (fields: Fields): string => fields[WORDS_FIELD] ?? '';

/** The words that were typed into that form. Throws `UserError` where they are too many, or one is too long. */
export function readWords(typed: string, { settings: texts }: Texts): string[] {
  const words = typed.split(/[\n,]/).map((word) => word.trim());
  const blockedWords = [...new Set(words.filter((word) => word !== ''))];
  const { most, characters } = BLOCKED_WORDS;
  if (blockedWords.length > most) throw new UserError(texts.tooManyWords(most));
  const wrong = blockedWords.find((word) => word.length > characters || !/[\p{L}\p{N}]/u.test(word));
  if (wrong !== undefined) throw new UserError(texts.noWord(verbatim(wrong), characters));
  return blockedWords;
}
