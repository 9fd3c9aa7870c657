import { execFile } from 'node:child_process';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { OperatorError } from '@darkroom/process';
import { temporaryFolder, watchFlushes } from '@darkroom/testing';
import { expect, test } from 'vitest';
import { readOrCreateKeyFile } from '../src/key-file.ts';
import { createVault } from '../src/vault.ts';

test('a key file is created once, readable by its owner only', async () => {
  const path = join(await temporaryFolder(), 'deeper', 'secret.key');
  const key = await readOrCreateKeyFile(path);
  expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readOrCreateKeyFile(path)).toBe(key);
  expect(createVault([key]).open(createVault([key]).seal('x', 'y'), 'y')).toBe('x');
});

test('processes that create the key file at the same moment all get the same key, and no other file is left', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'secret.key');
  const keys = await Promise.all(Array.from({ length: 20 }, () => readOrCreateKeyFile(path)));
  expect(new Set(keys)).toEqual(new Set([(await readFile(path, 'utf8')).trim()]));
  expect(await readdir(folder)).toEqual(['secret.key']);
});

test('a disk that is full while the key file is created leaves nothing behind, and the next start creates it', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'secret.key');
  const create =
    'import(process.argv[1]).then(({ readOrCreateKeyFile }) => readOrCreateKeyFile(process.argv[2]))';
  const module = fileURLToPath(new URL('../dist/key-file.js', import.meta.url));
  // A process whose files may hold nothing fares as on a full disk.
  const full = ['-c', 'ulimit -f 0; exec "$0" "$@"', process.execPath, '-e', create, module, path];
  await expect(promisify(execFile)('sh', full)).rejects.toThrow('OperatorError: The key file');
  expect(await readdir(folder)).toEqual([]);
  expect(await readOrCreateKeyFile(path)).toMatch(/^[0-9a-f]{64}$/);
});

test('a key file that cannot be created is an error for the operator that names it', async () => {
  const path = join(await temporaryFolder(), 'a-file');
  await writeFile(path, '');
  const refused = readOrCreateKeyFile(join(path, 'secret.key'));
  await expect(refused).rejects.toBeInstanceOf(OperatorError);
  await expect(refused).rejects.toThrow(`The key file ${path}/secret.key can be neither read nor created: `);
});

test('a key file whose folder cannot be flushed is there, and that is said', async () => {
  const path = join(await temporaryFolder(), 'secret.key');
  await watchFlushes(join(path, '..'), { refusal: new Error('EIO') });
  await expect(readOrCreateKeyFile(path)).rejects.toThrow(/^\S+secret.key is written, and whole, but .*EIO/);
  expect(await readOrCreateKeyFile(path)).toMatch(/^[0-9a-f]{64}$/);
});

test('a damaged key file is neither used nor overwritten, and not repeated in the error', async () => {
  const path = join(await temporaryFolder(), 'secret.key');
  await writeFile(path, 'not-a-key');
  const refused = readOrCreateKeyFile(path);
  await expect(refused).rejects.toBeInstanceOf(OperatorError);
  await expect(refused).rejects.toThrow(/does not hold 64 hex characters; restore it/);
  await expect(refused).rejects.not.toThrow(/not-a-key/);
  expect(await readFile(path, 'utf8')).toBe('not-a-key');
});
