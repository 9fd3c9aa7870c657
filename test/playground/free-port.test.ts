import { createServer } from 'node:net';
import { listen } from '@darkroom/testing';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../src/playground/free-port.ts';

async function occupy(port = 0): Promise<number> {
  const server = createServer();
  const occupied = await listen(server, port);
  onTestFinished(() => void server.close());
  return occupied;
}

test('a taken port gives way to a later one that is free', async () => {
  const taken = await occupy();
  const found = await freePort('127.0.0.1', taken);
  expect(found).toBeGreaterThan(taken);
  expect(await occupy(found)).toBe(found);
});

test('0 stays 0: any port', async () => {
  expect(await freePort('127.0.0.1', 0)).toBe(0);
});

test('no port beyond the last one is tried', async () => {
  const last = await occupy(65_535).catch(() => 65_535);
  await expect(freePort('127.0.0.1', last)).rejects.toThrow('PLAYGROUND_PORT');
});
