import { failureOf } from '@darkroom/testing';
import { expect, test } from 'vitest';
import { createImageClient } from '../../src/client/client.ts';
import { createClientWorld } from '../support/image-client.ts';
import { A_KEY } from '../support/polite-service.ts';

test('a call after close fails at once, says why, and is not tried again', async () => {
  const { client, service, clock } = await createClientWorld();
  await client.close();
  const apiKey = A_KEY;
  const calls = [
    () => client.balance({ apiKey }),
    () => client.submit({ prompt: 'a fox' }, { apiKey }),
    () => client.download(`${service.baseUrl}/pictures/1.png`),
    () => client.ping(),
  ];
  for (const call of calls) {
    expect(await failureOf(call())).toMatchObject({
      kind: 'unreachable',
      code: 'client_closed',
      message: expect.stringMatching(/^(GET|POST) \S+ was not sent: this client is closed$/),
    });
  }
  expect(clock.sleeps).toEqual([]);
  expect(service.requests()).toEqual([]);
});

test.each([
  [undefined, 'its type is undefined'],
  [null, 'its type is null'],
  [new URL('https://someone:secret@images.example.com'), 'its type is object'],
  ['images.example.com', 'what was given is none'],
  ['ftp://images.example.com', 'what was given is none'],
  ['http://', 'what was given is none'],
  ['https://images.example.com/v1?version=2', 'leave out what begins with ? or #'],
  ['https://images.example.com/#', 'leave out what begins with ? or #'],
  ['https://someone:secret@images.example.com', 'leave out the user and the password, as only keys are sent'],
  ['https://someone@images.example.com/v1', 'leave out the user and the password, as only keys are sent'],
])('a client of %j says what it needs', (baseUrl, given) => {
  // As a program in JavaScript would.
  expect(() => createImageClient({ baseUrl: baseUrl as string })).toThrow(
    new TypeError(`baseUrl has to be an address such as https://images.example.com: ${given}`),
  );
});
