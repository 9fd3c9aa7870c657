import { expect, test } from 'vitest';
import { startService } from './support/service-process.ts';
import { testStorage } from './support/storage.ts';

async function warns(env: Readonly<Record<string, string>>): Promise<boolean> {
  const service = startService(await testStorage(), env);
  await service.url();
  return service.output().includes('set PUBLIC_BASE_URL');
}

test('a service that takes callers from everywhere warns at its start where it knows no address of its own', async () => {
  expect(await warns({ SERVICE_HOST: '0.0.0.0' })).toBe(true);
  expect(await warns({ SERVICE_HOST: '0.0.0.0', PUBLIC_BASE_URL: 'https://pictures.example' })).toBe(false);
  expect(await warns({ SERVICE_HOST: '127.0.0.1' })).toBe(false);
});
