import { randomBytes } from 'node:crypto';
import { DAY_MS } from '@darkroom/time';
import { createFakeClock } from '@darkroom/time/testing';
import { type APIMessage, Routes } from 'discord.js';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { CHANNEL, MEMBER, refusalOf, type TestDiscord } from './support/local-discord.ts';
import { openLocalDiscord } from './support/open-local-discord.ts';

let world: TestDiscord;

const picture = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: '#a33' } })
    .png()
    .toBuffer();

async function upload(body: object, ...files: { name: string; data: Buffer }[]): Promise<APIMessage> {
  return (await world.rest.post(Routes.channelMessages(CHANNEL), { body, files })) as APIMessage;
}

test('a file comes back byte for byte, with its type, size and text', async () => {
  world = await openLocalDiscord();
  const data = await picture();
  const message = await upload(
    { attachments: [{ id: '0', description: 'a red field' }] },
    { name: 'red field.png', data },
  );
  const [attachment] = message.attachments;
  expect(attachment).toMatchObject({
    filename: 'red_field.png',
    size: data.length,
    content_type: 'image/png',
    width: 40,
    height: 30,
    description: 'a red field',
  });
  const answer = await fetch(attachment?.url ?? '');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('image/png');
  expect(Buffer.from(await answer.arrayBuffer()).equals(data)).toBe(true);
});

test('a link is refused when it was changed and when its day is over, and a new one works', async () => {
  const clock = createFakeClock();
  world = await openLocalDiscord({ clock });
  const message = await upload({}, { name: 'a.bin', data: randomBytes(10) });
  const url = message.attachments[0]?.url ?? '';
  expect((await fetch(url)).status).toBe(200);
  expect((await fetch(url.replace(/hm=./, 'hm=z'))).status).toBe(404);
  expect((await fetch(url.split('?')[0] ?? '')).status).toBe(404);
  await clock.advance(DAY_MS);
  expect((await fetch(url)).status).toBe(404);
  const fresh = world.discord.as(MEMBER).message(message.id)?.attachments[0]?.url ?? '';
  expect((await fetch(fresh)).status).toBe(200);
});

test('a file over the limit, and a request over its own, are 40005', async () => {
  world = await openLocalDiscord({ attachmentSizeLimit: 1000, requestSizeLimit: 2500 });
  await upload({}, { name: 'a.bin', data: randomBytes(1000) });
  expect(await refusalOf(upload({}, { name: 'a.bin', data: randomBytes(1001) }))).toMatchObject({
    status: 413,
    code: 40005,
  });
  const three = [1, 2, 3].map((n) => ({ name: `${n}.bin`, data: randomBytes(900) }));
  expect(await refusalOf(upload({}, ...three))).toMatchObject({ status: 413, code: 40005 });
});

test('an edit keeps what it lists, removes the rest, and without a list keeps all', async () => {
  world = await openLocalDiscord();
  const files = ['a.txt', 'b.txt'].map((name) => ({ name, data: Buffer.from(name) }));
  const message = await upload({}, ...files);
  const route = Routes.channelMessage(CHANNEL, message.id);
  const names = (answer: unknown) => (answer as APIMessage).attachments.map(({ filename }) => filename);
  expect(names(await world.rest.patch(route, { body: { content: 'x' } }))).toEqual(['a.txt', 'b.txt']);
  const kept = message.attachments[1]?.id ?? '';
  const added = { body: { attachments: [{ id: kept }, { id: '0' }] }, files: [{ name: 'c.txt', data: 'c' }] };
  expect(names(await world.rest.patch(route, added))).toEqual(['b.txt', 'c.txt']);
  expect((await fetch(message.attachments[0]?.url ?? '')).status).toBe(404);
});

test('of two edits at once one has too many files, and leaves none behind', async () => {
  world = await openLocalDiscord();
  const { id } = await upload({ content: 'x' });
  const { rest } = await world.login();
  const files = Array.from({ length: 6 }, (_, n) => ({ name: `${n}.bin`, data: randomBytes(10) }));
  const edits = [world.rest, rest].map((one) => one.patch(Routes.channelMessage(CHANNEL, id), { files }));
  const results = await Promise.allSettled(edits);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(world.discord.state.attachments.size).toBe(6);
});

test('a picture that an embed shows stands in the embed and not among the attachments', async () => {
  world = await openLocalDiscord();
  const data = await picture();
  const message = await upload(
    { embeds: [{ image: { url: 'attachment://a.png' } }] },
    { name: 'a.png', data },
  );
  expect(message.attachments).toEqual([]);
  expect(message.embeds[0]?.image).toMatchObject({ width: 40, height: 30 });
  const bytes = await (await fetch(message.embeds[0]?.image?.url ?? '')).arrayBuffer();
  expect(Buffer.from(bytes).equals(data)).toBe(true);
  const route = Routes.channelMessage(CHANNEL, message.id);
  const edited = (await world.rest.patch(route, { body: { content: 'x', embeds: [] } })) as APIMessage;
  expect(edited.attachments.map(({ filename }) => filename)).toEqual(['a.png']);
});

test('the icons of an author and of a footer may be files of the message', async () => {
  world = await openLocalDiscord();
  const data = await picture();
  const icon_url = 'attachment://a.png';
  const embed = { author: { name: 'Author', icon_url }, footer: { text: 'Footer', icon_url } };
  const message = await upload({ embeds: [embed] }, { name: 'a.png', data });
  const { author, footer } = message.embeds[0] ?? {};
  for (const icon of [author, footer]) {
    expect(icon?.proxy_icon_url).toBe(icon?.icon_url);
    const bytes = await (await fetch(icon?.icon_url ?? '')).arrayBuffer();
    expect(Buffer.from(bytes).equals(data)).toBe(true);
  }
});

test('users and servers have pictures of their own, also as PNG', async () => {
  world = await openLocalDiscord();
  const member = world.discord.as(MEMBER);
  const avatar = `${world.discord.url}/avatars/${member.user.id}/${member.user.avatar}`;
  const svg = await fetch(`${avatar}.svg`);
  expect(svg.headers.get('content-type')).toContain('image/svg+xml');
  const png = await fetch(`${avatar}.png`);
  expect((await sharp(await png.arrayBuffer()).metadata()).format).toBe('png');
  const icon = await fetch(member.guilds()[0]?.iconUrl ?? '');
  expect(icon.status).toBe(200);
  const client = await world.login();
  expect((await fetch(client.user.displayAvatarURL())).status).toBe(200);
});
