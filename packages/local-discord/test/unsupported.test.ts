import { captureLog } from '@darkroom/testing';
import { MessageReferenceType, Routes } from 'discord.js';
import { expect, test } from 'vitest';
import { readySocket } from './support/gateway-socket.ts';
import { BOT, CHANNEL, GUILD, MEMBER, refusalOf } from './support/local-discord.ts';
import { openLocalDiscord } from './support/open-local-discord.ts';

test('what Discord has and the local Discord has not is 501, and on the list', async () => {
  const world = await openLocalDiscord();
  const { rest } = world;
  const { id } = await world.discord.as(MEMBER).say(CHANNEL, 'x');
  const calls = [
    rest.put(Routes.channelPin(CHANNEL, id)),
    rest.put(Routes.channelPin(CHANNEL, id)),
    rest.get(Routes.channelMessagesPins(CHANNEL)),
    rest.get(Routes.guildApplicationCommandsPermissions(BOT, GUILD)),
    rest.get(Routes.guildScheduledEvents(GUILD)),
    rest.patch(Routes.guildVoiceState(GUILD), { body: {} }),
    rest.post(Routes.channelMessages(CHANNEL), {
      body: { poll: { question: { text: '?' }, answers: [{ poll_media: { text: 'a' } }] } },
    }),
  ];
  const results = await Promise.allSettled(calls);
  for (const result of results) expect(result).toMatchObject({ status: 'rejected', reason: { status: 501 } });
  const response = await fetch(`${world.address.apiUrl}/v10${Routes.channelMessagesPin(CHANNEL, id)}`, {
    method: 'PUT',
  });
  expect(await response.json()).toEqual({
    message: 'the local Discord has no PUT /channels/{channel_id}/messages/pins/{message_id}',
    code: 0,
  });
  expect(world.discord.unsupported()).toMatchObject([
    { method: 'PUT', route: '/channels/{channel_id}/pins/{message_id}', count: 2 },
    { method: 'GET', route: '/channels/{channel_id}/messages/pins', count: 1 },
    { method: 'GET', route: '/applications/{application_id}/guilds/{guild_id}/commands/permissions' },
    { method: 'GET', route: '/guilds/{guild_id}/scheduled-events' },
    { method: 'PATCH', route: '/guilds/{guild_id}/voice-states/@me' },
    { method: 'POST', route: '/channels/{channel_id}/messages with polls' },
    { method: 'PUT', route: '/channels/{channel_id}/messages/pins/{message_id}', count: 1 },
  ]);
});

test('what Discord does not have either is on the list too', async () => {
  const world = await openLocalDiscord();
  await refusalOf(world.rest.get('/no/such/route'));
  expect(world.discord.unsupported()).toEqual([{ method: 'GET', route: '/no/such/route', count: 1 }]);
});

test('stickers and forwards are named, in the log too, because discord.js shows nothing of the answer', async () => {
  const { log, lines } = captureLog();
  const world = await openLocalDiscord({ log });
  const { id } = await world.discord.as(MEMBER).say(CHANNEL, 'x');
  const send = (body: object) => world.rest.post(Routes.channelMessages(CHANNEL), { body });
  const stickers = send({ content: 'x', sticker_ids: ['900000000000000001'] });
  await expect(stickers).rejects.toMatchObject({ status: 501, message: 'Not Implemented' });
  const forward = { type: MessageReferenceType.Forward, channel_id: CHANNEL, message_id: id };
  await expect(send({ message_reference: forward })).rejects.toMatchObject({ status: 501 });
  expect(world.discord.unsupported()).toMatchObject([
    { route: '/channels/{channel_id}/messages with stickers' },
    { route: '/channels/{channel_id}/messages with forwards' },
  ]);
  expect(lines.join()).toContain(
    'a bot asked for POST /channels/{channel_id}/messages with stickers, which the local Discord does not have',
  );
});

test('what is sent over the gateway in vain is on the list, and the connection stays', async () => {
  const world = await openLocalDiscord();
  const socket = await readySocket(world);
  socket.send({ op: 4, d: { guild_id: GUILD, channel_id: CHANNEL, self_mute: false, self_deaf: false } });
  socket.send({ op: 1, d: null });
  await socket.frame(({ op }) => op === 11);
  expect(world.discord.unsupported()).toEqual([
    { method: 'GATEWAY', route: 'op 4 VoiceStateUpdate', count: 1 },
  ]);
});
