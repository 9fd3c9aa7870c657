import { silentLog } from '@darkroom/testing';
import { DAY_MS } from '@darkroom/time';
import type { APIMessage } from 'discord-api-types/v10';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { failingEngine } from '../../packages/image-service/test/support/engines.ts';
import {
  BOT,
  CHANNEL,
  GUILD,
  MEMBER,
  MODERATOR,
  worldWhere,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { de } from '../../src/messages/locale/de.ts';
import { en } from '../../src/messages/locale/en.ts';
import { openStore } from '../../src/storage/store.ts';
import { usageRow } from '../../src/usage/usage-row.ts';
import { botWorld } from '../support/bot.ts';
import { buttonOf } from '../support/buttons.ts';
import { run, settled } from '../support/ephemeral-reply.ts';

/** A bot in whose server a member has made two pictures. */
async function usedWorld(options: Parameters<typeof botWorld>[0] = {}) {
  const world = await botWorld(options);
  await world.imagined({ prompt: 'a red fox', count: 2 });
  const attachment = ({ attachments }: APIMessage, end: string) => {
    const found = attachments.find(({ filename }) => filename.endsWith(end));
    if (!found) throw new Error(`no attachment ${end}`);
    return found;
  };
  const text = async (message: APIMessage, end: string) => (await fetch(attachment(message, end).url)).text();
  return { ...world, moderator: world.as(MODERATOR), attachment, text };
}

test('a moderator sees the month as a picture with its figures in words, and as a table', async () => {
  const { moderator, attachment, text } = await usedWorld();
  const shown = await run(moderator, 'usage');
  expect(shown.content).toContain(`\n<@${MEMBER}>: 2 (`);
  expect(shown.mentions).toEqual([]);
  const { url, description = '' } = attachment(shown, '.png');
  const picture = await sharp(Buffer.from(await (await fetch(url)).arrayBuffer())).metadata();
  expect(picture).toMatchObject({ format: 'png', width: 1600 });
  expect(description).toMatch(/pictures: 2, members: 1, failed: 0, credits paid by shared keys: [1-9][\d.]*/);
  expect(description).toContain('default 2');
  const [, line = ''] = (await text(shown, '.csv')).split('\r\n');
  expect(line).toMatch(new RegExp(`^\\d{4}-\\d\\d-\\d\\d,<@${MEMBER}>,default,2,0,[1-9][\\d.]*$`));
});

test('what failed is counted as failed', async () => {
  const { moderator } = await usedWorld({ service: { engine: failingEngine() } });
  const { content } = await run(moderator, 'usage');
  expect(content).toContain(en.usage.figures('0', '0', '1', '2'));
  expect(content).toMatch(new RegExp(`<@${MEMBER}>: 0$`, 'm'));
});

test('what a member has erased still counts, and is said to have no name', async () => {
  const { member, moderator } = await usedWorld();
  const told = await run(member, 'privacy');
  const asked = await settled(await member.press(told.id, buttonOf(told, en.privacy.erase)), member);
  await member.press(asked.id, buttonOf(asked, en.privacy.eraseAll));
  await expect.poll(() => member.message(asked.id)?.content).toBe(en.privacy.erased(0));
  const { content } = await run(moderator, 'usage');
  expect(content).toContain('pictures: 2, members: 0');
  expect(content).toContain('\nwithout a name: 2 (erased, or not shown yet)\n');
  expect(content).not.toContain(MEMBER);
});

test('a month of more lines than its table holds says how many are left out', async () => {
  const world = await botWorld();
  const store = await openStore({ url: `sqlite://${world.folder}/bot.sqlite`, log: silentLog() });
  onTestFinished(store.close);
  const used = store.collection('usage', usageRow);
  const rows = Array.from({ length: 50_001 }, (_, nth) => {
    const row = { memberId: `${nth}`, workflow: 'default', pictures: 1, failed: 0, credits: 0 };
    return used.row(`${GUILD}:2026-10-01:${nth}`, row, 365 * DAY_MS);
  });
  while (rows.length > 0) await store.write(rows.splice(0, 5_000));
  const { content } = await run(world.as(MODERATOR), 'usage', { month: '2026-10' });
  expect(content).toContain('pictures: 50,001');
  expect(content).toContain(en.usage.tableEnds('1'));
});

test('it is answered in the language of whoever asks', async () => {
  const { moderator } = await usedWorld({ discord: { world: worldWhere(MODERATOR, 'de') } });
  expect((await run(moderator, 'usage')).content).toContain('Bilder: 2');
});

test('a month without pictures is said to have none', async () => {
  const { as, clock } = await botWorld();
  const name = en.usage.month(new Date(clock.now()));
  expect((await run(as(MODERATOR), 'usage')).content).toBe(en.usage.none(name));
});

test('a month that is forgotten is said to be, and not to have no pictures', async () => {
  const { as } = await botWorld();
  const { content } = await run(as(MODERATOR), 'usage', { month: '2025-02' });
  expect(content).toBe('What is older than 90 days is forgotten.');
});

test('where pictures are kept for one day, that is one day in every language', () => {
  expect(en.usage.forgotten(1)).toBe('What is older than 1 day is forgotten.');
  expect(de.usage.forgotten(1)).toBe('Was älter als 1 Tag ist, ist gelöscht.');
  expect(de.privacy.kept(1, 7).join()).toContain('1 Tag, nachdem es vorbei ist');
});

test('a month of which a part is forgotten says so, with pictures and without', async () => {
  const world = await botWorld();
  const day = new Date(world.clock.now() - 90 * DAY_MS).toISOString().slice(0, 10);
  const month = day.slice(0, 7);
  const moderator = world.as(MODERATOR);
  const none = en.usage.none(en.usage.month(new Date(day)));
  expect((await run(moderator, 'usage', { month })).content).toBe(`${none}\n${en.usage.forgotten(90)}`);
  const store = await openStore({ url: `sqlite://${world.folder}/bot.sqlite`, log: silentLog() });
  onTestFinished(store.close);
  const row = { memberId: MEMBER, workflow: 'default', pictures: 1, failed: 0, credits: 0 };
  await store.write([store.collection('usage', usageRow).row(`${GUILD}:${day}:1`, row, DAY_MS)]);
  const { content } = await run(moderator, 'usage', { month });
  expect(content).toContain('pictures: 1,');
  expect(content.split('\n')).toContain(en.usage.forgotten(90));
});

test.each(['2026-13', '2026', 'last', `${'9'.repeat(400)}-01`, '=1'])('%j is no month', async (month) => {
  const { as } = await botWorld();
  expect((await run(as(MODERATOR), 'usage', { month })).content).toBe(en.refusal.month);
});

test('who may not manage the server is told which right is missing', async () => {
  const { member, openCommands } = await usedWorld();
  await openCommands();
  const { content, attachments } = await run(member, 'usage');
  expect(content).toBe(en.refusal.needsManageServer);
  expect(attachments).toEqual([]);
});

test('in direct messages there is nothing to show', async () => {
  const { member } = await botWorld();
  const conversation = member.openDirectMessage(BOT).id;
  const answer = await member.invoke(conversation, 'usage');
  expect(answer).toMatchObject({ kind: 'message', message: { content: en.refusal.serverOnly } });
});

test('the months that are offered are those of which something is kept, by name and number', async () => {
  const { as } = await botWorld();
  const { choices } = await as(MODERATOR).autocomplete(CHANNEL, 'usage', { month: '20' }, 'month');
  const months = choices.map(({ value }) => value);
  expect(months[0]).toBe(new Date().toISOString().slice(0, 7));
  expect(months.at(-1)).toBe(new Date(Date.now() - 90 * DAY_MS).toISOString().slice(0, 7));
  for (const { name, value } of choices) expect(name).toBe(en.usage.month(new Date(`${value}-01`)));
});
