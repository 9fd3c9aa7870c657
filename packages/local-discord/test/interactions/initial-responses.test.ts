import { createDeferred } from '@darkroom/testing';
import { createFakeClock } from '@darkroom/time/testing';
import { ComponentType, InteractionType, MessageFlags, MessageType } from 'discord.js';
import { expect, test } from 'vitest';
import type { UserClientEvent } from '../../src/user-client/shapes.ts';
import { BOT, CHANNEL, MEMBER, MODERATOR, refusalOf, STAFF_ROLE, sees } from '../support/local-discord.ts';
import { messageOf } from '../support/message-of.ts';
import { pingWorld, respond } from '../support/ping-world.ts';

test('a command is answered with a message that everybody in the channel sees', async () => {
  const world = await pingWorld();
  await world.serve(async (i) => i.isChatInputCommand() && i.reply('pong'));
  const answer = await world.discord.as(MEMBER).invoke(CHANNEL, 'ping');
  expect(answer).toMatchObject({
    kind: 'message',
    message: {
      content: 'pong',
      type: MessageType.ChatInputCommand,
      author: { id: BOT },
      interaction_metadata: { type: InteractionType.ApplicationCommand, user: { id: MEMBER } },
    },
  });
  expect(world.discord.as(MODERATOR).messages(CHANNEL)).toHaveLength(1);
});

test('a deferred answer loads until its first edit, which does not count as one', async () => {
  const world = await pingWorld();
  const go = createDeferred<void>();
  await world.serve(async (i) => {
    if (!i.isChatInputCommand()) return;
    await i.deferReply();
    await go.promise;
    await i.editReply('first');
    await i.editReply('second');
  });
  const member = world.discord.as(MEMBER);
  const events: UserClientEvent[] = [];
  member.subscribe((event) => events.push(event));
  const answer = await member.invoke(CHANNEL, 'ping');
  expect(answer.kind === 'message' && (answer.message.flags ?? 0) & MessageFlags.Loading).toBe(
    MessageFlags.Loading,
  );
  go.resolve();
  const last = await sees(member, (message) => message.content === 'second');
  expect(last.edited_timestamp).not.toBeNull();
  const updates = events.flatMap((event) => (event.type === 'message-updated' ? [event.message] : []));
  expect(updates.map(({ content, flags }) => [content, flags])).toEqual([
    ['first', 0],
    ['second', 0],
  ]);
  expect(updates[0]?.edited_timestamp).toBeNull();
});

test('with_response tells the message of the answer', async () => {
  const world = await pingWorld();
  const { errors } = await world.serve(async (i) => {
    if (!i.isChatInputCommand()) return;
    const { interaction, resource } = await i.reply({ content: 'told', withResponse: true });
    expect(interaction.responseMessageId).toBe(resource?.message?.id);
    expect(interaction.responseMessageEphemeral).toBe(false);
    await resource?.message?.edit('edited').catch(() => i.editReply('edited'));
  });
  const member = world.discord.as(MEMBER);
  await member.invoke(CHANNEL, 'ping');
  await sees(member, ({ content }) => content === 'edited');
  expect(errors).toEqual([]);
});

test('a second answer is refused with 40060', async () => {
  const world = await pingWorld();
  const codes: unknown[] = [];
  await world.serve(async (i) => {
    const answer = () => respond(world.rest, i, { body: { type: 4, data: { content: 'one' } } });
    await answer();
    codes.push(await refusalOf(answer()));
  });
  await world.discord.as(MEMBER).invoke(CHANNEL, 'ping');
  await expect.poll(() => codes).toMatchObject([{ status: 400, code: 40060 }]);
});

test('two answers at once: one wins', async () => {
  const world = await pingWorld();
  const results: string[] = [];
  await world.serve(async (i) => {
    const answer = () =>
      respond(world.rest, i, {
        body: { type: 4, data: { content: 'one' } },
        files: [{ name: 'a.txt', data: 'x' }],
      });
    const both = await Promise.allSettled([answer(), answer()]);
    results.push(...both.map(({ status }) => status).sort());
  });
  await world.discord.as(MEMBER).invoke(CHANNEL, 'ping');
  await expect.poll(() => results).toEqual(['fulfilled', 'rejected']);
  expect(world.discord.as(MEMBER).messages(CHANNEL)).toHaveLength(1);
});

test('after 3 seconds the member reads that nobody answered, and the answer is refused with 10062', async () => {
  const clock = createFakeClock();
  const world = await pingWorld({ clock });
  const late = createDeferred<void>();
  const codes: unknown[] = [];
  await world.serve(async (i) => {
    await late.promise;
    if (i.isChatInputCommand()) codes.push(await refusalOf(i.reply('too late')));
  });
  const member = world.discord.as(MEMBER);
  const answer = member.invoke(CHANNEL, 'ping');
  await expect.poll(() => clock.sleeps).toContain(3_000);
  await clock.advance(3001);
  expect(await answer).toMatchObject({ kind: 'failure', text: 'The application did not respond' });
  late.resolve();
  await expect.poll(() => codes).toMatchObject([{ status: 404, code: 10062 }]);
  expect(member.messages(CHANNEL)).toEqual([]);
});

test('without a bot there is no waiting', async () => {
  const world = await pingWorld({ clock: createFakeClock() });
  expect(await world.discord.as(MEMBER).invoke(CHANNEL, 'ping')).toMatchObject({ kind: 'failure' });
});

test('an unknown interaction is 10062', async () => {
  const world = await pingWorld();
  const body = { type: 4, data: { content: 'x' } };
  const unknown = { id: '1234567890123456789', token: 'nonsense' };
  expect(await refusalOf(respond(world.rest, unknown, { body }))).toMatchObject({ status: 404, code: 10062 });
});

test('answers that break a rule are refused, and the interaction can still be answered', async () => {
  const world = await pingWorld();
  const field = (id: string) => ({
    type: ComponentType.Label,
    label: id,
    component: { type: ComponentType.TextInput, custom_id: id, style: 1 },
  });
  const fields = (...ids: string[]) => ids.map(field);
  const bad = [
    { type: 5, data: { flags: 1 << 15 } },
    { type: 4, data: {} },
    { type: 4, data: { content: 'x'.repeat(2001) } },
    { type: 6 },
    { type: 7, data: { content: 'x' } },
    { type: 8, data: { choices: [] } },
    { type: 1 },
    { type: 9, data: { custom_id: 'm', title: 't', components: fields('1', '2', '3', '4', '5', '6') } },
    { type: 9, data: { custom_id: 'm', title: 't', components: fields('1', '1') } },
    { type: 9, data: { custom_id: 'm', title: 'x'.repeat(46), components: fields('1') } },
    { type: 9, data: { custom_id: 'm', title: 't', components: [] } },
    'no object',
  ];
  const codes: unknown[] = [];
  await world.serve(async (i) => {
    for (const body of bad) {
      codes.push((await refusalOf(respond(world.rest, i, { body }))).code);
    }
    if (i.isChatInputCommand()) await i.reply('at last');
  });
  expect(await world.discord.as(MEMBER).invoke(CHANNEL, 'ping')).toMatchObject({
    message: { content: 'at last' },
  });
  expect(codes).toEqual([50035, 50006, ...Array(10).fill(50035)]);
});

test('files of an answer arrive with it', async () => {
  const world = await pingWorld();
  const bytes = Buffer.from([0, 255, 1, 254]);
  await world.serve(async (i) => {
    if (i.isChatInputCommand()) await i.reply({ files: [{ name: 'a.bin', attachment: bytes }] });
  });
  const answer = await world.discord.as(MEMBER).invoke(CHANNEL, 'ping');
  const url = messageOf(answer).attachments[0]?.url ?? '';
  expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(bytes)).toBe(true);
});

test('answers notify users alone, unless the bot says whom they may', async () => {
  const world = await pingWorld();
  const content = `<@${MEMBER}> <@&${STAFF_ROLE}> @everyone`;
  await world.serve(async (i) => {
    if (!i.isChatInputCommand()) return;
    await i.reply({ content, allowedMentions: { parse: ['everyone'] } });
    await i.editReply({ content });
    await i.followUp({ content });
  });
  const member = world.discord.as(MEMBER);
  const first = messageOf(await member.invoke(CHANNEL, 'ping'));
  expect(first).toMatchObject({ mentions: [], mention_roles: [], mention_everyone: true });
  const usersAlone = { mentions: [{ id: MEMBER }], mention_roles: [], mention_everyone: false };
  expect(await sees(member, ({ id }) => id !== first.id)).toMatchObject(usersAlone);
  expect(member.message(first.id)).toMatchObject(usersAlone);
});
