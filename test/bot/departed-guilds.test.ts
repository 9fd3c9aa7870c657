import { expect, test } from 'vitest';
import {
  BOT,
  CHANNEL,
  GUILD,
  MEMBER,
  MODERATOR,
  OTHER_CHANNEL,
  OUTSIDER,
  worldWithOlderGuilds,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { en } from '../../src/messages/locale/en.ts';
import { type BotWorld, botWorld } from '../support/bot.ts';
import { fillIn, run, settled } from '../support/ephemeral-reply.ts';

const QUARTER_MS = 15 * 60_000;
const ERASED = 'what was kept of it is erased';
const isListing = ({ path }: { path: string }) => path === '/users/@me/guilds';
const isAskedAlone = ({ path }: { path: string }) => path === `/guilds/${GUILD}/channels`;

/**
 * A server that has linked a key, seen by who may manage it. The bot is in older ones as well, which are a page of its
 * servers or, where there are 200, the first of two.
 */
async function serverWithKey({ older = 1 } = {}): Promise<BotWorld> {
  const world = await botWorld({ operatorKey: null, discord: { world: worldWithOlderGuilds(older) } });
  const moderator = world.as(MODERATOR);
  const opened = await moderator.invoke(CHANNEL, 'apikey server link');
  await settled(await fillIn(moderator, opened, world.service.key), moderator);
  return world;
}

const shown = async (world: BotWorld) => (await run(world.as(MODERATOR), 'apikey server show')).content;
const isLogged = ({ lines }: BotWorld, words: string) => lines.join('').includes(words);
const pages = ({ discord }: BotWorld) =>
  discord.requests.list((request) => isListing(request) && request.status === 200).length;

/** Lets time pass until something has come of it: a quarter of an hour at first, as the bot may not sleep yet. */
async function passesUntil(world: BotWorld, hasCome: () => boolean): Promise<void> {
  await expect
    .poll(() => {
      if (!hasCome()) world.clock.advance(QUARTER_MS);
      return hasCome();
    })
    .toBe(true);
}

/** Lets a quarter of an hour pass, and the bot look at its servers, of which it reads two pages at least. */
async function quarterPasses(world: BotWorld): Promise<void> {
  const before = pages(world);
  await passesUntil(world, () => pages(world) >= before + 2);
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
  expect(isLogged(world, ERASED)).toBe(false);
});

test('where Discord does not list every server, nothing is erased', async () => {
  const world = await serverWithKey();
  world.discord.world.kick(GUILD, BOT);
  await quarterPasses(world);
  const body = { message: 'Missing Access', code: 50001 };
  world.discord.faults.add({ every: isListing, effect: { status: 403, body } });
  await passesUntil(world, () => isLogged(world, 'could not be looked for'));
  expect(isLogged(world, ERASED)).toBe(false);
});

test('a page that is not full is not the last: servers on the next one keep what they have', async () => {
  const world = await serverWithKey({ older: 200 });
  for (let quarter = 0; quarter < 4; quarter++) await quarterPasses(world);
  expect(world.discord.requests.list(isAskedAlone)).toEqual([]);
  expect(await shown(world)).toContain('has been linked for this server');
});

test('a server that Discord leaves out of its list is kept while the bot is in it', async () => {
  const world = await serverWithKey();
  world.discord.faults.add({ every: isListing, effect: { status: 200, body: [] } });
  await passesUntil(world, () => world.discord.requests.list(isAskedAlone).length > 0);
  await quarterPasses(world);
  expect(isLogged(world, ERASED)).toBe(false);
  world.discord.faults.clear();
  expect(await shown(world)).toContain('has been linked for this server');
});

test('what is kept of a server waits until Discord says that the bot is not in it', async () => {
  const world = await serverWithKey();
  world.discord.faults.add({ every: isAskedAlone, effect: { status: 503 } });
  world.discord.world.kick(GUILD, BOT);
  await passesUntil(world, () => isLogged(world, 'could not be looked for'));
  expect(isLogged(world, ERASED)).toBe(false);
  world.discord.faults.clear();
  await passesUntil(world, () => isLogged(world, ERASED));
  expect(world.discord.requests.list((asked) => isAskedAlone(asked) && asked.status === 403)).toHaveLength(1);
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
