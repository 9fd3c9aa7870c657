import { expect, test } from 'vitest';
import {
  BOT,
  CHANNEL,
  GUILD,
  MEMBER,
  MODERATOR,
  OTHER_CHANNEL,
  OUTSIDER,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { en } from '../../src/messages/locale/en.ts';
import { type BotWorld, botWorld } from '../support/bot.ts';
import { fillIn, run, settled } from '../support/ephemeral-reply.ts';

const QUARTER_MS = 15 * 60_000;
const ERASED = 'what was kept of it is erased';
const isListing = ({ path }: { path: string }) => path === '/users/@me/guilds';

/** A server that has linked a key, seen by who may manage it. */
async function serverWithKey(): Promise<BotWorld> {
  const world = await botWorld({ operatorKey: null });
  const moderator = world.as(MODERATOR);
  const opened = await moderator.invoke(CHANNEL, 'apikey server link');
  await settled(await fillIn(moderator, opened, world.service.key), moderator);
  return world;
}

const shown = async (world: BotWorld) => (await run(world.as(MODERATOR), 'apikey server show')).content;
const looks = ({ discord }: BotWorld) =>
  discord.requests.list().filter((request) => isListing(request) && request.status === 200).length;

/** Lets a quarter of an hour pass, and the bot look at its servers. */
async function quarterPasses(world: BotWorld): Promise<void> {
  const before = looks(world);
  await expect
    .poll(() => {
      // At first it may not sleep yet.
      if (looks(world) === before) world.clock.advance(QUARTER_MS);
      return looks(world);
    })
    .toBeGreaterThan(before);
}

test('the key of a server is erased within an hour after the bot was removed, and of no other', async () => {
  const world = await serverWithKey();
  await quarterPasses(world);
  expect(await shown(world)).toContain('has been linked for this server');
  world.discord.world.kick(GUILD, BOT);
  await quarterPasses(world);
  await quarterPasses(world);
  await world.logs(ERASED);
  world.discord.world.addMember(GUILD, BOT);
  expect(await shown(world)).toContain('has not linked a key');
});

test('a bot that comes back in time keeps the key of the server', async () => {
  const world = await serverWithKey();
  world.discord.world.kick(GUILD, BOT);
  await quarterPasses(world);
  world.discord.world.addMember(GUILD, BOT);
  await quarterPasses(world);
  await quarterPasses(world);
  expect(await shown(world)).toContain('has been linked for this server');
  expect(world.lines.join('')).not.toContain(ERASED);
});

test('where Discord does not list every server, nothing is erased', async () => {
  const world = await serverWithKey();
  world.discord.world.kick(GUILD, BOT);
  await quarterPasses(world);
  const body = { message: 'Missing Access', code: 50001 };
  world.discord.faults.add({ every: isListing, effect: { status: 403, body } });
  await expect
    .poll(() => {
      // At first it may not sleep yet.
      world.clock.advance(QUARTER_MS);
      return world.lines.join('');
    })
    .toContain('could not be looked for');
  expect(world.lines.join('')).not.toContain(ERASED);
});

test('who looks at credits in a server that the bot is not in stays known to their member', async () => {
  const world = await serverWithKey();
  const { member, discord, service } = world;
  const manager = world.as(OUTSIDER);
  for (const id of [MEMBER, OUTSIDER]) discord.world.setInstalled(id, BOT, true);
  const opened = await member.invoke(OTHER_CHANNEL, 'apikey link');
  await settled(await fillIn(member, opened, service.key, { moderators: true }), member);
  await settled(await manager.invoke(OTHER_CHANNEL, 'balance', { member: MEMBER }), manager);
  for (let quarter = 0; quarter < 3; quarter++) await quarterPasses(world);
  const told = await run(member, 'privacy');
  expect(told.embeds[0]?.description).toContain(en.audit['credits-viewed'](`<@${OUTSIDER}>`, `<@${MEMBER}>`));
});
