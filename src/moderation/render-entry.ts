import { time, userMention } from 'discord.js';
import { foreignText } from '../messages/foreign-text.ts';
import type { Texts } from '../messages/locale/en.ts';
import type { AuditEntry } from './audit-entry.ts';

/** Characters of a setting's value that are shown. */
const VALUE_CHARACTERS = 200;

/** One line of the log: when, who and what. Names are mentions, which notify nobody; foreign text is shown as it was typed. */
export const renderEntry = (entry: AuditEntry, texts: Texts): string =>
  `${time(new Date(entry.at))} · ${whatHappened(entry, texts)}`;

function whatHappened(entry: AuditEntry, { audit }: Texts): string {
  const actor = entry.actorId === null ? audit.bot : userMention(entry.actorId);
  switch (entry.event) {
    case 'key-linked':
    case 'key-unlinked':
    case 'key-revoked':
      return audit[entry.event](actor, entry.owner);
    case 'setting-changed':
      return audit['setting-changed'](actor, shown(entry.setting), value(entry.from), value(entry.to));
    case 'credits-viewed':
    case 'picture-deleted':
    case 'request-cancelled':
    case 'member-unblocked':
    case 'picture-reported':
    case 'report-dismissed':
      return audit[entry.event](actor, userMention(entry.memberId));
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

const value = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === '' ? undefined : shown(text);

const shown = (text: string): string => foreignText(text, VALUE_CHARACTERS);
