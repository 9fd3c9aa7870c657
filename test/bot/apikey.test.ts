import { join } from 'node:path';
import { createDeferred, NOWHERE, WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { KeyvSqlite } from '@keyv/sqlite';
import type { InteractionResult, UserClient } from 'local-discord';
import { expect, onTestFinished, test } from 'vitest';
import { balance } from '../../commands/balance.ts';
import { commands } from '../../commands/index.ts';
import { answer, hang, refusal } from '../../packages/image-api/test/support/behaviours.ts';
import { createHostileService } from '../../packages/image-api/test/support/hostile-service.ts';
import { A_KEY } from '../../packages/image-api/test/support/polite-service.ts';
import { controlledEngine } from '../../packages/image-service/test/support/engines.ts';
import {
  BOT,
  CHANNEL,
  GUILD,
  MEMBER,
  MODERATOR,
  OTHER_CHANNEL,
  OTHER_GUILD,
  OUTSIDER,
  sees,
  worldWhere,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import type { Command } from '../../src/bot/command.ts';
import { de } from '../../src/messages/locale/de.ts';
import { en } from '../../src/messages/locale/en.ts';
import { confirmed } from '../../src/playground/demo/confirmed.ts';
import { type BotWorld, botWorld } from '../support/bot.ts';
import { buttonOf, pressedTwice } from '../support/buttons.ts';
import { fillIn, run, settled } from '../support/ephemeral-reply.ts';
import { hostileWorld } from '../support/hostile-world.ts';

/** The words with which a command is answered. */
const said = async (user: UserClient, command: string, options = {}): Promise<string> =>
  (await run(user, command, options)).content;

/** The words with which a form that was filled in is answered. */
const filledIn = async (
  user: UserClient,
  opened: InteractionResult,
  secret: string,
  said = {},
): Promise<string> => (await settled(await fillIn(user, opened, secret, said), user)).content;

const link = async ({ member, service }: BotWorld, key = service.key, said = {}) =>
  filledIn(member, await member.invoke(CHANNEL, 'apikey link'), key, said);

/** Runs SQL on the bot's store, as another program would. */
function storeOf({ folder }: BotWorld) {
  const uri = `sqlite://${join(folder, 'bot.sqlite')}`;
  const intruder = new KeyvSqlite({ uri, table: 'intruder', busyTimeout: WAIT_TIMEOUT_MS });
  onTestFinished(() => intruder.close());
  return { sql: (statement: string) => intruder.query(statement) };
}

test('a key is linked by a form, shown by its tail, and pays from then on', async () => {
  const world = await botWorld({ operatorKey: null });
  const key = `\`sk-…${world.service.key.slice(-4)}\``;
  expect(await link(world)).toContain(`The key ${key} of **${world.service.username}** is linked`);
  expect(await said(world.member, 'apikey show')).toContain(key);
  expect(await said(world.member, 'balance')).toContain(`The key ${key} of **`);
  expect((await world.imagined({ prompt: 'a red fox', size: '64x64' })).attachments).toHaveLength(1);
  expect(await world.service.balance()).toBe(99);
});

test('what is not a key is refused, and the service is not called', async () => {
  const { service, world } = await hostileWorld({ operatorKey: null });
  expect(await link(world, 'sk-123')).toBe(
    'That is not a key: a key is `sk-` followed by 48 hexadecimal characters.',
  );
  expect(service.requests()).toEqual([]);
});

test('a key that the service does not accept is not kept', async () => {
  const world = await botWorld({ operatorKey: null });
  expect(await link(world, A_KEY)).toContain('did not accept this key');
  expect(await said(world.member, 'apikey show')).toContain('You have not linked a key');
});

test('of a service that does not know the call it is not said that it knows no picture', async () => {
  const { service, world } = await hostileWorld({ operatorKey: null });
  service.script('balance', refusal(404, 'Not found'));
  expect(await link(world, A_KEY)).toContain(en.failure.reasons.refused);
});

test('a key that cannot be checked is not kept, and the linked one stays', async () => {
  const { service, world } = await hostileWorld({ operatorKey: null });
  await link(world, A_KEY);
  service.script('balance', refusal(400, 'no'));
  const { reasons, serviceSays } = en.failure;
  expect(await link(world, `sk-${'f'.repeat(48)}`)).toBe(
    `${reasons.refused} ${serviceSays('no')} ${en.apiKey.notStored}`,
  );
  expect(await said(world.member, 'apikey show')).toContain(`…${A_KEY.slice(-4)}`);
});

/** Makes a key from the member's login token; resolves with the words that answer it. */
const generate = async ({ member, service }: BotWorld, said = {}) =>
  filledIn(member, await member.invoke(CHANNEL, 'apikey generate'), service.loginToken, said);

test('a key is made from a login token, which is not kept, and linked, with the name of its account', async () => {
  const world = await botWorld({ operatorKey: null });
  const ofAccount = ` of **${world.service.username}** `;
  expect(await generate(world)).toContain(`${ofAccount}is linked and pays for your pictures`);
  expect(await said(world.member, 'apikey show')).toContain(`${ofAccount}has been linked`);
  expect(await said(world.member, 'balance')).toContain('**100** credits');
});

test.each([
  ['en-GB', en],
  ['de', de],
])(
  'who links another key reads which one it replaces, and that it stays valid: %s',
  async (locale, { apiKey }) => {
    const world = await botWorld({ operatorKey: null, discord: { world: worldWhere(MEMBER, locale) } });
    const { key, username } = world.service;
    const replaced = apiKey.replaced('member', `sk-…${key.slice(-4)}`, username);
    for (const said of [await link(world), await link(world)]) expect(said).not.toContain(replaced);
    expect(await generate(world)).toContain(replaced);
    expect(await world.service.balance()).toBe(100);
  },
);

test('a key that was made is linked, even while the service answers nothing else', async () => {
  const { service, world } = await hostileWorld({ operatorKey: null });
  service.script('balance', refusal(400, 'down for maintenance'));
  const opened = await world.member.invoke(CHANNEL, 'apikey generate');
  expect(await filledIn(world.member, opened, 'a-login-token')).toContain('is linked');
  expect(await said(world.member, 'apikey show')).toContain(`…${A_KEY.slice(-4)}`);
});

test('a wrong login token makes no key', async () => {
  const world = await botWorld({ operatorKey: null });
  const opened = await world.member.invoke(CHANNEL, 'apikey generate');
  expect(await filledIn(world.member, opened, `lt-${'0'.repeat(48)}`)).toContain(
    'did not accept this login token',
  );
});

test('revoking asks first, then makes the key invalid everywhere', async () => {
  const world = await botWorld({ operatorKey: null });
  await link(world);
  const confirmation = await run(world.member, 'apikey revoke');
  expect(confirmation.content).toContain(`Revoke the key \`sk-…${world.service.key.slice(-4)}\``);
  await world.member.press(confirmation.id, buttonOf(confirmation, en.apiKey.revoke));
  await world.reads('is revoked and unlinked');
  expect(await said(world.member, 'apikey show')).toContain('You have not linked a key');
  const refused = await world.service.call('/v1/index.php?endpoint=user_balance');
  expect(refused.status).toBe(401);
});

test('Revoke pressed twice revokes once: the service would refuse the other, which would be said in its place', async () => {
  const { service, world } = await hostileWorld({ operatorKey: null });
  await link(world, A_KEY);
  const released = createDeferred<void>();
  service.script('revokeKey', async (exchange) => {
    await released.promise;
    return service.politely(exchange);
  });
  const asked = await run(world.member, 'apikey revoke');
  await pressedTwice(asked, en.apiKey.revoke, world.member);
  await expect.poll(() => service.requests('revokeKey').length).toBeGreaterThan(0);
  released.resolve();
  await world.reads('is revoked and unlinked');
  expect(service.requests('revokeKey')).toHaveLength(1);
});

test('a key that is unlinked twice is unlinked, and nothing else is said', async () => {
  const world = await botWorld({ operatorKey: null });
  await link(world);
  const asked = await run(world.member, 'apikey unlink');
  const answers = await pressedTwice(asked, en.apiKey.unlink, world.member);
  expect(answers.map(({ kind }) => kind)).not.toContain('message');
  await world.reads(en.apiKey.unlinked('member'));
});

test('a key that is linked while the one before it is revoked stays', async () => {
  const { service, world } = await hostileWorld({ operatorKey: null });
  await link(world, A_KEY);
  const linkedAnother = createDeferred<void>();
  service.script('revokeKey', async (exchange) => {
    await linkedAnother.promise;
    return service.politely(exchange);
  });
  const confirmation = await run(world.member, 'apikey revoke');
  await world.member.press(confirmation.id, buttonOf(confirmation, en.apiKey.revoke));
  await expect.poll(() => service.requests('revokeKey')).toHaveLength(1);
  await link(world, `sk-${'f'.repeat(48)}`);
  linkedAnother.resolve();
  await world.reads(`\`sk-…${A_KEY.slice(-4)}\` is revoked`);
  expect(await said(world.member, 'apikey show')).toContain('`sk-…ffff`');
});

test.each([
  ['says nothing of it', {}],
  ['counts none', { revoked: 0 }],
])('a key that the service still accepts after it was to be revoked stays linked: it %s', async (_, told) => {
  const { service, world } = await hostileWorld({ operatorKey: null });
  await link(world, A_KEY);
  service.script('revokeKey', answer(told));
  const confirmation = await run(world.member, 'apikey revoke');
  await world.member.press(confirmation.id, buttonOf(confirmation, en.apiKey.revoke));
  const refused = await world.reads(`still accepts the key \`sk-…${A_KEY.slice(-4)}\``);
  expect(await said(world.member, 'apikey show')).toContain(`…${A_KEY.slice(-4)}`);
  await world.member.press(refused.id, buttonOf(refused, en.apiKey.unlink));
  await world.reads(en.apiKey.unlinked('member'));
});

test('a key that the service says it has revoked is not kept until the service answers once more', async () => {
  const service = await createHostileService();
  const world = await botWorld({
    operatorKey: null,
    imageUrl: service.baseUrl,
    timeoutMs: 10 * WAIT_TIMEOUT_MS,
  });
  await link(world, A_KEY);
  service.script('revokeKey', answer(null));
  service.script('balance', hang());
  const confirmation = await run(world.member, 'apikey revoke');
  await world.member.press(confirmation.id, buttonOf(confirmation, en.apiKey.revoke));
  await world.reads('is revoked and unlinked');
});

test('a key that the service accepts no more is revoked, although the service does not say so', async () => {
  const { service, world } = await hostileWorld({ operatorKey: null });
  await link(world, A_KEY);
  service.script('revokeKey', answer(null));
  service.script('balance', refusal(401, 'Invalid API key'));
  const confirmation = await run(world.member, 'apikey revoke');
  await world.member.press(confirmation.id, buttonOf(confirmation, en.apiKey.revoke));
  await world.reads('is revoked and unlinked');
});

test('revoking can be cancelled', async () => {
  const world = await botWorld({ operatorKey: null });
  await link(world);
  const confirmation = await run(world.member, 'apikey revoke');
  await world.member.press(confirmation.id, 'apikey:cancel');
  expect((await world.reads('Nothing was changed')).components).toEqual([]);
  expect(await world.service.balance()).toBe(100);
});

test.each([
  ['the key', en.apiKey.revoke, 'is revoked and unlinked', { api_key: A_KEY }],
  ['every key of the account', en.apiKey.revokeAll, 'Every key of the account is revoked', { all: true }],
])(
  'where the service wants the login token to revoke %s, a button opens a form for it',
  async (_, label, said, revoked) => {
    const { service, world } = await hostileWorld({ operatorKey: null });
    await link(world, A_KEY);
    service.script('revokeKey', refusal(401, 'login token required'), service.politely);
    const confirmation = await run(world.member, 'apikey revoke');
    await world.member.press(confirmation.id, buttonOf(confirmation, label));
    const wanted = await world.reads('asks for your login token');
    const opened = await world.member.press(wanted.id, buttonOf(wanted, en.apiKey.enterToken));
    await fillIn(world.member, opened, 'a-login-token');
    await world.reads(said);
    expect(JSON.parse(service.requests('revokeKey')[1]?.body ?? '')).toEqual({
      ...revoked,
      token: 'a-login-token',
    });
  },
);

/** Says yes to the question of /apikey unlink, or of /apikey server unlink. */
async function unlinked(user: UserClient, command = 'apikey unlink'): Promise<string> {
  const question = await run(user, command);
  await user.press(question.id, buttonOf(question, en.apiKey.unlink));
  await expect.poll(() => user.message(question.id)?.content).toContain('unlinked and erased');
  return user.message(question.id)?.content ?? '';
}

test('unlinking says before that the key stays valid, and offers to revoke it; then forgets it here', async () => {
  const world = await botWorld({ operatorKey: null });
  await link(world);
  const question = await run(world.member, 'apikey unlink');
  expect(question.content).toContain('stays valid at the image service');
  expect(buttonOf(question, en.apiKey.revoke)).toMatch(/^apikey:revoke:/);
  await world.member.press(question.id, buttonOf(question, en.cancel.button));
  expect(await said(world.member, 'apikey show')).toContain('has been linked since');
  await unlinked(world.member);
  expect(await said(world.member, 'balance')).toContain('You need an API key');
  expect(await world.service.balance()).toBe(100);
});

/** A picture is drawn with a key that is then replaced, and revoked at the service. */
async function drawnWithRevoked(replace: (world: BotWorld) => Promise<unknown>) {
  const engine = controlledEngine();
  const world = await botWorld({ operatorKey: null, service: { engine } });
  await link(world);
  const reply = messageOf(await world.member.invoke(CHANNEL, 'imagine', { prompt: 'a red fox' }));
  const drawing = await engine.next();
  await replace(world);
  await world.service.call('/api.php?action=revoke_api_key', { json: { api_key: world.service.key } });
  return { ...world, reply, drawing };
}

test('a picture that is drawn while its key is replaced by another one of the account is delivered', async () => {
  const { ended, reply, drawing } = await drawnWithRevoked(generate);
  await drawing.finish();
  expect((await ended(reply.id)).attachments).toHaveLength(1);
});

test('where the key that is linked since is of another account, it was not accepted, as before', async () => {
  const { reads } = await drawnWithRevoked(async (world) =>
    link(world, (await world.service.addAccount()).key),
  );
  await reads('did not accept your key');
});

test('a picture that waits for its turn while its key is replaced is submitted once, with the new one', async () => {
  const engine = controlledEngine();
  const world = await botWorld({
    operatorKey: null,
    service: { engine, limits: { running: 1, waiting: 1 } },
  });
  await link(world);
  const ask = (prompt: string) => world.member.invoke(CHANNEL, 'imagine', { prompt, size: '64x64' });
  const drawn = messageOf(await ask('a drawn fox'));
  await expect.poll(() => engine.begun).toHaveLength(1);
  const queued = messageOf(await ask('a queued fox'));
  await sees(world.member, ({ id, content }) => id === queued.id && content.includes('Queue'));
  const waiting = messageOf(await ask('a waiting fox'));
  await world.reads('Waiting: number 1');
  await generate(world);
  await world.service.call('/api.php?action=revoke_api_key', { json: { api_key: world.service.key } });
  await engine.finishAll();
  for (const count of [2, 3]) {
    await expect.poll(() => engine.begun).toHaveLength(count);
    await engine.finishAll();
  }
  for (const { id } of [drawn, queued, waiting]) expect((await world.ended(id)).attachments).toHaveLength(1);
  expect(engine.begun.map(({ prompt }) => prompt)).toEqual(['a drawn fox', 'a queued fox', 'a waiting fox']);
  expect(await said(world.member, 'balance')).toContain('**97** credits');
});

test.each([
  ['en-GB', en],
  ['de', de],
])(
  'who is asked to revoke a key reads how many pictures under way are lost with it: %s',
  async (locale, { apiKey }) => {
    const engine = controlledEngine();
    const discord = { world: worldWhere(MEMBER, locale) };
    const world = await botWorld({ operatorKey: null, service: { engine }, discord });
    const { member } = world;
    await link(world);
    const { key, username } = world.service;
    const nothingLost = apiKey.confirmRevoke(`sk-…${key.slice(-4)}`, username);
    expect(await said(member, 'apikey revoke')).toBe(nothingLost);
    await confirmed(await member.invoke(CHANNEL, 'imagine', { prompt: 'a red fox', count: 2 }), member);
    const drawing = await engine.next();
    for (const command of ['apikey revoke', 'apikey unlink'])
      expect(await said(member, command)).toContain(apiKey.lostByRevoking(2));
    await drawing.finish();
    await expect.poll(() => said(member, 'apikey revoke')).toContain(apiKey.lostByRevoking(1));
    await (await engine.next()).finish();
    await expect.poll(() => said(member, 'apikey revoke')).toBe(nothingLost);
  },
);

test('while the store is locked unlinking says in time that it is at work, and ends once it is free', async () => {
  const world = await botWorld({ operatorKey: null });
  await link(world);
  const { sql } = storeOf(world);
  const question = await run(world.member, 'apikey unlink');
  await sql('BEGIN IMMEDIATE');
  await world.member.press(question.id, buttonOf(question, en.apiKey.unlink));
  await sql('ROLLBACK');
  await world.reads('unlinked and erased');
});

const SEEN = { moderators: true };

test('who manages a server sees the credits of a member who has said so while they are there, never the key, and the member sees who looked', async () => {
  const world = await botWorld({ operatorKey: null });
  expect(await link(world, undefined, SEEN)).toContain(
    'Beside you, only who has **Manage Server** in this server can see its credits, and never the key.',
  );
  const seen = await said(world.as(MODERATOR), 'balance', { member: MEMBER });
  expect(seen).toBe(`<@${MEMBER}> has **100** credits.`);
  expect(await said(world.member, 'apikey show')).toMatch(
    new RegExp(`^Looked at by <@${MODERATOR}> <t:\\d+:R>\\.$`, 'm'),
  );
  world.discord.world.kick(GUILD, MEMBER);
  expect(await said(world.as(MODERATOR), 'balance', { member: MEMBER })).toBe(
    en.refusal.noVisibleKey(`<@${MEMBER}>`),
  );
});

test('credits that their member hides while a moderator looks them up are not shown', async () => {
  let hide = async () => {};
  const interrupted: Command = {
    ...balance,
    run: (path, { caller, ...invocation }) =>
      balance.run(path, {
        ...invocation,
        caller: {
          ...caller,
          async botIsMember() {
            await hide();
            return caller.botIsMember();
          },
        },
      }),
  };
  const others = commands.filter((command) => command !== balance);
  const world = await botWorld({ operatorKey: null, commands: [...others, interrupted] });
  await link(world, undefined, SEEN);
  const shown = await run(world.member, 'apikey show');
  hide = async () => {
    await world.member.press(shown.id, buttonOf(shown, en.apiKey.hide));
  };
  const seen = await said(world.as(MODERATOR), 'balance', { member: MEMBER });
  expect(seen).toBe(en.refusal.noVisibleKey(`<@${MEMBER}>`));
});

test('a moderator is told of a key that is no longer accepted, not to link one', async () => {
  const world = await botWorld({ operatorKey: null });
  await link(world, undefined, SEEN);
  await world.service.call('/api.php?action=revoke_api_key', { json: { api_key: world.service.key } });
  const seen = await said(world.as(MODERATOR), 'balance', { member: MEMBER });
  expect(seen).toBe(`The image service does not accept the key of <@${MEMBER}> any more.`);
});

test('nobody has to think of who else looks to link a key: who says nothing is not seen', async () => {
  const world = await botWorld({ operatorKey: null });
  const opened = await world.member.invoke(CHANNEL, 'apikey link');
  if (opened.kind !== 'modal') throw new Error(opened.kind);
  expect(JSON.stringify(opened.modal)).toMatch(/"value":"no"[^}]*"default":true/);
  const linked = await settled(
    await world.member.submitModal(opened.interactionId, { secret: world.service.key, moderators: ['no'] }),
    world.member,
  );
  expect(linked.content).toMatch(/Nobody else can see its credits\.$/);
});

test.each([
  ['generate', generate],
  ['link', link],
])('a member who said no is not seen after /apikey %s, until they say yes', async (_, again) => {
  const world = await botWorld({ operatorKey: null });
  await link(world, undefined, SEEN);
  expect(await again(world)).toContain('Nobody else can see its credits.');
  const seen = () => said(world.as(MODERATOR), 'balance', { member: MEMBER });
  expect(await seen()).toContain('has linked no key, or does not show you');
  const shown = await run(world.member, 'apikey show');
  await world.member.press(shown.id, buttonOf(shown, en.apiKey.reveal));
  expect(await seen()).toBe(`<@${MEMBER}> has **100** credits.`);
  const changed = world.member.message(shown.id) ?? shown;
  await world.member.press(changed.id, buttonOf(changed, en.apiKey.hide));
  expect(await seen()).toContain('has linked no key, or does not show you');
});

test('what a member allowed in one server holds in no other, also for who manages both', async () => {
  const world = await botWorld({ operatorKey: null });
  await link(world, undefined, SEEN);
  const { discord } = world;
  discord.world.addMember(OTHER_GUILD, BOT);
  // The owner of both servers.
  const owner = world.as(OUTSIDER);
  expect(await said(owner, 'balance', { member: MEMBER })).toContain('has **100** credits');
  const elsewhere = await settled(await owner.invoke(OTHER_CHANNEL, 'balance', { member: MEMBER }), owner);
  expect(elsewhere.content).toContain('has linked no key, or does not show you');
});

test('a service that cannot be reached stores nothing, and says so', async () => {
  const world = await botWorld({ operatorKey: null, imageUrl: NOWHERE });
  expect(await link(world, A_KEY)).toMatch(/cannot be reached.*The key was not stored/);
  expect(await said(world.member, 'apikey show')).toContain('You have not linked a key');
});

test('a key that was revoked elsewhere is kept, marked to be linked again, and asks nobody until then', async () => {
  const world = await botWorld({ operatorKey: null });
  await link(world);
  await world.service.call('/api.php?action=revoke_api_key', { json: { api_key: world.service.key } });
  const failed = await world.imagined({ prompt: 'a red fox' });
  expect(JSON.stringify(failed)).toContain('did not accept your key');
  await expect
    .poll(() => said(world.member, 'apikey show'))
    .toMatch(/no longer accepts it; that was noticed <t:\d+:R>\. Link another one/);
  expect(await said(world.member, 'imagine', { prompt: 'a red fox' })).toContain('did not accept your key');
  await generate(world);
  expect(await said(world.member, 'apikey show')).not.toContain('no longer accepts');
});

test('a service that does not answer changes nothing about a key', async () => {
  const { service, world } = await hostileWorld({ operatorKey: null });
  await link(world, A_KEY);
  service.script('balance', refusal(500, 'no'), refusal(500, 'no'), refusal(500, 'no'), refusal(500, 'no'));
  await said(world.member, 'balance');
  expect(await said(world.member, 'apikey show')).not.toContain('no longer accepts');
});

test('a linked key that cannot be read lets nobody else pay, and is linked again', async () => {
  const world = await botWorld();
  await link(world);
  await storeOf(world).sql(
    `UPDATE bot_rows SET value = replace(value, '"sealed":"v1', '"sealed":"v0') WHERE key LIKE 'keys:%'`,
  );
  expect(await said(world.member, 'imagine', { prompt: 'a red fox' })).toContain('Link it again');
  expect(await said(world.as(MODERATOR), 'balance', { member: MEMBER })).toContain('has linked no key');
  expect(await world.service.balance()).toBe(100);
  expect(await link(world)).toContain('is linked and pays for your pictures');
  expect(await said(world.member, 'balance')).toContain('**100** credits');
});

test('what the operator has left is not shown to members', async () => {
  const world = await botWorld();
  expect(await said(world.member, 'balance')).toBe('The operator of this bot pays for your pictures.');
});

test('a moderator links a key that pays for everybody in the server who has none', async () => {
  const world = await botWorld({ operatorKey: null });
  const moderator = world.as(MODERATOR);
  const opened = await moderator.invoke(CHANNEL, 'apikey server link');
  expect(await filledIn(moderator, opened, world.service.key)).toContain('everybody who has no key');
  expect((await world.imagined({ prompt: 'a red fox', size: '64x64' })).attachments).toHaveLength(1);
  expect(await said(world.member, 'balance')).toBe(
    'The key of this server pays for your pictures.\nWhat your last pictures cost:\n- **1** · a red fox',
  );
  expect(await said(moderator, 'balance')).toContain('**99** credits');
  await unlinked(moderator, 'apikey server unlink');
  expect(await said(world.member, 'balance')).toContain('You need an API key');
});

test('a member cannot touch the key of the server', async () => {
  const world = await botWorld({ operatorKey: null });
  for (const command of ['apikey server link', 'apikey server show', 'apikey server unlink']) {
    expect(await said(world.member, command)).toContain('Manage Server');
  }
});
