import { GatewayDispatchEvents, InteractionType, PermissionFlagsBits } from 'discord.js';
import { expect, test } from 'vitest';
import { BOT, CHANNEL, GUILD, MEMBER, MODERATOR, worldWhere } from '../support/local-discord.ts';
import { pingWorld } from '../support/ping-world.ts';

test('the payload carries what a bot decides by', async () => {
  const world = await pingWorld({ world: worldWhere(MODERATOR, 'de') });
  const client = await world.login();
  const seen = new Promise((resolve) => client.ws.once(GatewayDispatchEvents.InteractionCreate, resolve));
  void world.discord.as(MODERATOR).invoke(CHANNEL, 'ping');
  expect(await seen).toMatchObject({
    type: InteractionType.ApplicationCommand,
    guild_id: GUILD,
    channel_id: CHANNEL,
    channel: { id: CHANNEL },
    member: { user: { id: MODERATOR }, permissions: expect.stringMatching(/^\d+$/) },
    app_permissions: expect.stringMatching(/^\d+$/),
    authorizing_integration_owners: { 0: GUILD },
    context: 0,
    locale: 'de',
    guild_locale: 'en-US',
    attachment_size_limit: 10 * 1024 * 1024,
    entitlements: [],
    version: 1,
  });
});

test('a command in the direct messages of a bot works without a server', async () => {
  const world = await pingWorld();
  const seen: unknown[] = [];
  await world.serve(async (i) => {
    if (!i.isChatInputCommand()) return;
    seen.push(i.context, i.guildId, i.user.id, i.authorizingIntegrationOwners[0]);
    await i.reply('in private');
  });
  const member = world.discord.as(MEMBER);
  const { id } = member.openDirectMessage();
  expect(await member.invoke(id, 'ping')).toMatchObject({
    message: { content: 'in private', channel_id: id },
  });
  expect(seen).toEqual([1, null, MEMBER, '0']);
});

test('permissions of member and bot are those of the channel', async () => {
  const world = await pingWorld();
  const seen: (boolean | undefined)[][] = [];
  await world.serve(async (i) => {
    const { memberPermissions, appPermissions } = i;
    seen.push([
      memberPermissions?.has('ManageGuild'),
      appPermissions.has('SendMessages'),
      appPermissions.has('AttachFiles'),
    ]);
    if (i.isChatInputCommand()) await i.reply('x');
  });
  await world.discord.as(MEMBER).invoke(CHANNEL, 'ping');
  await world.discord.as(MODERATOR).invoke(CHANNEL, 'ping');
  world.discord.world.deny(CHANNEL, BOT, PermissionFlagsBits.SendMessages);
  await world.discord.as(MEMBER).invoke(CHANNEL, 'ping');
  expect(seen).toEqual([
    [false, true, true],
    [true, true, true],
    [false, false, false],
  ]);
});
