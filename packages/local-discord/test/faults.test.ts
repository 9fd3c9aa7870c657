import { createFakeClock } from '@darkroom/time/testing';
import { Routes } from 'discord.js';
import { expect, test } from 'vitest';
import type { Call } from '../src/rest/faults.ts';
import { CHANNEL, MEMBER, type TestDiscord } from './support/local-discord.ts';
import { openLocalDiscord } from './support/open-local-discord.ts';
import { respond } from './support/ping-world.ts';

let world: TestDiscord;

const send = (content = 'x', signal?: AbortSignal) =>
  world.rest.post(Routes.channelMessages(CHANNEL), { body: { content }, ...(signal && { signal }) });
const posts = ({ method, path }: { method: string; path: string }) =>
  method === 'POST' && path.endsWith('/messages');
/** The same call, for a fault. */
const post: Call = { method: 'POST', path: /\/messages$/, hasFiles: false };
const contents = () =>
  world.discord
    .as(MEMBER)
    .messages(CHANNEL)
    .map(({ content }) => content);

test('an answer of our own replaces the work, as many times as asked', async () => {
  world = await openLocalDiscord();
  world.discord.faults.add({ next: post, effect: { status: 500, body: 'oops' }, times: 2 });
  await expect(send()).rejects.toMatchObject({ status: 500 });
  await expect(send()).rejects.toMatchObject({ status: 500 });
  await send('third');
  expect(contents()).toEqual(['third']);
});

test('a reset breaks the connection before the work is done', async () => {
  world = await openLocalDiscord();
  world.discord.faults.add({ next: post, effect: 'reset' });
  await expect(send()).rejects.toThrow();
  expect(contents()).toEqual([]);
});

test('a lost answer breaks the connection after the work is done', async () => {
  world = await openLocalDiscord();
  world.discord.faults.add({ next: post, effect: 'answer-lost' });
  await expect(send('done')).rejects.toThrow();
  expect(contents()).toEqual(['done']);
});

test('a request that hangs ends with its caller, or when the local Discord closes', async () => {
  world = await openLocalDiscord();
  world.discord.faults.add({ next: post, effect: 'hang', times: 2 });
  const caller = new AbortController();
  const left = expect(send('x', caller.signal)).rejects.toThrow();
  await expect.poll(() => world.discord.requests.list(posts)).toHaveLength(1);
  caller.abort();
  await left;
  const hanging = send();
  await expect.poll(() => world.discord.requests.list(posts)).toHaveLength(2);
  await world.discord.close();
  await expect(hanging).rejects.toThrow();
});

test('a slow answer comes when its time on the clock has passed', async () => {
  const clock = createFakeClock();
  world = await openLocalDiscord({ clock });
  world.discord.faults.add({ next: post, effect: { slowMs: 5000 } });
  const slow = send('slow');
  await expect.poll(() => clock.sleeps).toEqual([5000]);
  await clock.advance(4999);
  expect(contents()).toEqual([]);
  await clock.advance(1);
  await slow;
  expect(contents()).toEqual(['slow']);
});

test('faults that are cleared do nothing', async () => {
  world = await openLocalDiscord();
  world.discord.faults.add({ every: () => true, effect: 'reset' });
  world.discord.faults.clear();
  await send();
  expect(contents()).toEqual(['x']);
});

test('every request is on record, with its status and code and without its token', async () => {
  world = await openLocalDiscord();
  await world.register({ name: 'ping', description: 'd' });
  world.discord.requests.clear();
  const tokens: string[] = [];
  await world.serve(async (i) => {
    tokens.push(i.token);
    if (!i.isChatInputCommand()) return;
    await i.reply('x');
    await i.editReply('y');
    await i.reply('again').catch(() => respond(world.rest, i, { body: { type: 5 } }));
  });
  await world.discord.as(MEMBER).invoke(CHANNEL, 'ping');
  const list = () => world.discord.requests.list(({ path }) => path.includes('[token]'));
  await expect
    .poll(() => list().map(({ status, code }) => [status, code]))
    .toEqual([
      [204, null],
      [200, null],
      [400, 40060],
    ]);
  expect(JSON.stringify(world.discord.requests.list())).not.toContain(tokens[0]);
});
