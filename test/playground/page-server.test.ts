import { expect, onTestFinished, test } from 'vitest';
import { FIRST_CHANNEL, MEMBER } from '../../src/playground/neighbourhood.ts';
import { openPlayground } from '../support/playground.ts';

async function open() {
  const playground = await openPlayground();
  onTestFinished(playground.close);
  const { app } = playground.discord();
  const host = new URL(playground.url).host;
  const act = (body: unknown, headers: Record<string, string> = {}) =>
    app.inject({
      method: 'POST',
      url: `/page/people/${MEMBER.id}/actions`,
      headers: { host, origin: playground.url, 'content-type': 'application/json', ...headers },
      payload: JSON.stringify(body),
    });
  return { ...playground, app, host, act };
}

const hello = { do: 'say', channelId: FIRST_CHANNEL, content: 'hello', uploads: [] };

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
    expect((await app.inject({ url: '/page/people', headers: { host } })).statusCode, host).toBe(421);
  }
});

test('actions are taken from the page itself only', async () => {
  const { act, host } = await open();
  expect((await act(hello)).statusCode).toBe(200);
  expect((await act(hello, { origin: 'http://elsewhere.example' })).statusCode).toBe(403);
  expect((await act(hello, { origin: `https://${host}` })).statusCode).toBe(403);
  expect((await act(hello, { origin: 'null' })).statusCode).toBe(403);
});

test('what Discord’s client refuses is a 422 that names the field', async () => {
  const { act } = await open();
  const invoke = { do: 'invoke', channelId: FIRST_CHANNEL, command: 'imagine' };
  const answer = await act({ ...invoke, options: { prompt: 'a fox', steps: 900 } });
  expect(answer.statusCode).toBe(422);
  expect(answer.json()).toMatchObject({ reason: 'invalid', field: 'steps' });
  expect((await act({ ...invoke, command: 'nothing', options: {} })).json()).toMatchObject({
    reason: 'unknown',
  });
});

test('a malformed action is a 400, an unknown person or channel is told as such', async () => {
  const { act, app, host } = await open();
  expect((await act({ do: 'fly' })).statusCode).toBe(400);
  expect((await act('{')).statusCode).toBe(400);
  const nobody = await app.inject({ url: '/page/people/123456789012345678/channels/1', headers: { host } });
  expect(nobody.statusCode).toBe(400);
  const nowhere = `/page/people/${MEMBER.id}/channels/123456789012345678`;
  expect((await app.inject({ url: nowhere, headers: { host } })).statusCode).toBe(422);
});

test('no secret of the service stands in what a page is told about the others', async () => {
  const { app, host } = await open();
  const { body } = await app.inject({ url: '/page/people', headers: { host } });
  expect(body).toContain('Newcomer');
  expect(body).not.toMatch(/(sk|lt)-[0-9a-f]/);
});
