import { createImageClient } from '@darkroom/image-api';
import { expect, onTestFinished, test } from 'vitest';
import { editingEngine } from '../../packages/image-service/test/support/engines.ts';
import { serviceWorld } from '../../packages/image-service/test/support/service.ts';
import { measureImages } from '../../src/observability/measured-calls.ts';
import { photograph } from '../support/picture-world.ts';

test('what the service offers, a price and a picture that is brought are among the calls that are measured', async () => {
  const { url, key } = await serviceWorld({ engine: editingEngine() });
  const client = createImageClient({ baseUrl: url });
  onTestFinished(client.close);
  const told: string[] = [];
  const images = measureImages(client, {
    serviceCall: (operation, result) => void told.push(`${operation}: ${result}`),
  });
  await images.capabilities({ apiKey: key });
  await images.dryRun({ prompt: 'a red fox' }, { apiKey: key });
  await images.upload((await photograph()).bytes, { apiKey: key });
  expect(told).toEqual(['capabilities: ok', 'dry_run: ok', 'upload: ok']);
});
