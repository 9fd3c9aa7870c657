import { join } from 'node:path';
import { createVault } from '@darkroom/storage';
import { silentLog, temporaryFolder } from '@darkroom/testing';
import { systemClock } from '@darkroom/time';
import type { APIMessage } from 'discord-api-types/v10';
import { expect, test } from 'vitest';
import { refusal } from '../../packages/image-api/test/support/behaviours.ts';
import { A_KEY } from '../../packages/image-api/test/support/polite-service.ts';
import {
  BOT,
  CHANNEL,
  GUILD,
  MEMBER,
  MODERATOR,
  OUTSIDER,
  PRIVATE_CHANNEL,
  SECOND_CHANNEL,
  STAFF_CHANNEL,
  STAFF_ROLE,
  sees,
  worldWhere,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { createCredentials } from '../../src/credentials/credentials.ts';
import { en } from '../../src/messages/locale/en.ts';
import { openStore } from '../../src/storage/store.ts';
import type { StoreUrl } from '../../src/storage/store-url.ts';
import { type BotWorld, botWorld } from '../support/bot.ts';
import { buttonOf, picked, underMore } from '../support/buttons.ts';
import { fillIn, run, settled } from '../support/ephemeral-reply.ts';
import { faultyServiceWorld } from '../support/faulty-service.ts';
import { storeWithSettings } from '../support/guild-settings.ts';

const FOX = { prompt: 'a red fox', size: '64x64' };
const NO_KEY = 'You need an API key';

async function linkForServer({ as, service }: Pick<BotWorld, 'as' | 'service'>): Promise<void> {
  const moderator = as(MODERATOR);
  const opened = await moderator.invoke(CHANNEL, 'apikey server link');
  await settled(await fillIn(moderator, opened, service.key), moderator);
}

/** The service accepts the key no longer, and that was noticed. */
async function loseKey(world: BotWorld): Promise<void> {
  await world.service.call('/api.php?action=revoke_api_key', { json: { api_key: world.service.key } });
  await world.imagined(FOX);
  const told = async () => (await run(world.as(MODERATOR), 'apikey server show')).content;
  await expect.poll(told).toContain('no longer accepts it');
}

/** A server whose key pays, and a member who has the app for themselves as well. */
async function serverWorld(options: Parameters<typeof botWorld>[0] = {}): Promise<BotWorld> {
  const world = await botWorld({ operatorKey: null, ...options });
  world.discord.world.setInstalled(MEMBER, BOT, true);
  if (options.operatorKey === undefined) await linkForServer(world);
  return world;
}

test('where the bot was removed from a server, the key of that server pays for nobody, nor by a button', async () => {
  const world = await serverWorld();
  const made = await world.imagined(FOX);
  expect(await world.service.balance()).toBe(99);

  world.discord.world.kick(GUILD, BOT);
  expect((await run(world.member, 'imagine', FOX)).content).toContain(NO_KEY);
  // For a minute an answer of Discord holds.
  world.clock.advance(2 * 60_000);
  const pressed = await settled(await world.member.press(made.id, buttonOf(made, 'Again')), world.member);
  expect(pressed.content).toContain(NO_KEY);
  expect(await world.service.balance()).toBe(99);
});

test('where the key of a server is not accepted any more, its pictures are still told of, deleted and reported', async () => {
  const world = await serverWorld();
  const made = await world.imagined(FOX);
  await loseKey(world);
  const own = await underMore(made, world.member);
  expect(buttonOf(own, en.actions.delete)).toContain(made.id);
  const seen = await underMore(made, world.as(MODERATOR));
  expect(buttonOf(seen, en.report.report)).toBeDefined();
  const refused = await settled(await world.member.press(made.id, buttonOf(made, 'Again')), world.member);
  expect(refused.content).toContain(en.failure.reasons.unauthorized.guild);
});

test('a prompt that the service refuses with 403 leaves the key of the server to everybody else', async () => {
  const flagged = refusal(403, { code: 'content_policy_violation', message: 'Your prompt was flagged.' });
  const world = await faultyServiceWorld({ submit: [flagged] }, { operatorKey: null });
  await linkForServer(world);
  const refused = await world.ask();
  expect((await world.ended(refused.id)).content).toContain('It said: Your prompt was flagged.');
  const served = await world.imagined(FOX, { user: world.as(MODERATOR) });
  expect(served.attachments).toHaveLength(1);
});

test('a key of a server that the service has disabled is marked, whatever the service says of it', async () => {
  const disabled = refusal(403, { code: 'key_disabled', message: 'It does not draw any more.' });
  const world = await faultyServiceWorld({ submit: [disabled] }, { operatorKey: null });
  await linkForServer(world);
  world.hostile.script('balance', refusal(403, 'Dieses Konto gibt es nicht mehr'));
  const asked = await world.ask();
  expect((await world.ended(asked.id)).content).toContain(en.failure.reasons.unauthorized.guild);
  const told = async () => (await run(world.as(MODERATOR), 'apikey server show')).content;
  await expect.poll(told).toContain('no longer accepts it');
});

test('a key of a server that cannot be read can be linked again by who manages it, which then pays for what they had asked', async () => {
  const folder = await temporaryFolder();
  const url: StoreUrl = `sqlite://${join(folder, 'bot.sqlite')}`;
  const store = await openStore({ url, log: silentLog() });
  // Not the secret of the bot.
  const vault = createVault(['c'.repeat(64)]);
  const clock = systemClock;
  const sealed = createCredentials({ store, vault, clock, log: silentLog(), operatorKey: undefined });
  await sealed.link({ kind: 'guild', id: GUILD }, { apiKey: A_KEY, username: 'club', visibleIn: [] });
  await store.close();
  const world = await botWorld({ operatorKey: null, storeUrl: url });

  const moderator = world.as(MODERATOR);
  const [of, ofModerator] = [await run(world.member, 'imagine', FOX), await run(moderator, 'imagine', FOX)];
  expect(of.content).toBe(en.refusal.unreadableServerKey);
  expect(JSON.stringify(of.components)).not.toContain('apikey:ask');
  expect(ofModerator.content).toBe(`${en.refusal.unreadableServerKey} ${en.firstKey.goesOn}`);
  const link = buttonOf(ofModerator, en.apiKey.linkForServer);
  await fillIn(moderator, await moderator.press(ofModerator.id, link), world.service.key);
  await sees(moderator, ({ attachments }) => attachments.length > 0);
  expect(await world.service.balance()).toBe(99);
});

test('what was paid while the key of a server was accepted is published and posted alone without it', async () => {
  const world = await serverWorld();
  const several = await world.imagined({ ...FOX, count: 2 });
  const hidden = await world.imagined({ ...FOX, private: true });
  await loseKey(world);
  const second = await picked(several, world.member, 2);
  await world.member.press(second.id, buttonOf(second, en.actions.postAlone));
  const isAlone = ({ content }: APIMessage) => content.includes('Picture 2 of');
  await sees(world.as(MODERATOR), isAlone);
  await world.member.press(hidden.id, buttonOf(hidden, en.actions.publish));
  await world.reads('Everybody can see it now');
});

test("the operator's key pays in servers that the bot is in, and outside of them only where that is set", async () => {
  const world = await botWorld();
  world.discord.world.setInstalled(MEMBER, BOT, true);
  await world.imagined(FOX);
  const direct = world.member.openDirectMessage(BOT).id;
  const asked = async (channelId: string) =>
    (await settled(await world.member.invoke(channelId, 'imagine', FOX), world.member)).content;
  expect(await asked(direct)).toContain(NO_KEY);
  expect(await asked(PRIVATE_CHANNEL)).toContain(NO_KEY);
  world.discord.world.kick(GUILD, BOT);
  expect(await asked(CHANNEL)).toContain(NO_KEY);
  expect(await world.service.balance()).toBe(99);
});

test("the operator's key pays in no other than the servers that are named", async () => {
  const world = await botWorld({ operatorScope: { guilds: ['400000000000000099'] } });
  expect((await run(world.member, 'imagine', FOX)).content).toContain(NO_KEY);
  const outside = await botWorld({ operatorScope: { outside: true } });
  await outside.imagined(FOX, { channelId: outside.member.openDirectMessage(BOT).id });
});

test('a key for a role pays for its members only', async () => {
  const world = await serverWorld();
  const moderator = world.as(MODERATOR);
  const terms = await run(moderator, 'apikey server settings', { role: STAFF_ROLE });
  expect(terms.content).toContain(`Only <@&${STAFF_ROLE}> may use it.`);
  expect((await run(world.member, 'imagine', FOX)).content).toContain(NO_KEY);
  await world.imagined(FOX, { user: moderator });
  await run(moderator, 'apikey server settings', { role: GUILD });
  await world.imagined(FOX);
});

test('where the bot cannot look it warns nobody, and says what to do', async () => {
  const { as } = await serverWorld();
  const warning = { channel: STAFF_CHANNEL, credits: 5 };
  const { content } = await run(as(MODERATOR), 'apikey server settings', warning);
  expect(content).toBe(en.refusal.unseen(`<#${STAFF_CHANNEL}>`));
});

test('the terms of a key are those of whoever manages the server to change', async () => {
  const world = await serverWorld();
  const refused = await run(world.member, 'apikey server settings', { member_pictures: 5 });
  expect(refused.content).toContain('Manage Server');
  const moderator = world.as(MODERATOR);
  await run(moderator, 'apikey server settings', { member_pictures: 5, server_pictures: 50 });
  await run(moderator, 'apikey server settings', { channel: CHANNEL, credits: 20 });
  const shown = (await run(moderator, 'apikey server show')).content;
  expect(shown).toContain('A member may make 5 pictures a day with it.');
  expect(shown).toContain('All members together may make 50 pictures a day with it.');
  expect(shown).toContain(`<#${CHANNEL}> is warned once when fewer than 20 credits are left.`);
  await linkForServer(world);
  expect((await run(moderator, 'apikey server show')).content).toContain('5 pictures a day');
  await run(moderator, 'apikey server settings', { member_pictures: 0, credits: 0 });
  const ended = (await run(moderator, 'apikey server show')).content;
  expect(ended).toMatch(/No limit for a member[\s\S]*50 pictures[\s\S]*Nobody is warned/);
});

test('the log says which term of the key was changed, in the language of the server', async () => {
  const settings = { logChannelId: SECOND_CHANNEL, locale: 'en' } as const;
  const discord = { world: worldWhere(MODERATOR, 'de') };
  const world = await serverWorld({ storeUrl: await storeWithSettings(settings), discord });
  const moderator = world.as(MODERATOR);
  const change = (terms: Record<string, string | number>) => run(moderator, 'apikey server settings', terms);
  const told = (setting: string, from: string | undefined, to: string | undefined) =>
    world.reads(en.audit['setting-changed'](`<@${MODERATOR}>`, setting, from, to));
  const { logged } = en.apiKey.terms;
  await change({ role: STAFF_ROLE, channel: CHANNEL, credits: 50, server_pictures: 9, member_pictures: 5 });
  await told(logged.keyRole, undefined, `<@&${STAFF_ROLE}>`);
  await told(logged.keyMemberDay, undefined, '5');
  await told(en.settings.limits.keyDay, undefined, '9');
  await told(logged.keyWarningChannel, undefined, `<#${CHANNEL}>`);
  await told(logged.keyWarningBelow, undefined, '50');
  await change({ credits: 20, member_pictures: 0 });
  await told(logged.keyWarningBelow, '50', '20');
  await told(logged.keyMemberDay, '5', undefined);
});

test('a member has no more pictures paid by the key of the server than it allows, and pays the others themselves', async () => {
  const world = await serverWorld();
  const moderator = world.as(MODERATOR);
  await run(moderator, 'apikey server settings', { member_pictures: 1 });
  await world.imagined(FOX);
  const refused = await run(world.member, 'imagine', FOX);
  expect(refused.content).toMatch(
    /^That would exceed your limit of 1 picture with the key of this server\. .*<t:\d+:R>/,
  );
  expect(() => buttonOf(refused, en.apiKey.link)).not.toThrow();
  await world.imagined(FOX, { user: moderator });
  expect(await world.service.balance()).toBe(98);
});

test('a channel is warned when few credits are left', async () => {
  const world = await serverWorld();
  await run(world.as(MODERATOR), 'apikey server settings', { channel: CHANNEL, credits: 100 });
  await world.imagined(FOX);
  expect((await world.reads('credits left, fewer than 100')).author.id).toBe(BOT);
});

test('who never wants to be warned says so where nobody was, with all that they change beside it', async () => {
  const { as } = await serverWorld();
  const terms = { credits: 0, member_pictures: 5 };
  const { content } = await run(as(MODERATOR), 'apikey server settings', terms);
  expect(content).toContain(en.apiKey.terms.perMember(5));
  expect(content).toContain(en.apiKey.terms.warning(undefined));
});

test('a member reads what is left of today, and a moderator what was made today', async () => {
  const world = await serverWorld({ operatorLimits: { memberDay: 5, guildDay: 50 } });
  await world.imagined(FOX);
  expect((await run(world.member, 'balance')).content).toMatch(
    /^You can ask for \*\*4\*\* more pictures here; that resets <t:\d+:R>\.$/m,
  );
  const seen = await run(world.as(MODERATOR), 'balance', { member: MEMBER });
  expect(seen.content).toContain('has linked no key, or does not show you');
  expect(seen.content).toContain(
    'Pictures here today: **1** by this member, 1 in all. Shared keys paid **1** credit.',
  );
});

test('a server key is not linked where the bot is no member', async () => {
  const world = await botWorld({ operatorKey: null });
  const owner = world.as(OUTSIDER);
  world.discord.world.setInstalled(OUTSIDER, BOT, true);
  world.discord.world.kick(GUILD, BOT);
  const opened = await owner.invoke(CHANNEL, 'apikey server link');
  const answer = await settled(await fillIn(owner, opened, world.service.key), owner);
  expect(answer.content).toContain('I am not a member of this server');
});
