import { Routes } from 'discord.js';
import type { APIMessage } from 'discord-api-types/v10';
import { expect, test } from 'vitest';
import { refusal } from '../../packages/image-api/test/support/behaviours.ts';
import { A_KEY } from '../../packages/image-api/test/support/polite-service.ts';
import {
  CHANNEL,
  MEMBER,
  MODERATOR,
  OUTSIDER,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { en } from '../../src/messages/locale/en.ts';
import { type BotWorld, botWorld } from '../support/bot.ts';
import { buttonOf, buttonRow } from '../support/buttons.ts';
import { fillIn, run, settled } from '../support/ephemeral-reply.ts';
import { hostileWorld } from '../support/hostile-world.ts';

const OTHER_KEY = `sk-${'f'.repeat(48)}`;

/** Links a key that its member has not seen in what they were asked. */
const link = async ({ member }: Pick<BotWorld, 'member'>, key: string, command = 'apikey link') =>
  settled(await fillIn(member, await member.invoke(CHANNEL, command), key), member);

const { revoke, revokeAll, unlink, reveal, linkedMeanwhile } = en.apiKey;

test.each([
  ['apikey revoke', revoke, 'is revoked and unlinked'],
  ['apikey revoke', revokeAll, 'Every key of the account is revoked'],
  ['apikey unlink', revoke, 'is revoked and unlinked'],
  ['apikey unlink', unlink, 'unlinked and erased'],
])(
  'the question of /%s is about the key that it names: after another was linked, "%s" asks anew',
  async (command, label, done) => {
    const { service, world } = await hostileWorld({ operatorKey: null });
    await link(world, A_KEY);
    const question = await run(world.member, command);
    await link(world, OTHER_KEY);
    await world.member.press(question.id, buttonOf(question, label));
    const anew = await world.reads(linkedMeanwhile);
    expect(anew.content).toContain('`sk-…ffff`');
    expect(service.requests('revokeKey')).toEqual([]);
    expect((await run(world.member, 'apikey show')).content).toContain('`sk-…ffff`');
    await world.member.press(anew.id, buttonOf(anew, label));
    await world.reads(done);
    expect((await run(world.member, 'apikey show')).content).toContain(en.apiKey.none);
  },
);

test('a login token revokes the key that it was asked for, and not one that was linked since', async () => {
  const { service, world } = await hostileWorld({ operatorKey: null });
  await link(world, A_KEY);
  service.script('revokeKey', refusal(401, 'login token required'));
  const question = await run(world.member, 'apikey revoke');
  await world.member.press(question.id, buttonOf(question, revoke));
  const wanted = await world.reads('asks for your login token');
  const opened = await world.member.press(wanted.id, buttonOf(wanted, en.apiKey.enterToken));
  await link(world, OTHER_KEY);
  await fillIn(world.member, opened, 'a-login-token');
  expect((await world.reads(linkedMeanwhile)).content).toContain('Revoke the key `sk-…ffff`');
  expect(service.requests('revokeKey')).toHaveLength(1);
});

test('a server keeps the key and its terms that another manager has linked since the question', async () => {
  const { world } = await hostileWorld({ operatorKey: null });
  const [moderator, owner] = [world.as(MODERATOR), world.as(OUTSIDER)];
  await link({ member: moderator }, A_KEY, 'apikey server link');
  await run(moderator, 'apikey server settings', { member_pictures: 7 });
  const question = await run(moderator, 'apikey server unlink');
  await link({ member: owner }, OTHER_KEY, 'apikey server link');
  await moderator.press(question.id, buttonOf(question, unlink));
  expect((await world.reads(linkedMeanwhile, moderator)).content).toContain('Unlink the key `sk-…ffff`');
  const shown = await run(moderator, 'apikey server show');
  expect(shown.content).toContain('`sk-…ffff`');
  expect(shown.content).toContain(en.apiKey.terms.perMember(7));
});

test('who lets moderators see the credits of a key does not show them those of the next', async () => {
  const world = await botWorld({ operatorKey: null });
  await link(world, world.service.key);
  const shown = await run(world.member, 'apikey show');
  const other = await world.service.addAccount();
  await link(world, other.key);
  await world.member.press(shown.id, buttonOf(shown, reveal));
  const anew = await world.reads(linkedMeanwhile);
  expect(anew.content).toContain(`\`sk-…${other.key.slice(-4)}\``);
  const seen = () => run(world.as(MODERATOR), 'balance', { member: MEMBER });
  expect((await seen()).content).toContain('does not show you');
  await world.member.press(anew.id, buttonOf(anew, reveal));
  await world.reads('Beside you, only who has **Manage Server** in this server');
  expect((await seen()).content).toContain(`<@${MEMBER}> has **`);
});

test('a button that does not say which key it is about asks instead', async () => {
  const world = await botWorld({ operatorKey: null });
  await link(world, world.service.key);
  const session = await world.login();
  for (const id of ['apikey:revoke', 'apikey:revoke:all', 'apikey:unlink:own', 'apikey:visible:yes']) {
    const body = { content: 'of an earlier version', components: [buttonRow(id).toJSON()] };
    const { id: messageId } = (await session.rest.post(Routes.channelMessages(CHANNEL), {
      body,
    })) as APIMessage;
    await world.member.press(messageId, id);
    await expect.poll(() => world.member.message(messageId)?.content).toContain(linkedMeanwhile);
  }
  await session.destroy();
  expect((await run(world.as(MODERATOR), 'balance', { member: MEMBER })).content).toContain(
    'does not show you',
  );
  expect((await run(world.member, 'balance')).content).toContain('**100** credits');
});
