import { time, userMention } from 'discord.js';
import type { Texts } from '../messages/locale/en.ts';
import { truncate, verbatim } from '../messages/message.ts';
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
    case 'member-unblocked':
    case 'picture-reported':
    case 'report-dismissed':
      return audit[entry.event](actor, userMention(entry.memberId));
    case 'member-blocked': {
      const until = entry.until === undefined ? undefined : time(new Date(entry.until));
      return audit['member-blocked'](actor, userMention(entry.memberId), until);
    }
    case 'all-stopped':
      return audit['all-stopped'](actor, entry.jobs);
  }
}

const value = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === '' ? undefined : shown(text);

/** On one line, and without characters that turn or hide what follows. */
const shown = (text: string): string =>
  verbatim(truncate(text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' '), VALUE_CHARACTERS));
