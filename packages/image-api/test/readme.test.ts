import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installPacked, requiredNames, runReadmeExample } from '@darkroom/testing';
import { expect, test } from 'vitest';
import { SERVICE_ERROR_KINDS, ServiceError } from '../src/service-error.ts';
import { createHostileService } from './support/hostile-service.ts';
import { A_KEY, A_PNG } from './support/polite-service.ts';

const README = new URL('../README.md', import.meta.url);

/** Runs the example against a service, in `folder` where given, and looks at what both of them have in the end. */
async function expectExampleToWork(folder?: string) {
  const service = await createHostileService();
  const startedAt = Date.now();
  const ran = await runReadmeExample(
    README,
    { IMAGE_API_URL: service.baseUrl, IMAGE_API_KEY: A_KEY },
    folder,
  );
  expect(await readFile(join(ran.folder, 'fox.png'))).toEqual(A_PNG);
  expect(Date.now() - startedAt, 'two waits of 2.5 s').toBeGreaterThanOrEqual(4_900);
  const routes = service.requests().map(({ route }) => route);
  expect(routes).toEqual(['submit', 'status', 'status', 'status', 'picture']);
}

test('the example of the README submits, polls and downloads', () => expectExampleToWork());

test('it does so as well where the package was installed as the README says, also for require', async (context) => {
  const folder = await installPacked(README, context);
  await expectExampleToWork(folder);
  expect(await requiredNames('@darkroom/image-api', folder)).toContain('createImageClient');
});

test('the README has a row for every kind of error, with what it means for another attempt', async () => {
  const page = await readFile(README, 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z-]+)` +\|[^|]+\| *(yes)? *\| *(yes)? *\|$/gm)];
  expect(rows.map(([, kind]) => kind).sort()).toEqual([...SERVICE_ERROR_KINDS].sort());
  for (const [, kind, retryable, unclear] of rows) {
    const known = SERVICE_ERROR_KINDS.find((candidate) => candidate === kind) ?? 'protocol';
    const error = new ServiceError(known, '');
    expect([kind, retryable === 'yes', unclear === 'yes']).toEqual([kind, error.retryable, error.unclear]);
  }
});
