import { setImmediate } from 'node:timers/promises';
import { createDeferred } from '@darkroom/testing';
import { ApplicationCommandOptionType } from 'discord-api-types/v10';
import { expect, test } from 'vitest';
import type { PageOptions } from '../../src/page-server/page-source.ts';
import type { Panel } from '../../src/page-server/protocol.ts';
import { CHANNEL, MEMBER } from '../support/local-discord.ts';
import { openLocalDiscord } from '../support/open-local-discord.ts';

async function open(page: PageOptions = {}) {
  const { discord, address, register } = await openLocalDiscord({ page });
  const { app } = discord;
  const { host } = new URL(address.url);
  const act = (body: unknown, headers: Record<string, string> = {}) =>
    app.inject({
      method: 'POST',
      url: `/page/users/${MEMBER}/actions`,
      headers: { host, origin: address.url, 'content-type': 'application/json', ...headers },
      payload: JSON.stringify(body),
    });
  return { app, host, act, register, address, discord };
}

const hello = { do: 'say', channelId: CHANNEL, content: 'hello', uploads: [] };

test('the page is served to every name of this machine, and to no other', async () => {
  const { app } = await open();
  for (const host of ['127.0.0.1:4280', 'localhost:4280', '[::1]:4280', 'localhost']) {
    const { statusCode, headers } = await app.inject({ url: '/', headers: { host } });
    expect(statusCode, host).toBe(200);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  }
  for (const host of [
    'rebound.example:4280',
    '127.0.0.1.example',
    'localhost.example:80',
    '192.168.0.7:4280',
  ]) {
    expect((await app.inject({ url: '/', headers: { host } })).statusCode, host).toBe(421);
    expect((await app.inject({ url: '/page/users', headers: { host } })).statusCode, host).toBe(421);
  }
});

test('another machine gets no page, by whatever name it asks', async () => {
  const { app, host } = await open();
  const answer = (remoteAddress: string) =>
    app.inject({ url: '/page/users', headers: { host }, remoteAddress });
  const asked = async (remoteAddress: string) => (await answer(remoteAddress)).statusCode;
  for (const own of ['127.0.0.1', '127.0.0.2', '::1', '::ffff:127.0.0.1'])
    expect(await asked(own), own).toBe(200);
  for (const other of ['192.168.0.7', '::ffff:192.168.0.7', 'fe80::1', '::127.0.0.1', '2001:db8::1'])
    expect(await asked(other), other).toBe(421);
  expect((await answer('172.17.0.1')).json().message).toContain('docker run --network host');
});

test('actions are taken from the page itself only', async () => {
  const { act, host } = await open();
  expect((await act(hello)).statusCode).toBe(200);
  expect((await act(hello, { origin: 'http://elsewhere.example' })).statusCode).toBe(403);
  expect((await act(hello, { origin: `https://${host}` })).statusCode).toBe(403);
  expect((await act(hello, { origin: 'null' })).statusCode).toBe(403);
});

test('what Discord’s client refuses is a 422 that names the field', async () => {
  const { act, register } = await open();
  const steps = { type: ApplicationCommandOptionType.Integer as const, name: 'steps', description: 'Steps' };
  await register({ name: 'draw', description: 'Draws.', options: [{ ...steps, max_value: 50 }] });
  const invoke = { do: 'invoke', channelId: CHANNEL, command: 'draw', nonce: 'one' };
  const answer = await act({ ...invoke, options: { steps: 900 } });
  expect(answer.statusCode).toBe(422);
  expect(answer.json()).toMatchObject({ reason: 'invalid', field: 'steps' });
  expect((await act({ ...invoke, command: 'nothing', options: {} })).json()).toMatchObject({
    reason: 'unknown',
  });
});

test('files that are too large to be sent at all are refused like one that is too large for Discord', async () => {
  const { act } = await open();
  const sent = async (mebibytes: number) => {
    const base64 = Buffer.alloc(mebibytes * 1024 ** 2).toString('base64');
    const answer = await act({ ...hello, uploads: [{ name: 'large.png', base64 }] });
    return [answer.statusCode, answer.json().refusal];
  };
  expect(await sent(11)).toEqual([422, { code: 'fileTooLarge', values: { limit: 10_485_760 } }]);
  expect(await sent(25)).toEqual([422, { code: 'filesTooLarge', values: { limit: 25_165_824 } }]);
});

test('a malformed action is a 400, an unknown user or channel is told as such', async () => {
  const { act, app, host } = await open();
  expect((await act({ do: 'fly' })).statusCode).toBe(400);
  expect((await act('{')).statusCode).toBe(400);
  const nobody = await app.inject({ url: '/page/users/123456789012345678/channels/1', headers: { host } });
  expect(nobody.statusCode).toBe(400);
  const nowhere = `/page/users/${MEMBER}/channels/123456789012345678`;
  expect((await app.inject({ url: nowhere, headers: { host } })).statusCode).toBe(422);
});

test('the list of users holds no secret of their panels', async () => {
  const key = { label: 'Key', value: 'sk-0123456789', secret: true };
  const { app, host } = await open({ panel: async () => ({ title: 'Account', rows: [key] }) });
  const { body } = await app.inject({ url: '/page/users', headers: { host } });
  expect(body).toContain('Moderator');
  expect(body).not.toContain(key.value);
});

test('a host may narrow the users down, and says what sets each apart', async () => {
  const { app, host } = await open({ users: [{ id: MEMBER, about: 'new here' }] });
  const { body } = await app.inject({ url: '/page/users', headers: { host } });
  expect(JSON.parse(body)).toEqual([{ id: MEMBER, name: 'Member', about: 'new here' }]);
});

test('a panel whose host never answers keeps nobody from the chat', async () => {
  const { address } = await open({ panel: () => new Promise(() => {}) });
  const { body } = await fetch(`${address.url}/page/users/${MEMBER}/events`, {
    signal: AbortSignal.timeout(10_000),
  });
  const { value } = (await body?.getReader().read()) ?? {};
  expect(new TextDecoder().decode(value)).toContain('"type":"snapshot"');
});

test('an earlier answer of the host that comes later is not shown', async () => {
  const earlier = createDeferred<Panel>();
  const { address, discord } = await open({
    panel: async (_userId, locale) => (locale === 'de' ? { title: 'Konto', rows: [] } : earlier.promise),
  });
  const { body } = await fetch(`${address.url}/page/users/${MEMBER}/events`);
  if (!body) throw new Error('no events');
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let came = '';
  const comes = async (text: string) => {
    while (!came.includes(text)) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`the events ended without ${text}`);
      came += value;
    }
  };
  await comes('"type":"snapshot"');
  const member = discord.as(MEMBER);
  member.changeLocale('de');
  await comes('Konto');
  earlier.resolve({ title: 'Account', rows: [] });
  await setImmediate();
  await member.say(CHANNEL, 'hello');
  await comes('"type":"message-created"');
  expect(came).not.toContain('Account');
});
