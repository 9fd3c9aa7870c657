import { setTimeout as delay } from 'node:timers/promises';
import { failureOf } from '@darkroom/testing';
import { expect, test } from 'vitest';
import * as behave from '../support/behaviours.ts';
import { createClientWorld } from '../support/image-client.ts';
import { A_KEY, A_PNG } from '../support/polite-service.ts';

const UPLOADED = { id: 'ab12', width: 64, height: '32', bytes: 70, expires_at: '2030-01-02T12:00:00.000Z' };

test('an upload is one form with one file, again where the answer was lost', async () => {
  const { client, service } = await createClientWorld();
  service.script('upload', behave.reset(), behave.answer(UPLOADED));
  expect(await client.upload(A_PNG, { apiKey: A_KEY })).toEqual({
    id: 'ab12',
    width: 64,
    height: 32,
    bytes: 70,
    expiresAt: new Date('2030-01-02T12:00:00.000Z'),
    warnings: [],
  });
  const [first, second, ...others] = service.requests('upload');
  expect(others).toEqual([]);
  for (const request of [first, second]) {
    expect(request?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(request?.body.match(/content-disposition:[^\r]+/gi)).toEqual([
      expect.stringContaining('name="file"'),
    ]);
  }
});

test('an upload has the time that a slow line takes for it', async () => {
  const { client, service } = await createClientWorld({ timeoutMs: 50 });
  service.script('upload', async (exchange) => {
    await delay(200);
    await behave.answer(UPLOADED)(exchange);
  });
  const megabytes = new Uint8Array(5 * 1024 ** 2);
  expect(await client.upload(megabytes, { apiKey: A_KEY })).toMatchObject({ id: 'ab12' });
});

test('a service that does not know uploads is not asked again', async () => {
  const { client, service } = await createClientWorld();
  const failure = await failureOf(client.upload(A_PNG, { apiKey: A_KEY }));
  expect(failure).toMatchObject({ kind: 'not-found' });
  expect(service.requests('upload')).toHaveLength(1);
});
