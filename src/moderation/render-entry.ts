import { channelMention, roleMention, time, userMention } from 'discord.js';
import { type GuildSettings, ID_SETTINGS, isIdSetting, LANGUAGES } from '../guilds/guild-settings.ts';
import { foreignText } from '../messages/foreign-text.ts';
import type { Texts } from '../messages/locale/en.ts';
import { MESSAGE_LIMITS } from '../messages/message.ts';
import type { AuditEntry } from './audit-entry.ts';

/** The settings that are one of a few words. */
type WordSetting = {
  [Name in keyof Required<GuildSettings>]: NonNullable<GuildSettings[Name]> extends infer Value extends string
    ? string extends Value
      ? never
      : Name
    : never;
}[keyof GuildSettings];

/** Characters of a setting's value that are shown, and of its name where a later version has written it. */
const VALUE_CHARACTERS = 200;
const NAME_CHARACTERS = 50;
const MOST_IDS = 10;
/** Of a list, and what stands for items that are not shown. */
const SEPARATOR = ', ';
const REST = '…';

/** What the log calls a term of a server's key that is none of its settings. */
export type LoggedTerm = keyof Texts['apiKey']['terms']['logged'];

/** The terms of a server's key that name a channel or a role, as `ID_SETTINGS` does of its settings. */
const ID_TERMS: ReadonlyMap<string, 'channels' | 'roles'> = new Map<LoggedTerm, 'channels' | 'roles'>([
  ['keyRole', 'roles'],
  ['keyWarningChannel', 'channels'],
]);

/**
 * One line of the log: when, who and what. Names are mentions, which notify nobody; foreign text is shown as it was
 * typed.
 */
export const renderEntry = (entry: AuditEntry, texts: Texts): string =>
  `${time(new Date(entry.at))} · ${whatHappened(entry, texts)}`;

/** Those of as many entries as fit into so many characters with a line break each, from the first on. */
export function linesOf(
  entries: readonly AuditEntry[],
  texts: Texts,
  characters: number = MESSAGE_LIMITS.content,
): string[] {
  const lines: string[] = [];
  let left = characters;
  for (const entry of entries) {
    const line = renderEntry(entry, texts);
    left -= line.length + 1;
    if (left < 0 && lines.length > 0) break;
    lines.push(line);
  }
  return lines;
}

function whatHappened(entry: AuditEntry, texts: Texts): string {
  const { audit, settings } = texts;
  const actor = entry.actorId === null ? audit.bot : userMention(entry.actorId);
  switch (entry.event) {
    case 'key-linked':
    case 'key-unlinked':
    case 'key-revoked':
      return audit[entry.event](actor, entry.owner);
    case 'setting-changed': {
      const { setting } = entry;
      const [from, to] = toldApart(entry).map((text) => shownValue(setting, text, settings));
      return audit['setting-changed'](actor, nameOf(setting, texts), from, to);
    }
    case 'credits-viewed':
    case 'picture-deleted':
    case 'request-cancelled':
    case 'member-unblocked':
    case 'report-dismissed':
      return audit[entry.event](actor, userMention(entry.memberId));
    case 'picture-reported':
      return audit['picture-reported'](actor, userMention(entry.memberId), entry.sha256);
    case 'member-blocked': {
      const until = entry.until === undefined ? undefined : time(new Date(entry.until));
      return audit['member-blocked'](actor, userMention(entry.memberId), until);
    }
    case 'graph-saved':
    case 'graph-removed':
      return audit[entry.event](actor, shown(entry.graph));
    case 'all-stopped':
      return audit['all-stopped'](actor, entry.jobs);
  }
}

/** A setting as the panel calls it, or a term of the server's key; any other as it stands in the entry. */
function nameOf(setting: string, { settings: { names, limits }, apiKey }: Texts): string {
  const named: Readonly<Record<string, string>> = { ...names, ...limits, ...apiKey.terms.logged };
  return Object.hasOwn(named, setting) ? (named[setting] ?? '') : foreignText(setting, NAME_CHARACTERS);
}

/** Of two lists that are too long to be shown, what only one of them has. */
function toldApart({ from = '', to = '' }: { from?: string | undefined; to?: string | undefined }): string[] {
  if (!from || !to || Math.max(from.length, to.length) <= VALUE_CHARACTERS) return [from, to];
  const [before, after] = [from.split(SEPARATOR), to.split(SEPARATOR)];
  const without = (list: string[], other: string[]) =>
    [REST, ...list.filter((item) => !other.includes(item))].join(SEPARATOR);
  return [without(before, after), without(after, before)];
}

/** Undefined where nothing is decided. */
function shownValue(setting: string, text: string, texts: Texts['settings']): string | undefined {
  if (text.trim() === '') return undefined;
  const isToggle = Object.hasOwn(texts.toggle, setting);
  if (isToggle && (text === 'true' || text === 'false')) return text === 'true' ? texts.on : texts.off;
  const words = new Map(Object.entries(wordsOf(texts))).get(setting) ?? {};
  if (Object.hasOwn(words, text)) return words[text];
  const ids = text.split(SEPARATOR);
  const kind = isIdSetting(setting) ? ID_SETTINGS[setting] : ID_TERMS.get(setting);
  if (!kind || !ids.every((id) => id === REST || /^\d{17,20}$/.test(id))) return shown(text);
  const mention = kind === 'channels' ? channelMention : roleMention;
  const named = ids.slice(0, MOST_IDS).map((id) => (id === REST ? id : mention(id)));
  return [...named, ...(ids.length > MOST_IDS ? [REST] : [])].join(SEPARATOR);
}

const wordsOf = ({
  flagged,
  notify,
  languages,
}: Texts['settings']): Record<WordSetting, Readonly<Record<string, string>>> => ({
  flagged,
  notify,
  locale: Object.fromEntries(LANGUAGES.map((language) => [language, languages(language)])),
});

/** Roles and channels stay mentions. */
const shown = (text: string): string =>
  foreignText(text, VALUE_CHARACTERS).replace(/\\<\\(@&|#)(\d{17,20})\\>/g, '<$1$2>');
