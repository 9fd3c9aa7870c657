import { systemClock } from '@darkroom/time';
import { expect, onTestFinished, test } from 'vitest';
import { createWebhookSender } from '../../src/webhooks/send-webhook.ts';
import { nameServer } from '../support/name-server.ts';
import { webhookReceiver } from '../support/webhook-receiver.ts';

const message = { headers: {}, body: '{}' };
const never = new AbortController().signal;

function sender(options: Partial<Parameters<typeof createWebhookSender>[0]> = {}) {
  const made = createWebhookSender({ allowedOrigins: [], clock: systemClock, ...options });
  onTestFinished(made.close);
  return made;
}

test.each(['127.0.0.1', '10.0.0.8', '169.254.169.254'])(
  'a name that stands for %s is not connected to',
  async (address) => {
    const { send } = sender({ nameServers: [await nameServer(address)] });
    expect(await send(new URL('https://hooks.test/'), message, never)).toEqual({
      outcome: 'failed',
      error: 'its address is on this machine or in a private network',
    });
  },
);

test('a name server that never answers is waited for no longer than an attempt takes', async () => {
  const { send } = sender({ nameServers: [await nameServer()], timeoutMs: 300 });
  expect(await send(new URL('https://hooks.test/'), message, never)).toMatchObject({ outcome: 'failed' });
});

test('an address on this machine is not connected to, unless its origin is allowed', async () => {
  const receiver = await webhookReceiver();
  const refused = await sender().send(new URL(receiver.url), message, never);
  expect([refused.outcome, receiver.received.length]).toEqual(['failed', 0]);
  const allowed = sender({ allowedOrigins: [receiver.origin] });
  expect(await allowed.send(new URL(receiver.url), message, never)).toEqual({
    outcome: 'delivered',
    status: 200,
  });
});

test('a receiver that asks to be left alone for a while is heard', async () => {
  const receiver = await webhookReceiver((response) =>
    response.writeHead(429, { 'retry-after': '90' }).end(),
  );
  const { send } = sender({ allowedOrigins: [receiver.origin] });
  expect(await send(new URL(receiver.url), message, never)).toEqual({
    outcome: 'failed',
    status: 429,
    retryAfterMs: 90_000,
  });
});

test('a receiver that names a moment is heard by its own clock', async () => {
  const receiver = await webhookReceiver((response) =>
    response
      .writeHead(503, {
        date: 'Tue, 01 Jan 2030 12:00:00 GMT',
        'retry-after': 'Tue, 01 Jan 2030 12:01:30 GMT',
      })
      .end(),
  );
  const { send } = sender({ allowedOrigins: [receiver.origin] });
  expect(await send(new URL(receiver.url), message, never)).toMatchObject({ retryAfterMs: 90_000 });
});

test('a receiver that does not answer in time, hangs up or is not there has failed', async () => {
  const silent = await webhookReceiver(() => undefined);
  const rude = await webhookReceiver((response) => response.destroy());
  const trickling = await webhookReceiver((response) => void response.write('.'));
  const foreign = await webhookReceiver((response) => void response.socket?.end('220 mail.example.com\r\n'));
  const receivers = [silent, rude, trickling, foreign];
  const allowedOrigins = [...receivers.map(({ origin }) => origin), 'http://127.0.0.1:1'];
  const { send } = sender({ allowedOrigins, timeoutMs: 300 });
  const errorOf = async (url: string) => (await send(new URL(url), message, never)).error;
  expect(await errorOf(silent.url)).toBe('no answer within 0.3 s');
  expect(await errorOf(trickling.url)).toBe('no answer within 0.3 s');
  expect(await errorOf(rude.url)).toMatch(/^the connection failed/);
  expect(await errorOf(foreign.url)).toBe('the connection failed');
  expect(await errorOf('http://127.0.0.1:1/')).toBe('the connection failed (ECONNREFUSED)');
});

test('of a long answer only the beginning is read', async () => {
  let written = 0;
  const receiver = await webhookReceiver((response) => {
    const more = () => {
      while (!response.destroyed && written < 1e9) {
        written += 65_536;
        if (!response.write(Buffer.alloc(65_536))) return void response.once('drain', more);
      }
    };
    more();
  });
  const { send } = sender({ allowedOrigins: [receiver.origin] });
  expect(await send(new URL(receiver.url), message, never)).toMatchObject({ status: 200 });
  expect(written).toBeLessThan(1e8);
});

test('an attempt ends with its signal', async () => {
  const receiver = await webhookReceiver(() => undefined);
  const controller = new AbortController();
  const { send } = sender({ allowedOrigins: [receiver.origin] });
  const sending = send(new URL(receiver.url), message, controller.signal);
  await receiver.next();
  controller.abort(new Error('closing'));
  await expect(sending).rejects.toThrow('closing');
});
