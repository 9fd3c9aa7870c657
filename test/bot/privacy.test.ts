import { gunzipSync } from 'node:zlib';
import type { APIMessage } from 'discord-api-types/v10';
import { expect, test } from 'vitest';
import { ALL_ABILITIES } from '../../packages/image-service/src/engines/engine.ts';
import { instantEngine } from '../../packages/image-service/test/support/engines.ts';
import {
  CHANNEL,
  MEMBER,
  MODERATOR,
  worldWhere,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { de } from '../../src/messages/locale/de.ts';
import { en } from '../../src/messages/locale/en.ts';
import { botWorld } from '../support/bot.ts';
import { buttonOf } from '../support/buttons.ts';
import { plain } from '../support/commands.ts';
import { fillIn, run, settled } from '../support/ephemeral-reply.ts';
import { eraseAll } from '../support/erase.ts';
import { startedJob } from '../support/started-job.ts';

const toldIn = ({ embeds }: APIMessage): string => embeds[0]?.description ?? '';

test('a member reads what is kept and for how long, in their language', async () => {
  const { member } = await botWorld({ discord: { world: worldWhere(MEMBER, 'de') } });
  const told = plain(toldIn(await run(member, 'privacy')));
  for (const line of de.privacy.kept(90, 30)) expect(told).toContain(line);
  expect(told).toContain(de.privacy.noLooks);
});

test('nothing of it is cut, not even where somebody else draws and a moderator has looked often', async () => {
  const sentTo = 'A provider of hosted models';
  const engine = { ...instantEngine(), abilities: () => ({ ...ALL_ABILITIES, sentTo }) };
  const world = await botWorld({
    operatorKey: null,
    service: { engine },
    discord: { world: worldWhere(MEMBER, 'de') },
  });
  const { member, service } = world;
  const opened = await member.invoke(CHANNEL, 'apikey link');
  await settled(await fillIn(member, opened, service.key, { moderators: true }), member);
  for (let look = 0; look < 5; look += 1) await run(world.as(MODERATOR), 'balance', { member: MEMBER });
  const told = toldIn(await run(member, 'privacy'));
  expect(told).toContain(de.privacy.sentTo([sentTo]));
  expect(told).toMatch(/<\/jobs:\d+>/);
  expect(told.match(new RegExp(`<@${MODERATOR}>`, 'g'))).toHaveLength(5);
  expect(told).not.toMatch(/…$/);
});

test('a member gets everything as a file that nobody else sees', async () => {
  const world = await botWorld();
  const { member } = world;
  await world.imagined({ prompt: 'a red fox @everyone' });
  const told = await run(member, 'privacy');
  const answer = await settled(await member.press(told.id, buttonOf(told, en.privacy.export)), member);
  const [file] = answer.attachments;
  expect(file?.filename).toBe(`darkroom-${MEMBER}.json`);
  const exported = await (await fetch(`${file?.url}`)).json();
  expect(exported).toMatchObject({
    member: MEMBER,
    jobs: [{ submission: { prompt: 'a red fox @everyone' } }],
  });
  expect(JSON.stringify(exported)).not.toMatch(/sk-[0-9a-f]{48}|"secrets"/);
});

test('a file that is too large for Discord comes compressed', async () => {
  const world = await botWorld({ discord: { attachmentSizeLimit: 3_000 } });
  const { member } = world;
  await world.imagined({ prompt: 'x'.repeat(3_000) });
  const told = await run(member, 'privacy');
  const answer = await settled(await member.press(told.id, buttonOf(told, en.privacy.export)), member);
  const [file] = answer.attachments;
  expect(file?.filename).toBe(`darkroom-${MEMBER}.json.gz`);
  const bytes = Buffer.from(await (await fetch(`${file?.url}`)).arrayBuffer());
  expect(gunzipSync(bytes).toString()).toContain('x'.repeat(3_000));
});

test('a member has everything erased once they have said so twice', async () => {
  const world = await botWorld();
  const { member } = world;
  const picture = await world.imagined({ prompt: 'a red fox' });
  const told = await run(member, 'privacy');
  const asked = await settled(await member.press(told.id, buttonOf(told, en.privacy.erase)), member);
  expect(plain(asked.content)).toBe(en.privacy.confirm);
  expect(JSON.stringify((await run(member, 'jobs')).embeds)).toContain('a red fox');
  await member.press(asked.id, buttonOf(asked, en.privacy.eraseAll));
  await expect.poll(() => plain(member.message(asked.id)?.content ?? '')).toBe(en.privacy.erased(0));
  expect((await run(member, 'jobs')).embeds).toEqual([]);
  const again = await member.press(picture.id, buttonOf(picture, en.picture.again));
  expect(again.kind === 'message' && plain(again.message.content)).toBe(en.actions.gone);
});

test('who thinks better of it keeps everything', async () => {
  const world = await botWorld();
  const { member } = world;
  await world.imagined({ prompt: 'a red fox' });
  const told = await run(member, 'privacy');
  const asked = await settled(await member.press(told.id, buttonOf(told, en.privacy.erase)), member);
  await member.press(asked.id, buttonOf(asked, en.cancel.button));
  await expect.poll(() => plain(member.message(asked.id)?.content ?? '')).toBe(en.privacy.unchanged);
  expect(JSON.stringify((await run(member, 'jobs')).embeds)).toContain('a red fox');
});

test('a request that runs is kept until it has ended, and its member is told', async () => {
  const { member } = await startedJob();
  await eraseAll(member, { running: 1 });
});

test.each([
  ['en-GB', en, 'what others made of a picture that you posted or brought keeps your ID'],
  [
    'de',
    de,
    'was andere aus einem von dir geposteten oder mitgebrachten Bild gemacht haben, behält deine ID',
  ],
])('who erases is told what still names them: %s', async (locale, { privacy }, sentence) => {
  const { member } = await botWorld({ discord: { world: worldWhere(MEMBER, locale) } });
  const told = await run(member, 'privacy');
  const asked = await settled(await member.press(told.id, buttonOf(told, privacy.erase)), member);
  expect(asked.content).toContain(sentence);
});

test('nobody has anything of another erased', async () => {
  const world = await botWorld();
  const { member } = world;
  await world.imagined({ prompt: 'a red fox' });
  const other = world.as(MODERATOR);
  await eraseAll(other);
  expect(JSON.stringify((await run(member, 'jobs')).embeds)).toContain('a red fox');
});
