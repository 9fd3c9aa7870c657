import { MessageFlags, Routes } from 'discord.js';
import { expect, test } from 'vitest';
import { unfurls } from '../src/rules/unfurls.ts';
import { CHANNEL, MEMBER, startLocalDiscord } from './support/local-discord.ts';

test.each<[string, string[]]>([
  ['see https://example.com/x now', ['https://example.com/x']],
  ['[a bank](https://evil.example)', ['https://evil.example)']],
  ['<https://example.com/x>', []],
  ['`https://example.com` and ```\nhttps://example.com', []],
  ['https\\://example.com', []],
  ['https://discord.com/channels/1/2/3', []],
  ['discord.gg/abc', ['discord.gg/abc']],
  ['<https://discord.gg/abc>', ['https://discord.gg/abc']],
  ['DISCORD.COM/invite/abc', ['DISCORD.COM/invite/abc']],
  ['//canary.discord.com/invite/abc', ['//canary.discord.com/invite/abc']],
  ['`discord.gg/abc`', []],
  ['\\`a, `discord.gg/abc b`', []],
  ['\\\\`discord.gg/abc b`', []],
  ['discord\\.gg/abc', []],
  ['a picture of discord.gg', []],
])('%s shows %j', (content, shown) => {
  expect(unfurls({ content })).toEqual(shown);
});

test('a message that suppresses embeds shows invitations all the same', () => {
  const content = 'https://example.com discord.gg/abc';
  expect(unfurls({ content, flags: MessageFlags.SuppressEmbeds })).toEqual(['discord.gg/abc']);
});

test('what messages of bots would have shown is told, also where it was edited away, but nothing of people', async () => {
  const world = await startLocalDiscord();
  await world.discord.as(MEMBER).say(CHANNEL, 'https://example.com/mine');
  const posted = await world.rest.post(Routes.channelMessages(CHANNEL), {
    body: { content: 'discord.gg/abc', embeds: [{ description: 'https://example.com/embedded' }] },
  });
  const { id } = posted as { id: string };
  await world.rest.patch(Routes.channelMessage(CHANNEL, id), { body: { content: 'gone' } });
  expect(world.discord.unfurled()).toEqual(['discord.gg/abc']);
  await world.close();
});
