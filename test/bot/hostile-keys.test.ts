import { ComponentType, Routes } from 'discord.js';
import type { APIMessage } from 'discord-api-types/v10';
import { expect, test } from 'vitest';
import { answer, reset } from '../../packages/image-api/test/support/behaviours.ts';
import { A_KEY } from '../../packages/image-api/test/support/polite-service.ts';
import {
  CHANNEL,
  GUILD,
  MEMBER,
  MODERATOR,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { en } from '../../src/messages/locale/en.ts';
import { type BotWorld, botWorld } from '../support/bot.ts';
import { buttonRow } from '../support/buttons.ts';
import { fillIn, run, settled } from '../support/ephemeral-reply.ts';
import { storeWithSettings } from '../support/guild-settings.ts';
import { hostileWorld } from '../support/hostile-world.ts';

const link = async ({ member }: BotWorld, key: string) => {
  const opened = await member.invoke(CHANNEL, 'apikey link');
  return (await settled(await fillIn(member, opened, key), member)).content;
};

test.each([
  ['a key', 'prompt', A_KEY],
  ['a key', 'negative_prompt', A_KEY],
  ['a key', 'model', A_KEY],
  ['a login token', 'prompt', `lt-${'3'.repeat(48)}`],
])('%s that is typed into %s goes nowhere', async (_, option, secret) => {
  const { service, world } = await hostileWorld({ operatorKey: A_KEY });
  const typed = { prompt: 'a red fox', [option]: `mine is ${secret} ok?` };
  const { content } = await run(world.member, 'imagine', typed);
  expect(content).toContain(en.refusal.secretInText);
  expect(content).not.toContain(secret);
  // What the service offers is asked for at the start.
  expect(service.requests().filter(({ route }) => route !== 'capabilities')).toEqual([]);
  expect((await run(world.member, 'jobs')).embeds).toEqual([]);
});

test('a key in place of a login token is not sent', async () => {
  const { service, world } = await hostileWorld({ operatorKey: null });
  const opened = await world.member.invoke(CHANNEL, 'apikey generate');
  const refused = await settled(await fillIn(world.member, opened, A_KEY), world.member);
  expect(refused.content).toContain('That is a key, not a login token');
  expect(service.requests()).toEqual([]);
});

test('the name of an account takes no effect where it is shown', async () => {
  const { service, world } = await hostileWorld({ operatorKey: null });
  const username = `@everyone <@${MODERATOR}> **x** \u202E\u200B https://evil.example `.repeat(50);
  const data = { user_id: 1, username, balance: 1, currency: 'credits' };
  service.script('balance', answer(data), answer(data));
  for (const content of [
    await link(world, A_KEY),
    (await run(world.member, 'balance')).content,
    (await run(world.member, 'apikey show')).content,
  ]) {
    expect(content.length).toBeLessThan(500);
    expect(content).toContain('everyone');
    expect(content).not.toMatch(/(?<!\\)@everyone|<@\d|https:|[\u202E\u200B]/);
  }
});

test('nobody tries out keys here: after ten within an hour it has to wait, and a restart does not help', async () => {
  const { service, world } = await hostileWorld({ operatorKey: null });
  for (let nth = 0; nth < 10; nth++) await link(world, A_KEY);
  await world.restartBot();
  const asked = service.requests('balance').length;
  expect(await link(world, A_KEY)).toMatch(/^Too many attempts\. Try again <t:\d+:R>/);
  expect(service.requests('balance')).toHaveLength(asked);
  expect(await link(world, 'not a key')).toContain('That is not a key');
});

test('buttons and forms that somebody has forged do nothing that their sender may not do', async () => {
  const world = await botWorld({ operatorKey: null });
  const moderator = world.as(MODERATOR);
  const opened = await moderator.invoke(CHANNEL, 'apikey server link');
  await settled(await fillIn(moderator, opened, world.service.key), moderator);
  const session = await world.login();
  const forged = ['ask:server', `ask:${GUILD}`, 'revoke', `visible:yes:${MODERATOR}`, 'unlink:server'];
  const body = {
    content: 'forged',
    components: [buttonRow(...forged.map((id) => `apikey:${id}`)).toJSON()],
  };
  // Discord's answer is the message.
  const message = (await session.rest.post(Routes.channelMessages(CHANNEL), { body })) as APIMessage;
  const press = (id: string) => world.member.press(message.id, `apikey:${id}`);
  expect((await settled(await press('ask:server'), world.member)).content).toContain('Manage Server');
  // What is no target is the caller's own.
  expect(await press(`ask:${GUILD}`)).toMatchObject({
    modal: { custom_id: expect.stringMatching(/^apikey:link:own:~/) },
  });
  expect((await settled(await press('unlink:server'), world.member)).content).toContain('Manage Server');
  await press('revoke');
  await world.reads('You have not linked a key');
  expect((await run(moderator, 'apikey server show')).content).toContain('has been linked for this server');
  expect((await run(moderator, 'balance')).content).toContain('**100** credits');
  await session.destroy();
});

test('a form that two processes get makes one key', async () => {
  const { service, world } = await hostileWorld({ operatorKey: null });
  const { stop } = await world.secondBot();
  const opened = await world.member.invoke(CHANNEL, 'apikey generate');
  await settled(await fillIn(world.member, opened, 'a-login-token'), world.member);
  await world.logs('another process answers on this DISCORD_TOKEN');
  expect(service.requests('generateKey')).toHaveLength(1);
  await stop();
});

test('a key or a token of any length is refused before it leaves', async () => {
  const { service, world } = await hostileWorld({ operatorKey: null });
  for (const [command, words] of [
    ['apikey link', 'That is not a key'],
    ['apikey generate', 'did not accept this login token'],
  ] as const) {
    const opened = await world.member.invoke(CHANNEL, command);
    if (opened.kind !== 'modal') throw new Error(opened.kind);
    // As a client would that heeds no limit of a form.
    for (const label of opened.modal.components) {
      if (label.type === ComponentType.Label && label.component.type === ComponentType.TextInput)
        label.component.max_length = 4_000;
    }
    const refused = await settled(await fillIn(world.member, opened, 'x'.repeat(4_000)), world.member);
    expect(refused.content).toContain(words);
  }
  expect(service.requests()).toEqual([]);
});

test('the button and the form of another member act on the keys of whoever uses them', async () => {
  const world = await botWorld({ operatorKey: null });
  await link(world, world.service.key);
  const confirmation = await run(world.member, 'apikey revoke');
  const moderator = world.as(MODERATOR);
  // Nobody else sees it; a client that knew its id could send it all the same.
  await expect(moderator.press(confirmation.id, 'apikey:revoke')).rejects.toThrow();
  expect((await run(world.member, 'balance')).content).toContain('**100** credits');
});

test('what is said of moderators in a direct message holds nowhere', async () => {
  const world = await botWorld({ operatorKey: null });
  const direct = world.member.openDirectMessage().id;
  const opened = await world.member.invoke(direct, 'apikey link');
  await settled(await fillIn(world.member, opened, world.service.key), world.member);
  const seen = await run(world.as(MODERATOR), 'balance', { member: MEMBER });
  expect(seen.content).toContain('has linked no key, or does not show you');
});

test('a key whose answer was lost is asked for again as the same, also by a later process', async () => {
  const { service, world } = await hostileWorld({ operatorKey: null });
  service.script('generateKey', reset(), service.politely);
  const generate = async (user = world.member) => {
    const opened = await user.invoke(CHANNEL, 'apikey generate');
    return (await settled(await fillIn(user, opened, 'a-login-token'), user)).content;
  };
  expect(await generate()).not.toContain('is linked');
  await world.restartBot();
  expect(await generate()).toContain('is linked');
  expect(await generate()).toContain('is linked');
  await generate(world.as(MODERATOR));
  const [lost, again, another, byOther] = service
    .requests('generateKey')
    .map(({ headers }) => headers['idempotency-key']);
  expect(lost).toMatch(/^[0-9a-f]{64}$/);
  expect(again).toBe(lost);
  expect(another).not.toBe(lost);
  // It does not tell who somebody is on Discord.
  expect(byOther).toBe(lost);
});

test('what a service calls a key and is none is not linked', async () => {
  const { service, world } = await hostileWorld({ operatorKey: null });
  service.script('generateKey', answer({ api_key: 'ab' }));
  const opened = await world.member.invoke(CHANNEL, 'apikey generate');
  const told = await settled(await fillIn(world.member, opened, `lt-${'1'.repeat(48)}`), world.member);
  expect(told.content).toContain('an answer that makes no sense');
  expect((await run(world.member, 'apikey show')).content).toContain(en.apiKey.none);
});

test('what was not there was not deleted, whatever button says so', async () => {
  const world = await botWorld({ storeUrl: await storeWithSettings({ logChannelId: CHANNEL }) });
  const moderator = world.as(MODERATOR);
  const session = await world.login();
  const forged = `imagine:remove:${MEMBER}:${'4'.repeat(18)}`;
  const body = { content: 'forged', components: [buttonRow(forged).toJSON()] };
  const message = (await session.rest.post(Routes.channelMessages(CHANNEL), { body })) as APIMessage;
  await moderator.press(message.id, forged);
  await world.reads(en.actions.notDeleted, moderator);
  await run(moderator, 'moderate block', { member: MEMBER });
  await world.reads(' blocked ', moderator);
  expect(moderator.messages(CHANNEL).some(({ content }) => content.includes('deleted a picture'))).toBe(
    false,
  );
  await session.destroy();
});

test('nobody deletes the picture of another, whatever button says that it is theirs', async () => {
  const world = await botWorld({ storeUrl: await storeWithSettings({ logChannelId: CHANNEL }) });
  const moderator = world.as(MODERATOR);
  const picture = await world.imagined({ prompt: 'a red fox', size: '64x64' }, { user: moderator });
  const session = await world.login();
  const forge = async (memberId: string) => {
    const forged = `imagine:remove:${memberId}:${picture.id}`;
    const body = { content: 'forged', components: [buttonRow(forged).toJSON()] };
    const message = (await session.rest.post(Routes.channelMessages(CHANNEL), { body })) as APIMessage;
    return { message, forged };
  };
  const mine = await forge(MEMBER);
  await world.member.press(mine.message.id, mine.forged);
  await world.reads(en.refusal.notDeletable);
  expect(moderator.message(picture.id)).toBeDefined();
  // A moderator deletes it, and the log does not take it for a stranger's.
  const theirs = await forge(MEMBER);
  await moderator.press(theirs.message.id, theirs.forged);
  await expect.poll(() => moderator.message(picture.id)).toBeUndefined();
  await run(moderator, 'moderate block', { member: MEMBER });
  await world.reads(' blocked ', moderator);
  expect(moderator.messages(CHANNEL).some(({ content }) => content.includes('deleted a picture'))).toBe(
    false,
  );
  await session.destroy();
});
