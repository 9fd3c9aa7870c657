import { createServer, type Socket } from 'node:net';
import { listen } from '@darkroom/testing';
import { systemClock } from '@darkroom/time';
import { Agent, buildConnector } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { createExchange } from '../../../src/engines/hosted/exchange.ts';
import { createFakeOpenai, OPENAI_KEY } from '../../support/fake-openai.ts';

/** An exchange, and the connection that it has opened. */
function exchangeWorld() {
  let connection: Socket | undefined;
  const connect = buildConnector({});
  const dispatcher = new Agent({
    connect: (target, done) =>
      connect(target, (...result) => {
        connection = result[1] ?? undefined;
        done(...result);
      }),
  });
  onTestFinished(() => dispatcher.destroy());
  const exchange = createExchange({ dispatcher, clock: systemClock });
  const headers = { authorization: `Bearer ${OPENAI_KEY}` };
  const ask = (url: string) => exchange.fetch(url, { method: 'POST', headers, body: '{}' });
  return { exchange, ask, connection: () => connection };
}

test.each(['EHOSTUNREACH', 'ENETUNREACH', 'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC'])(
  'a picture that was asked for before its connection broke (%s) may be charged',
  async (code) => {
    const openai = await createFakeOpenai();
    openai.answer('silence');
    const { exchange, ask, connection } = exchangeWorld();
    const asked = ask(`${openai.baseUrl}/images/generations`);
    await openai.request();
    connection()?.destroy(Object.assign(new Error('the connection broke'), { code }));
    await expect(asked).rejects.toThrow();
    expect(exchange.standing()).toBe('sent');
  },
);

test('a connection that is cut before it is secure has asked for nothing', async () => {
  const server = createServer((socket) => socket.destroy());
  onTestFinished(() => void server.close());
  const { exchange, ask } = exchangeWorld();
  await expect(ask(`https://127.0.0.1:${await listen(server)}/images`)).rejects.toThrow();
  expect(exchange.standing()).toBe('unsent');
});
