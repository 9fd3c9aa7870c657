import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { fixtureFile, settingsOf } from './fixture.ts';

test.each(['env', 'env.example'] as const)('%s of 0.1.0 means what it meant', async (name) => {
  const env = parseEnv((await fixtureFile(name)).toString());
  expect(loadConfig(env)).toMatchObject(await settingsOf(name));
});
