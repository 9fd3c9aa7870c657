import { expect, test } from 'vitest';
import { de } from '../../src/messages/locale/de.ts';
import { en } from '../../src/messages/locale/en.ts';
import { renderEntry } from '../../src/moderation/render-entry.ts';

const MODERATOR = '200000000000000002';
const changed = {
  guildId: '400000000000000001',
  actorId: MODERATOR,
  at: 0,
  event: 'setting-changed',
} as const;

test.each([
  [
    'paused',
    'false',
    'true',
    'changed **Paused** from no to yes',
    'hat **Pausiert** geändert, von nein zu ja',
  ],
  [
    'largestSize',
    undefined,
    '512x512',
    'changed **Largest size** from nothing to 512x512',
    'hat **Maximale Größe** geändert, von nichts zu 512x512',
  ],
  [
    'locale',
    'en',
    'de',
    'changed **Language** from English to German',
    'hat **Sprache** geändert, von Englisch zu Deutsch',
  ],
  [
    'logChannelId',
    undefined,
    '500000000000000001',
    'changed **Log channel** from nothing to <#500000000000000001>',
    'hat **Protokollkanal** geändert, von nichts zu <#500000000000000001>',
  ],
  [
    'keyMemberDay',
    undefined,
    '5',
    'changed **Server key: pictures per member per day** from nothing to 5',
    'hat **Serverschlüssel: Bilder je Mitglied und Tag** geändert, von nichts zu 5',
  ],
  [
    'keyRole',
    '500000000000000001',
    undefined,
    'changed **Server key: role** from <@&500000000000000001> to nothing',
    'hat **Serverschlüssel: Rolle** geändert, von <@&500000000000000001> zu nichts',
  ],
  [
    'blockedWords',
    'false',
    'true',
    'changed **Blocked words** from false to true',
    'hat **Gesperrte Wörter** geändert, von false zu true',
  ],
  [
    'a setting of **another** version',
    'on',
    '1',
    'changed **a setting of \\*\\*another\\*\\* version** from on to 1',
    'hat **a setting of \\*\\*another\\*\\* version** geändert, von on zu 1',
  ],
])('the log names %s as the panel does, in its language', (setting, from, to, english, german) => {
  const entry = { ...changed, setting, from, to };
  expect(renderEntry(entry, en)).toBe(`<t:0> · <@${MODERATOR}> ${english}`);
  expect(renderEntry(entry, de)).toBe(`<t:0> · <@${MODERATOR}> ${german}`);
});

test('of long lists the log shows what was added and what was taken out', () => {
  const words = Array.from({ length: 40 }, (_, nth) => `word ${nth}`);
  const entry = { ...changed, setting: 'blockedWords', from: words.join(', ') };
  expect(renderEntry({ ...entry, to: [...words, 'new'].join(', ') }, en)).toContain('from … to …, new');
  expect(renderEntry({ ...entry, to: words.slice(1).join(', ') }, en)).toContain('from …, word 0 to …');
  const ids = Array.from({ length: 12 }, (_, nth) => `5000000000000000${nth + 10}`);
  const places = { ...changed, setting: 'channels', from: ids.join(', '), to: ids.slice(1).join(', ') };
  expect(renderEntry(places, en)).toContain(`from …, <#${ids[0]}> to …`);
});

test('the log names roles and channels in a sentence of an earlier version', () => {
  const entry = {
    ...changed,
    setting: 'the server’s key',
    from: undefined,
    to: 'Who: <@&500000000000000001>.',
  };
  expect(renderEntry(entry, en)).toContain('to Who\\: <@&500000000000000001>');
});
