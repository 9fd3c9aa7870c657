import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { createNameLookup } from '../../src/outbound/name-lookup.ts';
import { nameServer } from '../support/name-server.ts';

test('a look-up asks the name servers that there are by then', async () => {
  const servers = [await nameServer('192.0.2.1')];
  const { lookup, close } = createNameLookup(servers);
  onTestFinished(close);
  const found = () => promisify(lookup)('pictures.example', {});
  expect(await found()).toEqual([{ address: '192.0.2.1', family: 4 }]);
  servers[0] = await nameServer('192.0.2.2');
  expect(await found()).toEqual([{ address: '192.0.2.2', family: 4 }]);
});

test('one that is under way ends with the agent', async () => {
  const { lookup, close } = createNameLookup([await nameServer()]);
  const found = promisify(lookup)('pictures.example', {});
  close();
  await expect(found).rejects.toThrow('ECANCELLED');
});
