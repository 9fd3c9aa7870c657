import { expect, test } from 'vitest';
import { misspeltSettings } from '../src/misspelt.ts';

const KNOWN = [
  'PLAYGROUND_PORT',
  'DISCORD_TOKEN',
  'STORE_URL',
  'IMAGE_API_KEY',
  'HTTP_PORT',
  'NODE_ENV',
  'SHARDS',
];

test.each([
  ['PLAYGROUND_PRT', 'PLAYGROUND_PORT'],
  ['PLAYGROUND_PROT', 'PLAYGROUND_PORT'],
  ['playground_port', 'PLAYGROUND_PORT'],
  ['DISCORD_TOKN', 'DISCORD_TOKEN'],
  ['DISCORDTOKEN', 'DISCORD_TOKEN'],
  ['STORE_ULR', 'STORE_URL'],
])('%s is told to be no setting, and that %s may be meant', (name, meant) => {
  expect(misspeltSettings({ [name]: '1' }, KNOWN)).toEqual([
    `${name} is no setting of Darkroom. Did you mean ${meant}?`,
  ]);
});

test('variables of other programs are not spoken of', () => {
  const foreign = [
    'HTTPS_PORT',
    'NODE_ENVS',
    'HTTP_HOST',
    'SHARD',
    'STORE',
    'STORE_URI2',
    'PATH',
    'API_KEY',
    'DISPLAY',
  ];
  expect(misspeltSettings(Object.fromEntries(foreign.map((name) => [name, '1'])), KNOWN)).toEqual([]);
});

test('beside the setting itself another name is no mistake, and an empty variable is none', () => {
  expect(misspeltSettings({ DISCORD_TOKEN: 'a', DISCORD_TOKEN2: 'b' }, KNOWN)).toEqual([]);
  expect(misspeltSettings({ DISCORD_TOKN: '' }, KNOWN)).toEqual([]);
});
