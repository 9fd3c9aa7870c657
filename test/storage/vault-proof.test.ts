import { createVault, type VaultKeys } from '@darkroom/storage';
import { expect, test } from 'vitest';
import { proveStore } from '../../src/storage/vault-proof.ts';
import { createStoreWorld } from '../support/store.ts';

const OLD = 'a1'.repeat(32);
const NEW = 'b2'.repeat(32);

async function createProofWorld() {
  const { store } = await createStoreWorld();
  return { start: (...keys: VaultKeys) => proveStore({ store, vault: createVault(keys) }) };
}

test('a store is opened again with the secret that it had, and with no other', async () => {
  const { start } = await createProofWorld();
  await start(OLD);
  await start(OLD);
  await expect(start(NEW)).rejects.toThrow(
    /does not open with this secret\. Put back .* darkroom vault reset/s,
  );
  await start(OLD);
});

test('the old secret can go once a start had the new one before it', async () => {
  const { start } = await createProofWorld();
  await start(OLD);
  await start(NEW, OLD);
  await start(NEW);
  await expect(start(OLD)).rejects.toThrow('does not open');
});

test('of two secrets that a new store meets at once it takes one, and refuses the other', async () => {
  const { start } = await createProofWorld();
  const starts = await Promise.allSettled([start(OLD), start(NEW)]);
  expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const [taken, refused] = starts[0].status === 'fulfilled' ? [OLD, NEW] : [NEW, OLD];
  await start(taken);
  await expect(start(refused)).rejects.toThrow('does not open');
});
