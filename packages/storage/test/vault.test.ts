import { readdir } from 'node:fs/promises';
import { anyCodePoint, temporaryFolder, watchFlushes } from '@darkroom/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createVault, openVault } from '../src/vault.ts';

const OLD = 'a1'.repeat(32);
const NEW = 'b2'.repeat(32);
const anyText = fc.string({ unit: anyCodePoint });

test('a sealed secret opens in its own context and is not readable without the key', () => {
  const vault = createVault([NEW]);
  fc.assert(
    fc.property(anyText, anyText, (secret, context) => {
      const sealed = vault.seal(secret, context);
      expect(vault.open(sealed, context)).toBe(secret);
      expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]+$/);
      if (secret.length > 8) expect(sealed).not.toContain(secret);
    }),
  );
});

test('it does not open in another context', () => {
  const vault = createVault([NEW]);
  fc.assert(
    fc.property(anyText, anyText, anyText, (secret, context, other) => {
      fc.pre(context !== other);
      expect(() => vault.open(vault.seal(secret, context), other)).toThrow();
    }),
  );
});

test('it does not open with another key', () => {
  const sealed = createVault([OLD]).seal('a secret', 'member:1');
  expect(() => createVault([NEW]).open(sealed, 'member:1')).toThrow(/SECRET_KEY does not hold the key/);
});

test('the same secret is sealed differently every time', () => {
  const vault = createVault([NEW]);
  expect(vault.seal('a secret', 'member:1')).not.toBe(vault.seal('a secret', 'member:1'));
});

test('a single flipped bit is detected', () => {
  const vault = createVault([NEW]);
  fc.assert(
    fc.property(anyText, fc.nat(), fc.integer({ min: 0, max: 7 }), (secret, at, bit) => {
      const [version, id, text = ''] = vault.seal(secret, 'member:1').split('.');
      const bytes = Buffer.from(text, 'base64url');
      const index = at % bytes.length;
      bytes.writeUInt8(bytes.readUInt8(index) ^ (1 << bit), index);
      const altered = [version, id, bytes.toString('base64url')].join('.');
      expect(() => vault.open(altered, 'member:1')).toThrow();
    }),
  );
});

test('a text that was never sealed does not open, and the error does not repeat it', () => {
  const vault = createVault([NEW]);
  const [version, id, text = ''] = vault.seal('a secret', 'member:1').split('.');
  const cut = [version, id, text.slice(0, 20)].join('.');
  for (const wrong of ['', 'plain.secret.text', `v2.${id}.${text}`, `${version}.${id}.`, cut]) {
    expect(() => vault.open(wrong, 'member:1')).toThrow(/^(?!.*secret\.text)/);
  }
});

test('after a rotation the new key seals and the old one still opens', () => {
  const before = createVault([OLD]).seal('a secret', 'member:1');
  const rotated = createVault([NEW, OLD]);
  expect(rotated.open(before, 'member:1')).toBe('a secret');
  expect(rotated.isStale(before)).toBe(true);
  const after = rotated.seal('a secret', 'member:1');
  expect(rotated.isStale(after)).toBe(false);
  expect(createVault([NEW]).open(after, 'member:1')).toBe('a secret');
});

test('a vault without keys uses the key file of its folder; a vault with keys creates no file', async () => {
  const folder = await temporaryFolder();
  const sealed = (await openVault([NEW], folder)).seal('a secret', 'member:1');
  expect(await readdir(folder)).toEqual([]);
  const kept = (await openVault(undefined, folder)).seal('a secret', 'member:1');
  expect(await readdir(folder)).toEqual(['secret.key']);
  const opened = await openVault(undefined, folder);
  expect(opened.open(kept, 'member:1')).toBe('a secret');
  expect(() => opened.open(sealed, 'member:1')).toThrow();
});

test('the key file of a vault keeps its name where the machine loses power', async () => {
  const folder = await temporaryFolder();
  const flushed = await watchFlushes(folder);
  await openVault(undefined, folder);
  expect(flushed.at(-1)).toBe('folder: secret.key');
});
