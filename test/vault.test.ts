import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { UserError } from '../src/errors.ts';
import { createVault, openVault, readOrMakeKeyFile } from '../src/vault.ts';

const OLD = 'a1'.repeat(32);
const NEW = 'b2'.repeat(32);
const anyText = fc.string({ unit: 'binary' });

async function keyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-vault-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test('what is sealed opens in its own context, and does not stand there in clear', () => {
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

test('it opens in no other context', () => {
  const vault = createVault([NEW]);
  fc.assert(
    fc.property(anyText, anyText, anyText, (secret, context, other) => {
      fc.pre(context !== other);
      expect(() => vault.open(vault.seal(secret, context), other)).toThrow();
    }),
  );
});

test('it opens with no other key', () => {
  const sealed = createVault([OLD]).seal('a secret', 'member:1');
  expect(() => createVault([NEW]).open(sealed, 'member:1')).toThrow(/SECRET_KEY does not hold the key/);
});

test('the same secret is sealed differently every time', () => {
  const vault = createVault([NEW]);
  expect(vault.seal('a secret', 'member:1')).not.toBe(vault.seal('a secret', 'member:1'));
});

test('one flipped bit anywhere in it is noticed', () => {
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

test('text that was never sealed does not open, and the error does not repeat it', () => {
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

test('a vault without keys has the one of its folder, and one with keys makes no file', async () => {
  const folder = await keyFolder();
  const sealed = (await openVault([NEW], folder)).seal('a secret', 'member:1');
  expect(await readdir(folder)).toEqual([]);
  const kept = (await openVault(undefined, folder)).seal('a secret', 'member:1');
  expect(await readdir(folder)).toEqual(['secret.key']);
  const opened = await openVault(undefined, folder);
  expect(opened.open(kept, 'member:1')).toBe('a secret');
  expect(() => opened.open(sealed, 'member:1')).toThrow();
});

test('a key file is made once, readable by its owner only', async () => {
  const path = join(await keyFolder(), 'deeper', 'secret.key');
  const key = await readOrMakeKeyFile(path);
  expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readOrMakeKeyFile(path)).toBe(key);
  expect(createVault([key]).open(createVault([key]).seal('x', 'y'), 'y')).toBe('x');
});

test('whoever makes a key file at the same moment finds the same whole key, and nothing else is left', async () => {
  const folder = await keyFolder();
  const path = join(folder, 'secret.key');
  const keys = await Promise.all(Array.from({ length: 20 }, () => readOrMakeKeyFile(path)));
  expect(new Set(keys)).toEqual(new Set([(await readFile(path, 'utf8')).trim()]));
  expect(await readdir(folder)).toEqual(['secret.key']);
});

test('a disk that is full while a key file is made leaves nothing behind, and the next start makes one', async () => {
  const folder = await keyFolder();
  const path = join(folder, 'secret.key');
  const make = 'import(process.argv[1]).then((vault) => vault.readOrMakeKeyFile(process.argv[2]))';
  const vault = fileURLToPath(new URL('../dist/src/vault.js', import.meta.url));
  // A process whose files may hold nothing fares as on a full disk.
  const full = ['-c', 'ulimit -f 0; exec "$0" "$@"', process.execPath, '-e', make, vault, path];
  await expect(promisify(execFile)('sh', full)).rejects.toThrow('UserError: The key file');
  expect(await readdir(folder)).toEqual([]);
  expect(await readOrMakeKeyFile(path)).toMatch(/^[0-9a-f]{64}$/);
});

test('a key file that cannot be made is refused with one sentence that names it', async () => {
  const path = join(await keyFolder(), 'a-file');
  await writeFile(path, '');
  const refused = readOrMakeKeyFile(join(path, 'secret.key'));
  await expect(refused).rejects.toBeInstanceOf(UserError);
  await expect(refused).rejects.toThrow(`The key file ${path}/secret.key can be neither read nor made: `);
});

test('a damaged key file is neither used nor overwritten, and not repeated in the error', async () => {
  const path = join(await keyFolder(), 'secret.key');
  await writeFile(path, 'not-a-key');
  const refused = readOrMakeKeyFile(path);
  await expect(refused).rejects.toBeInstanceOf(UserError);
  await expect(refused).rejects.toThrow(/does not hold 64 hex characters; restore it/);
  await expect(refused).rejects.not.toThrow(/not-a-key/);
  expect(await readFile(path, 'utf8')).toBe('not-a-key');
});
