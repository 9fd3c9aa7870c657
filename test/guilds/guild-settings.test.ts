import { silentLog } from '@darkroom/testing';
import { expect, test } from 'vitest';
import { createGuildSettings, UNREADABLE_SETTINGS } from '../../src/guilds/guild-settings.ts';
import { createStoreWorld } from '../support/store.ts';

const STUDIO = '400000000000000001';
const OTHER = '400000000000000002';

test('a new server has the defaults, and what one decides is not another one’s', async () => {
  const { store } = await createStoreWorld();
  const settings = createGuildSettings({ store, log: silentLog() });
  await settings.change(STUDIO, (before) => ({ ...before, paused: true, limits: { memberDay: 3 } }));
  expect(await settings.of(STUDIO)).toMatchObject({ paused: true, limits: { memberDay: 3 } });
  for (const place of [OTHER, null]) {
    expect(await settings.of(place)).toEqual({
      paused: false,
      notify: 'slow',
      channels: [],
      roles: [],
      ownPictures: true,
      ownPictureChannels: [],
      ownPictureRoles: [],
      privateByDefault: false,
      limits: {},
      blockedWords: [],
      flagged: 'spoiler',
      workflows: [],
    });
  }
  await settings.purgeGuild(STUDIO);
  expect(await settings.of(STUDIO)).toMatchObject({ paused: false });
});

test('changes that are made at once are all made, and one that is refused changes nothing', async () => {
  const { store } = await createStoreWorld();
  const settings = createGuildSettings({ store, log: silentLog() });
  const words = Array.from({ length: 20 }, (_, nth) => `word${nth}`);
  const refused = settings.change(STUDIO, () => {
    throw new Error('refused');
  });
  await Promise.all([
    expect(refused).rejects.toThrow('refused'),
    ...words.map((word) =>
      settings.change(STUDIO, (before) => ({ ...before, blockedWords: [...before.blockedWords, word] })),
    ),
  ]);
  expect((await settings.of(STUDIO)).blockedWords.toSorted()).toEqual(words.toSorted());
});

test('a row that somebody has damaged stops pictures until somebody decides anew, is reported, and is kept aside', async () => {
  const { store, reopen, sql, log, logged } = await createStoreWorld();
  await createGuildSettings({ store, log }).change(STUDIO, (before) => ({ ...before, mostSteps: 10 }));
  const text = JSON.stringify({ value: { paused: 'perhaps', channels: ['<script>'] } });
  await sql('UPDATE bot_rows SET value = ? WHERE key = ?', text, `guild-settings:${STUDIO}`);
  const settings = createGuildSettings({ store: await reopen(), log });
  for (let nth = 0; nth < 2; nth++) expect(await settings.of(STUDIO)).toBe(UNREADABLE_SETTINGS);
  expect(logged[0]).toMatchObject({ level: 50, collection: 'guild-settings', id: STUDIO });
  expect(await settings.guildIds()).toEqual([STUDIO]);

  await settings.change(STUDIO, (before) => ({ ...before, mostSteps: 20 }));
  expect(await settings.of(STUDIO)).toMatchObject({ paused: true, mostSteps: 20 });
  const [aside] = await sql(`SELECT value FROM bot_rows WHERE key = 'set-aside:guild-settings:${STUDIO}'`);
  expect(`${aside?.value}`).toContain('<script>');
});
