import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { fixtureFile, settingsOf } from './fixture.ts';

/** The fixture's has not the form of those that Discord gives. */
const TOKEN = `${Buffer.from('300000000000000001').toString('base64')}.a-token.of-no-bot`;

test.each(['env', 'env.example'] as const)('%s of 0.1.0 means what it meant', async (name) => {
  const env = parseEnv((await fixtureFile(name)).toString());
  const token = env.DISCORD_TOKEN ? { DISCORD_TOKEN: TOKEN } : {};
  expect(loadConfig({ ...env, ...token })).toMatchObject({ ...(await settingsOf(name)), ...token });
});
