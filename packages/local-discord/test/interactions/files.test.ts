import { DAY_MS } from '@darkroom/time';
import { createFakeClock } from '@darkroom/time/testing';
import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  type Attachment,
  InteractionContextType,
} from 'discord.js';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { CHANNEL, MEMBER, MODERATOR, refusalOf } from '../support/local-discord.ts';
import { pingWorld } from '../support/ping-world.ts';

const picture = (width = 40, height = 30) =>
  sharp({ create: { width, height, channels: 3, background: '#a33' } })
    .png()
    .toBuffer();

const image = {
  name: 'image',
  description: 'a picture',
  type: ApplicationCommandOptionType.Attachment,
} as const;

const fetched = async ({ url }: Attachment) => Buffer.from(await (await fetch(url)).arrayBuffer());

test('a command gets a file with its size and kind, and fetches it from the CDN', async () => {
  const world = await pingWorld({ command: { options: [image] } });
  const seen: unknown[] = [];
  await world.serve(async (i) => {
    if (!i.isChatInputCommand()) return;
    const file = i.options.getAttachment('image', true);
    const { name, contentType, width, height, size, ephemeral } = file;
    seen.push({ name, contentType, width, height, size, ephemeral }, await fetched(file), file.url);
    await i.reply('thanks');
  });
  const bytes = await picture();
  await world.discord.as(MEMBER).invoke(CHANNEL, 'ping', { image: { name: 'my red.png', bytes } });
  expect(seen).toEqual([
    {
      name: 'my_red.png',
      contentType: 'image/png',
      width: 40,
      height: 30,
      size: bytes.length,
      ephemeral: true,
    },
    bytes,
    expect.stringMatching(`/ephemeral-attachments/${CHANNEL}/\\d+/my_red\\.png\\?ex=\\w+&is=\\w+&hm=\\w+`),
  ]);
});

test('the address of an uploaded file does not live longer than a day', async () => {
  const clock = createFakeClock();
  const world = await pingWorld({ clock, command: { options: [image] } });
  const urls: string[] = [];
  await world.serve(async (i) => {
    if (!i.isChatInputCommand()) return;
    urls.push(i.options.getAttachment('image', true).url);
    await i.reply('thanks');
  });
  await world.discord
    .as(MEMBER)
    .invoke(CHANNEL, 'ping', { image: { name: 'a.png', bytes: await picture() } });
  const [url = ''] = urls;
  expect((await fetch(url)).status).toBe(200);
  expect((await fetch(url.replace(/hm=./, 'hm=z'))).status).toBe(404);
  await clock.advance(DAY_MS);
  expect((await fetch(url)).status).toBe(404);
});

test('a file that a command was given is forgotten when its address has died, one of a message is not', async () => {
  const clock = createFakeClock();
  const world = await pingWorld({ clock, command: { options: [image] } });
  await world.serve(async (i) => i.isRepliable() && i.reply('thanks'));
  const member = world.discord.as(MEMBER);
  const bytes = await picture();
  await member.say(CHANNEL, 'mine', [{ name: 'said.png', bytes }]);
  const names = () => [...world.discord.state.attachments.values()].map(({ filename }) => filename);
  await member.invoke(CHANNEL, 'ping', { image: { name: 'first.png', bytes } });
  await clock.advance(DAY_MS);
  await member.invoke(CHANNEL, 'ping', { image: { name: 'second.png', bytes } });
  expect(names()).toEqual(['said.png', 'first.png', 'second.png']);
  await clock.advance(1);
  await member.invoke(CHANNEL, 'ping', { image: { name: 'third.png', bytes } });
  expect(names()).toEqual(['said.png', 'second.png', 'third.png']);
});

test('a file that is too large or of another type is not sent, and the bot hears nothing', async () => {
  const world = await pingWorld({
    attachmentSizeLimit: 1000,
    command: { options: [{ ...image, required: true, file_types: ['image', '.PDF'] }] },
  });
  const seen: string[] = [];
  await world.serve(async (i) => {
    if (!i.isChatInputCommand()) return;
    seen.push(i.options.getAttachment('image', true).name);
    await i.reply('thanks');
  });
  const member = world.discord.as(MEMBER);
  const send = (name: string, size = 10) =>
    member.invoke(CHANNEL, 'ping', { image: { name, bytes: Buffer.alloc(size) } });
  await expect(send('a.png', 1001)).rejects.toMatchObject({ field: 'image', message: /at most 1,000 bytes/ });
  await expect(send('a.txt')).rejects.toMatchObject({ field: 'image', message: /\.webp.*\.pdf/ });
  await expect(member.invoke(CHANNEL, 'ping')).rejects.toMatchObject({ field: 'image' });
  await expect(member.invoke(CHANNEL, 'ping', { image: 'a.png' })).rejects.toMatchObject({ field: 'image' });
  await send('a.png', 1000);
  await send('A.Pdf');
  expect(seen).toEqual(['a.png', 'A.Pdf']);
});

test.each([
  ['a word that is no group', ['picture']],
  ['an extension without its dot', ['image', 'pdf']],
  ['more than ten', Array.from({ length: 11 }, (_, n) => `.a${n}`)],
])('an option whose file types have %s is refused', async (_name, file_types) => {
  const world = await pingWorld();
  const options = [{ ...image, file_types: file_types as `.${string}`[] }];
  expect(await refusalOf(world.register({ name: 'ping', description: 'd', options }))).toMatchObject({
    code: 50035,
    errors: { 0: { options: { 0: { file_types: {} } } } },
  });
});

test('a command for messages gets the pictures of a message, without any intent', async () => {
  const world = await pingWorld();
  await world.register({
    name: 'Use as picture',
    type: ApplicationCommandType.Message,
    contexts: [InteractionContextType.Guild],
  });
  const seen: unknown[] = [];
  await world.serve(async (i) => {
    if (!i.isMessageContextMenuCommand()) return;
    const { content, attachments } = i.targetMessage;
    for (const file of attachments.values()) {
      const { name, contentType, width, height } = file;
      seen.push({ name, contentType, width, height }, await fetched(file));
    }
    await i.reply(`${content} has ${attachments.size}`);
  });
  const pictures = await Promise.all([picture(), picture(20, 10)]);
  const uploads = pictures.map((bytes, n) => ({ name: `${n}.png`, bytes }));
  const { id } = await world.discord.as(MODERATOR).say(CHANNEL, 'my dogs', uploads);
  const answer = await world.discord.as(MEMBER).invokeOn(CHANNEL, 'Use as picture', id);
  expect(answer).toMatchObject({ message: { content: 'my dogs has 2' } });
  expect(seen).toEqual([
    { name: '0.png', contentType: 'image/png', width: 40, height: 30 },
    pictures[0],
    { name: '1.png', contentType: 'image/png', width: 20, height: 10 },
    pictures[1],
  ]);
});
