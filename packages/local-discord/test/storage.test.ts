import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PermissionFlagsBits as P, Routes } from 'discord.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  BOT,
  BOT_ROLE,
  CHANNEL,
  GUILD,
  MEMBER,
  MODERATOR,
  startLocalDiscord,
} from './support/local-discord.ts';

let stateFolder: string;
beforeEach(async () => {
  stateFolder = await mkdtemp(join(tmpdir(), 'local-discord-'));
});
afterEach(() => rm(stateFolder, { recursive: true }));

test('messages, files, commands, rights and open tokens survive a restart', async () => {
  const first = await startLocalDiscord({ stateFolder });
  await first.register({ name: 'ping', description: 'd' });
  let token = '';
  await first.serve(async (i) => {
    if (!i.isChatInputCommand()) return;
    token = i.token;
    await i.reply({ content: 'kept', files: [{ name: 'a.txt', attachment: Buffer.from('bytes') }] });
  });
  await first.discord.as(MEMBER).invoke(CHANNEL, 'ping');
  first.discord.world.blockWords(GUILD, ['forbidden']);
  first.discord.world.setOverwrite(CHANNEL, { id: MODERATOR, kind: 'member', deny: 1n << 11n });
  await first.close();

  const second = await startLocalDiscord({ stateFolder });
  const member = second.discord.as(MEMBER);
  const [message] = member.messages(CHANNEL);
  expect(message?.content).toBe('kept');
  expect(await (await fetch(message?.attachments[0]?.url ?? '')).text()).toBe('bytes');
  expect(member.commands(CHANNEL).map(({ name }) => name)).toEqual(['ping']);
  await expect(member.say(CHANNEL, 'forbidden')).rejects.toMatchObject({ reason: 'blocked' });
  await expect(second.discord.as(MODERATOR).say(CHANNEL, 'x')).rejects.toMatchObject({ reason: 'forbidden' });
  await second.rest.patch(Routes.webhookMessage(BOT, token), { auth: false, body: { content: 'edited' } });
  expect(member.messages(CHANNEL)[0]?.content).toBe('edited');
  const next = await member.say(CHANNEL, 'newer');
  expect(BigInt(next.id)).toBeGreaterThan(BigInt(message?.id ?? 0));
  await second.close();
});

test('no token is written in clear', async () => {
  const world = await startLocalDiscord({ stateFolder });
  await world.register({ name: 'ping', description: 'd' });
  let token = '';
  await world.serve(async (i) => {
    token = i.token;
    if (i.isChatInputCommand()) await i.reply('x');
  });
  await world.discord.as(MEMBER).invoke(CHANNEL, 'ping');
  const botToken = world.discord.token();
  await world.close();
  const written = await readFile(join(stateFolder, 'state.json'), 'utf8');
  expect(token).not.toBe('');
  expect(written).not.toContain(token);
  expect(written).not.toContain(botToken);
});

test('a webhook opens by the same token after a restart, and the token is not written in clear', async () => {
  const first = await startLocalDiscord({ stateFolder });
  first.discord.world.setRolePermissions(GUILD, BOT_ROLE, P.ViewChannel | P.ManageWebhooks);
  const made = await first.rest.post(Routes.channelWebhooks(CHANNEL), { body: { name: 'News' } });
  const { id, token } = made as { id: string; token: string };
  await first.close();
  expect(await readFile(join(stateFolder, 'state.json'), 'utf8')).not.toContain(token);
  const second = await startLocalDiscord({ stateFolder });
  await second.rest.post(Routes.webhook(id, token), { auth: false, body: { content: 'still here' } });
  expect(second.discord.as(MEMBER).messages(CHANNEL)).toMatchObject([{ content: 'still here' }]);
  await second.close();
});

test('a state of before there were webhooks is taken over', async () => {
  const first = await startLocalDiscord({ stateFolder });
  await first.discord.as(MEMBER).say(CHANNEL, 'old');
  await first.close();
  const path = join(stateFolder, 'state.json');
  const { webhooks: _webhooks, ...older } = JSON.parse(await readFile(path, 'utf8'));
  await writeFile(path, JSON.stringify(older));
  const second = await startLocalDiscord({ stateFolder });
  expect(second.discord.as(MEMBER).messages(CHANNEL)).toMatchObject([{ content: 'old' }]);
  await second.close();
});

test('changes are written soon, not only at the end', async () => {
  const world = await startLocalDiscord({ stateFolder });
  await world.discord.as(MEMBER).say(CHANNEL, 'soon');
  await expect
    .poll(() => readFile(join(stateFolder, 'state.json'), 'utf8').catch(() => ''))
    .toContain('soon');
  await world.close();
});

test('a state that cannot be read is set aside, and the seed begins anew', async () => {
  await writeFile(join(stateFolder, 'state.json'), '{"version":1,"users":');
  const world = await startLocalDiscord({ stateFolder });
  expect(world.discord.as(MEMBER).messages(CHANNEL)).toEqual([]);
  await world.close();
  expect(await readdir(stateFolder)).toContain('state.json.unreadable');
});
