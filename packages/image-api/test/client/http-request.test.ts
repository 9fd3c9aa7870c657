import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { USER_AGENT } from '../../src/client/http-request.ts';

test('the client names the version of the package', async () => {
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(USER_AGENT).toBe(`darkroom/${version} (node/${process.versions.node})`);
});
