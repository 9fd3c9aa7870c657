import type { APIModalInteractionResponseCallbackData } from 'discord.js';
import { versionOf } from '../../src/bot/custom-id-version.ts';
import { BLOCKED_WORDS, type GuildSettings } from '../../src/guilds/guild-settings.ts';
import type { LimitSet } from '../../src/limits/limit-set.ts';
import { customId } from '../../src/messages/buttons.ts';
import { textField } from '../../src/messages/form-fields.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { cut, verbatim } from '../../src/messages/message.ts';
import { refuseAll, UserError } from '../../src/messages/user-error.ts';

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

/** The limits of a form that stand, as they stand in its custom id. */
const limitsIn = (form: LimitForm, limits: LimitSet): string =>
  LIMIT_FORMS[form].map((name) => limits[name] ?? '').join('.');

/**
 * Asks for some limits; those that stand are filled in, or what was typed before into a form that had `shown` what
 * stood then.
 */
export function limitForm(
  form: LimitForm,
  { limits }: GuildSettings,
  { settings: texts }: Texts,
  kept?: { typed: string; shown: string | undefined },
): APIModalInteractionResponseCallbackData {
  const before = kept?.typed.split('\n');
  // The operator's budgets are those of another key.
  const empty = form === 'key' ? texts.emptyIsUnlimited : texts.emptyIsOperators;
  return {
    custom_id: customId('settings', 'limits', form, kept?.shown ?? limitsIn(form, limits)),
    title: texts.limitForms[form],
    components: LIMIT_FORMS[form].map((name, index) =>
      textField({
        name,
        label: texts.limits[name],
        description: empty,
        characters: `${MOST}`.length,
        value: before ? before[index] : limits[name]?.toString(),
      }),
    ),
  };
}

/** What was typed into that form, a line for each limit. */
export const typedLimits = (form: LimitForm, fields: Fields): string =>
  LIMIT_FORMS[form].map((name) => (fields[name] ?? '').replace(/\s+/g, ' ').trim()).join('\n');

/**
 * The limits in what was typed, of each that is not as the form had `shown` it. Throws `UserError` naming what is no
 * number.
 */
export function readLimits(
  form: LimitForm,
  { typed, shown }: { typed: string; shown: string | undefined },
  { settings: texts }: Texts,
): LimitSet {
  const lines = typed.split('\n');
  const before = shown?.split('.');
  const limits: LimitSet = {};
  const wrong: string[] = [];
  for (const [index, name] of LIMIT_FORMS[form].entries()) {
    const line = lines[index] ?? '';
    const limit = Number(line);
    if (line === before?.[index]) continue;
    if (line === '') limits[name] = undefined;
    else if (/^\d+$/.test(line) && limit >= 1 && limit <= MOST) limits[name] = limit;
    else wrong.push(texts.noLimit(texts.limits[name], MOST));
  }
  refuseAll(wrong);
  return limits;
}

/** Which words stand, as a part of the custom id of their form. */
const wordsVersion = (words: readonly string[]): string => versionOf(words.join('\n'));

/** Whether those words still stand that a form has `shown`; undefined where it did not say. */
const areAsShown = (words: readonly string[], shown: string | undefined): boolean =>
  shown === undefined || shown === wordsVersion(words);

/**
 * Asks for the blocked words, one a line; those that stand are filled in, or what was typed before: both where it was
 * typed into a form that had `shown` others.
 */
export const wordsForm = (
  { blockedWords }: GuildSettings,
  { settings: texts }: Texts,
  kept?: { typed: string; shown: string | undefined },
): APIModalInteractionResponseCallbackData => ({
  custom_id: customId('settings', 'words', wordsVersion(blockedWords)),
  title: texts.names.blockedWords,
  components: [
    textField({
      name: WORDS_FIELD,
      label: texts.wordsForm.label,
      description: texts.wordsForm.description,
      long: true,
      characters: WORDS_CHARACTERS,
      value:
        kept && areAsShown(blockedWords, kept.shown)
          ? kept.typed
          : cut(wordsIn([...blockedWords, kept?.typed].join('\n')).join('\n'), WORDS_CHARACTERS),
    }),
  ],
});

const wordsIn = (typed: string): string[] => {
  const words = typed.split(/[\n,]/).map((word) => word.trim());
  return [...new Set(words.filter((word) => word !== ''))];
};

export const typedWords = (fields: Fields): string => fields[WORDS_FIELD] ?? '';

/** The words that were typed into that form. Throws `UserError` where they are too many, or one is too long. */
export function readWords(typed: string, { settings: texts }: Texts): string[] {
  const blockedWords = wordsIn(typed);
  const { most, characters } = BLOCKED_WORDS;
  if (blockedWords.length > most) throw new UserError(texts.tooManyWords(most));
  const wrong = blockedWords.find((word) => word.length > characters || !/[\p{L}\p{N}]/u.test(word));
  if (wrong !== undefined) throw new UserError(texts.noWord(verbatim(wrong), characters));
  return blockedWords;
}

/**
 * The settings with these words. Throws `UserError` where a form had `shown` others than stand by now, which it would
 * undo.
 */
export function withWords(
  settings: GuildSettings,
  { blockedWords, shown }: { blockedWords: string[]; shown: string | undefined },
  { settings: texts }: Texts,
): GuildSettings {
  const stands = settings.blockedWords;
  if (!areAsShown(stands, shown) && wordsVersion(stands) !== wordsVersion(blockedWords))
    throw new UserError(texts.wordsChangedSince);
  return { ...settings, blockedWords };
}
