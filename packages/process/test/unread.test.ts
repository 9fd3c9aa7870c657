import { expect, test } from 'vitest';
import { unreadSettings } from '../src/unread.ts';

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
  expect(unreadSettings({ [name]: '1' }, KNOWN)).toEqual([
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
  expect(unreadSettings(Object.fromEntries(foreign.map((name) => [name, '1'])), KNOWN)).toEqual([]);
});

test('a port that Kubernetes says of a Service, and nobody set, is told with what keeps it away', () => {
  const env = {
    HTTP_PORT: ' tcp://10.0.0.1:80',
    PLAYGROUND_PORT: '4280',
    KUBERNETES_PORT: 'tcp://10.0.0.2:443',
  };
  expect(unreadSettings(env, KNOWN)).toEqual([
    'HTTP_PORT is not read: Kubernetes has set it, for a Service of that name. Set it in the pod yourself, or put enableServiceLinks: false there.',
  ]);
});

test('beside the setting itself another name is no mistake, and an empty variable is none', () => {
  expect(unreadSettings({ DISCORD_TOKEN: 'a', DISCORD_TOKEN2: 'b' }, KNOWN)).toEqual([]);
  expect(unreadSettings({ DISCORD_TOKN: '' }, KNOWN)).toEqual([]);
});
