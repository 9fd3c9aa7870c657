import { silentLog } from '@darkroom/testing';
import { onTestFinished } from 'vitest';
import { loadServiceConfig } from '../../src/config.ts';
import { openService } from '../../src/open-service.ts';
import { testStorage } from './storage.ts';

/** The service that an operator gets by these environment variables, asked for a fox; closes with the test. */
export async function serviceBySettings(settings: Readonly<Record<string, string>>) {
  const { databaseUrl: SERVICE_DATABASE_URL, folder } = await testStorage();
  const config = loadServiceConfig({ SERVICE_DATABASE_URL, SERVICE_PORT: '0', ...settings });
  const { service, url } = await openService(config, { log: silentLog() });
  onTestFinished(service.close);
  const { id } = await service.accounts.add('ann', { amount: 100_000 });
  const headers = { 'x-api-key': await service.keys.generate(id), 'content-type': 'application/json' };
  const ask = (path: string, init: RequestInit = {}): Promise<string> =>
    fetch(`${url}${path}`, { headers, ...init }).then((answer) => answer.text());
  const body = JSON.stringify({ prompt: 'a fox' });
  await ask('/v1/index.php?endpoint=image_generation', { method: 'POST', body });
  return { folder, ask };
}
