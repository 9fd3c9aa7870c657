import { expect, test } from 'vitest';
import { CONFIG_KEYS } from '../src/config.ts';
import { addressesInContainer } from '../src/container-host.ts';

/** compose.yaml says where these are in a container, or whoever asks from outside reaches them. */
const NOT_OF_CONTAINERS = [
  'DISCORD_API_URL',
  'STORE_URL',
  'SERVICE_DATABASE_URL',
  'PICTURES_URL',
  'PUBLIC_BASE_URL',
];

test('every setting that may name something on this machine is written as a container reaches it', () => {
  const addresses = CONFIG_KEYS.filter(
    (name) => /_(URL|ENDPOINT)$/.test(name) && !NOT_OF_CONTAINERS.includes(name),
  );
  expect(addresses).toContain('COMFYUI_URL');
  expect(addressesInContainer(() => 'http://127.0.0.1:8188')).toEqual(
    Object.fromEntries(addresses.map((name) => [name, 'http://host.docker.internal:8188'])),
  );
});
