import type { APIMessage } from 'discord-api-types/v10';
import type { UserClient } from 'local-discord';
import { expect, test } from 'vitest';
import { refusal } from '../../packages/image-api/test/support/behaviours.ts';
import { A_KEY } from '../../packages/image-api/test/support/polite-service.ts';
import { CHANNEL, MODERATOR } from '../../packages/local-discord/test/support/local-discord.ts';
import { botWorld } from '../support/bot.ts';
import { buttonOf } from '../support/buttons.ts';
import { fillIn, run, settled } from '../support/ephemeral-reply.ts';
import { hostileWorld } from '../support/hostile-world.ts';

/** Presses the button that links a key and fills in the form that it opens; resolves with what is answered. */
async function linkBy(
  message: APIMessage,
  key: string,
  user: UserClient,
  label = 'Link a key',
): Promise<APIMessage> {
  const opened = await user.press(message.id, buttonOf(message, label));
  expect(opened).toMatchObject({ kind: 'modal', modal: { title: 'Link a key' } });
  return settled(await fillIn(user, opened, key), user);
}

test.each([
  ['imagine', { prompt: 'a red fox' }, 'You need an API key to make pictures.'],
  ['balance', {}, 'You need an API key to make pictures.'],
  ['apikey show', {}, 'You have not linked a key'],
  ['apikey revoke', {}, 'You have not linked a key'],
  ['apikey unlink', {}, 'You have not linked a key'],
])(
  'without a key /%s says how to link one, and its button opens the form',
  async (command, options, words) => {
    const world = await botWorld({ operatorKey: null });
    const refused = await run(world.member, command, options);
    expect(refused.content).toContain(words);
    expect((await linkBy(refused, world.service.key, world.member)).content).toContain('is linked and pays');
  },
);

test('a key that was linked by the button pays for the next picture', async () => {
  const world = await botWorld({ operatorKey: null });
  await linkBy(await run(world.member, 'imagine', { prompt: 'a red fox' }), world.service.key, world.member);
  expect((await world.imagined({ prompt: 'a red fox', size: '64x64' })).attachments).toHaveLength(1);
});

test('a key that was mistyped, or is not accepted, can be typed again', async () => {
  const world = await botWorld({ operatorKey: null });
  const opened = await world.member.invoke(CHANNEL, 'apikey link');
  const mistyped = await settled(await fillIn(world.member, opened, 'sk-123'), world.member);
  const refused = await linkBy(mistyped, A_KEY, world.member);
  expect(refused.content).toContain('did not accept this key');
  const linked = await linkBy(refused, world.service.key, world.member);
  expect(linked.content).toContain('is linked and pays');
});

test('what a server has not linked is linked for the server, by whoever may manage it', async () => {
  const world = await botWorld({ operatorKey: null });
  const moderator = world.as(MODERATOR);
  const none = await run(moderator, 'apikey server show');
  const linked = await linkBy(none, world.service.key, moderator, 'Link a key for the server');
  expect(linked.content).toContain('everybody who has no key');
  expect((await run(world.member, 'balance')).content).toBe('The key of this server pays for your pictures.');
});

test('a linked key that the service no longer accepts can be replaced where that is noticed', async () => {
  const { service, world } = await hostileWorld({ operatorKey: null });
  await linkBy(await run(world.member, 'balance'), A_KEY, world.member);
  service.script('balance', refusal(401, 'Invalid key'), service.politely);
  const refused = await run(world.member, 'balance');
  expect(refused.content).toContain('did not accept your key');
  expect((await linkBy(refused, A_KEY, world.member)).content).toContain('is linked');
});

test('a key of the server that is no longer accepted can be replaced by whoever may manage the server', async () => {
  const { service, world } = await hostileWorld({ operatorKey: null });
  const moderator = world.as(MODERATOR);
  await linkBy(await run(moderator, 'apikey server show'), A_KEY, moderator, 'Link a key for the server');
  service.script('balance', refusal(401, 'Invalid key'), service.politely);
  const refused = await run(moderator, 'balance');
  expect(refused.content).toContain('did not accept the key of this server');
  const linked = await linkBy(refused, A_KEY, moderator, 'Link a key for the server');
  expect(linked.content).toContain('everybody who has no key');
});

test('a login token that does not revoke the key can be typed again', async () => {
  const { service, world } = await hostileWorld({ operatorKey: null });
  await linkBy(await run(world.member, 'balance'), A_KEY, world.member);
  service.script('revokeKey', refusal(401, 'login token required'), refusal(401, 'no'), service.politely);
  const confirmation = await run(world.member, 'apikey revoke');
  await world.member.press(confirmation.id, buttonOf(confirmation, 'Revoke this key'));
  for (const words of ['asks for your login token', 'did not accept this login token']) {
    const wanted = await world.reads(words);
    const opened = await world.member.press(wanted.id, buttonOf(wanted, 'Enter login token'));
    await fillIn(world.member, opened, 'a-login-token');
  }
  await world.reads('is revoked and unlinked');
});
