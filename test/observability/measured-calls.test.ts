import { createImageClient, type ImageClient } from '@darkroom/image-api';
import { failureOf } from '@darkroom/testing';
import { expect, onTestFinished, test } from 'vitest';
import * as behave from '../../packages/image-api/test/support/behaviours.ts';
import { createClientWorld } from '../../packages/image-api/test/support/image-client.ts';
import { A_PNG } from '../../packages/image-api/test/support/polite-service.ts';
import { editingEngine } from '../../packages/image-service/test/support/engines.ts';
import { serviceWorld } from '../../packages/image-service/test/support/service.ts';
import { measureImages } from '../../src/observability/measured-calls.ts';
import { photograph } from '../support/picture-world.ts';

function measure(client: ImageClient) {
  const told: string[] = [];
  const images = measureImages(client, {
    serviceCall: (operation, result) => void told.push(`${operation}: ${result}`),
  });
  return { images, told };
}

test('what the service offers, a price and a picture that is brought are among the calls that are measured', async () => {
  const { url, key } = await serviceWorld({ engine: editingEngine() });
  const client = createImageClient({ baseUrl: url });
  onTestFinished(client.close);
  const { images, told } = measure(client);
  await images.capabilities({ apiKey: key });
  await images.dryRun({ prompt: 'a red fox' }, { apiKey: key });
  await images.upload((await photograph()).bytes, { apiKey: key });
  expect(told).toEqual(['capabilities: ok', 'dry_run: ok', 'upload: ok']);
});

test('a picture that is left because it is larger than its caller has room for is no failure', async () => {
  const { client, service } = await createClientWorld();
  service.script('picture', behave.bytes(A_PNG, 'image/png'));
  const { images, told } = measure(client);
  const left = await failureOf(images.download('/pictures/7.png', { maxBytes: 8 }));
  expect(left).toMatchObject({ kind: 'blocked' });
  await images.download('/pictures/7.png');
  expect(told).toEqual(['download: ok']);
});

test.each([undefined, 8])(
  'a picture larger than any is a failure, where its caller takes %s bytes',
  async (maxBytes) => {
    const { client, service } = await createClientWorld();
    const headers = { 'content-length': 2 ** 31 };
    service.script('picture', behave.bytes(A_PNG, 'image/png', { headers }));
    const { images, told } = measure(client);
    const failed = await failureOf(
      images.download('/pictures/7.png', maxBytes === undefined ? {} : { maxBytes }),
    );
    expect(failed).toMatchObject({ kind: 'blocked' });
    expect(told).toEqual(['download: blocked']);
  },
);
