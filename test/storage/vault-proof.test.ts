import { createVault, type VaultKeys } from '@darkroom/storage';
import { createFakeClock } from '@darkroom/testing';
import { expect, test } from 'vitest';
import { createCredentials } from '../../src/credentials/credentials.ts';
import { sealedKeys } from '../../src/credentials/linked-key.ts';
import { proveVault } from '../../src/storage/vault-proof.ts';
import { createStoreWorld } from '../support/store.ts';

const OLD = 'a1'.repeat(32);
const NEW = 'b2'.repeat(32);

async function createProofWorld() {
  const { store, log, sql } = await createStoreWorld();
  return {
    sql,
    start: (...keys: VaultKeys) => proveVault({ store, vault: createVault(keys) }, [sealedKeys]),
    async linkKey(...keys: VaultKeys) {
      const vault = createVault(keys);
      const credentials = createCredentials({
        store,
        vault,
        clock: createFakeClock(),
        log,
        operatorKey: undefined,
      });
      const key = { apiKey: `sk-${'1'.repeat(48)}`, username: 'ada', visibleIn: [] };
      await credentials.link({ kind: 'member', id: '200000000000000001' }, key);
    },
  };
}

test('a store is opened again with the secret that it had, and with no other', async () => {
  const { start } = await createProofWorld();
  await start(OLD);
  await start(OLD);
  await expect(start(NEW)).rejects.toThrow(/does not open with this secret\. Put back .* vault -- reset/s);
  await start(OLD);
});

test('the old secret can go once a start had the new one before it', async () => {
  const { start } = await createProofWorld();
  await start(OLD);
  await start(NEW, OLD);
  await start(NEW);
  await expect(start(OLD)).rejects.toThrow('does not open');
});

test('a store of an earlier version proves its secret by the keys in it', async () => {
  const { start, linkKey } = await createProofWorld();
  await linkKey(OLD);
  await expect(start(NEW)).rejects.toThrow('does not open');
  await start(OLD);
});

test('a row that was edited by hand keeps no bot from its start', async () => {
  const { start, linkKey, sql } = await createProofWorld();
  await linkKey(OLD);
  await sql(
    'INSERT INTO bot_rows (key, value) VALUES (\'keys:member:1\', \'{"value":{"sealed":"nonsense"}}\')',
  );
  await start(OLD);
});
