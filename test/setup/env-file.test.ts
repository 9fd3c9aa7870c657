import { chown, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { failRenames, pretendWindows, temporaryFolder, watchFlushes } from '@darkroom/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wordsIn } from '../../src/operator/words/words.ts';
import { backupOf, openEnvFile, withSettings } from '../../src/setup/env-file.ts';

async function fileWith(text?: string): Promise<string> {
  const folder = await temporaryFolder();
  const path = join(folder, '.env');
  if (text !== undefined) await writeFile(path, text, { mode: 0o644 });
  return path;
}

const FORMER = `# Ours
COMFYUI_URL=http://127.0.0.1:8188   # the tower
export LOG_LEVEL='debug'

SERVICE_PRICES='{
  "default": 1
}'
# The end
`;

test('a setting is changed in its line, a new one comes last, and everything else stays', async () => {
  const path = await fileWith(FORMER);
  const file = await openEnvFile(path, wordsIn('en'));
  await file.set({ LOG_LEVEL: 'warn', DISCORD_TOKEN: 'a.b.c' });
  expect(await readFile(path, 'utf8')).toBe(
    `${FORMER.replace("export LOG_LEVEL='debug'", 'LOG_LEVEL=warn')}DISCORD_TOKEN=a.b.c\n`,
  );
  expect(file.get('LOG_LEVEL')).toBe('warn');
});

test('on Windows it is replaced although a virus scanner looks at it for a moment', async () => {
  pretendWindows();
  failRenames(2, 'EACCES');
  const path = await fileWith(FORMER);
  await (await openEnvFile(path, wordsIn('en'))).set({ LOG_LEVEL: 'warn' });
  expect(await readFile(path, 'utf8')).toContain('LOG_LEVEL=warn');
});

test('a file with the line ends of Windows is read, and keeps them', async () => {
  const path = await fileWith(FORMER.replaceAll('\n', '\r\n'));
  const file = await openEnvFile(path, wordsIn('en'));
  expect(file.get('LOG_LEVEL')).toBe('debug');
  await file.set({ LOG_LEVEL: 'warn' });
  const changed = FORMER.replace("export LOG_LEVEL='debug'", 'LOG_LEVEL=warn');
  expect(await readFile(path, 'utf8')).toBe(changed.replaceAll('\n', '\r\n'));
});

test('a mark of the byte order is no part of the first setting', async () => {
  const path = await fileWith('\uFEFFLOG_LEVEL=debug\nSHARDS=2\n');
  const file = await openEnvFile(path, wordsIn('en'));
  expect(file.get('LOG_LEVEL')).toBe('debug');
  await file.set({ SHARDS: '3' });
  expect(file.settings()).toEqual({ LOG_LEVEL: 'debug', SHARDS: '3' });
  await file.set({ LOG_LEVEL: 'warn' });
  expect(await readFile(path, 'utf8')).toBe('LOG_LEVEL=warn\nSHARDS=3\n');
});

test('a value with a $ is written so that Compose takes it as it is', () => {
  expect(withSettings('', { HOSTED_API_KEY: 'pa$word' })).toContain("HOSTED_API_KEY='pa$word'\n");
});

test('a value of several lines is replaced whole', async () => {
  const path = await fileWith(FORMER);
  const file = await openEnvFile(path, wordsIn('en'));
  await file.set({ SERVICE_PRICES: '{"default":2}' });
  const text = await readFile(path, 'utf8');
  expect(parseEnv(text)).toEqual({
    COMFYUI_URL: 'http://127.0.0.1:8188',
    LOG_LEVEL: 'debug',
    SERVICE_PRICES: '{"default":2}',
  });
  expect(text).toContain('# The end');
});

test('what is written is its owner’s alone, and so is the copy of the file as it was', async () => {
  const path = await fileWith(FORMER);
  const file = await openEnvFile(path, wordsIn('en'));
  await file.set({ LOG_LEVEL: 'warn' });
  await file.set({ LOG_LEVEL: 'error' });
  expect(await readFile(backupOf(path), 'utf8')).toBe(FORMER);
  for (const name of [path, backupOf(path)]) expect((await stat(name)).mode & 0o777).toBe(0o600);
  expect((await readdir(join(path, '..'))).sort()).toEqual(['.env', '.env.bak']);
});

test.runIf(process.getuid?.() === 0)('whose file it was, theirs it is', async () => {
  const path = await fileWith(FORMER);
  await chown(path, 1234, 4321);
  const file = await openEnvFile(path, wordsIn('en'));
  await file.set({ LOG_LEVEL: 'warn' });
  for (const written of [path, backupOf(path)])
    expect(await stat(written)).toMatchObject({ uid: 1234, gid: 4321 });
});

test('a link stays one, and the file behind it is changed', async () => {
  const path = await fileWith();
  const elsewhere = await fileWith(FORMER);
  await symlink(elsewhere, path);
  const file = await openEnvFile(path, wordsIn('en'));
  await file.set({ LOG_LEVEL: 'warn' });
  expect(await readlink(path)).toBe(elsewhere);
  expect(await readFile(elsewhere, 'utf8')).toContain('LOG_LEVEL=warn');
});

test('what a killed run has left behind is in nobody’s way', async () => {
  const path = await fileWith(FORMER);
  await writeFile(`${path}.${process.pid}`, '');
  await (await openEnvFile(path, wordsIn('en'))).set({ LOG_LEVEL: 'warn' });
  expect(await readFile(path, 'utf8')).toContain('LOG_LEVEL=warn');
});

test('a file that is not there yet is made, and nothing is copied', async () => {
  const path = await fileWith();
  const file = await openEnvFile(path, wordsIn('en'));
  expect(file.get('LOG_LEVEL')).toBeUndefined();
  await file.set({ LOG_LEVEL: 'warn' });
  expect(parseEnv(await readFile(path, 'utf8'))).toEqual({ LOG_LEVEL: 'warn' });
  expect(file.hasBackup()).toBe(false);
});

test('what is set is written on a file system that flushes no folder', async () => {
  const path = await fileWith(FORMER);
  await watchFlushes(join(path, '..'), { refusal: Object.assign(new Error(), { code: 'EINVAL' }) });
  const file = await openEnvFile(path, wordsIn('en'));
  await file.set({ LOG_LEVEL: 'warn' });
  expect(file.get('LOG_LEVEL')).toBe('warn');
});

test('a file whose folder cannot be flushed is written, and that is said', async () => {
  const path = await fileWith();
  await watchFlushes(join(path, '..'), { refusal: new Error('EIO') });
  const file = await openEnvFile(path, wordsIn('de'));
  await expect(file.set({ LOG_LEVEL: 'warn' })).rejects.toThrow(/^\S+\.env ist ganz geschrieben; doch .*EIO/);
  expect(parseEnv(await readFile(path, 'utf8'))).toEqual({ LOG_LEVEL: 'warn' });
});

test('a line that is no setting is named, and the file stays as it is', async () => {
  const path = await fileWith('LOG_LEVEL=warn\nDISCORD_TOKEN a.b.c\n');
  await expect(openEnvFile(path, wordsIn('en'))).rejects.toThrow(/Line 2 of .*NAME=value/);
});

test('where the file cannot be written, a sentence says so, and it is as it was', async () => {
  const path = await fileWith(FORMER);
  const file = await openEnvFile(path, wordsIn('en'));
  await rm(join(path, '..'), { recursive: true });
  await expect(file.set({ LOG_LEVEL: 'warn' })).rejects.toThrow('cannot be written');
  expect(file.get('LOG_LEVEL')).toBe('debug');
});

test('whatever is set is read by Node as it was meant, and no other setting changes', () => {
  const name = fc.constantFrom('COMFYUI_URL', 'LOG_LEVEL', 'SERVICE_PRICES', 'NEW_ONE');
  // No line holds every kind of quotation mark at once, nor white space around a value without them.
  const value = fc.string({ unit: fc.constantFrom(...'ab1 #="\'{}:,$\\/.-') }).map((text) => text.trim());
  fc.assert(
    fc.property(name, value, (changed, to) => {
      const before = parseEnv(FORMER);
      expect(parseEnv(withSettings(FORMER, { [changed]: to }))).toEqual({ ...before, [changed]: to });
    }),
    // A mark alone, before a line with another one.
    { numRuns: 1_000, examples: [['COMFYUI_URL', "'"]] },
  );
});
