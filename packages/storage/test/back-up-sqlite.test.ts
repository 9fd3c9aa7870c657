import fs, { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { failRenames, pretendWindows, temporaryFolder, watchFlushes } from '@darkroom/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openSqlite, restoreSqlite, writeNewFile } from '../src/index.ts';

const refusalOf = (code: string) => Object.assign(new Error(`${code}: not flushed`), { code });

async function backUpIn(folder: string): Promise<string> {
  const file = join(folder, 'backup');
  await writeNewFile(file, (partial) => writeFile(partial, 'a fox'));
  return file;
}

test('a backup keeps its name where the machine loses power', async () => {
  const folder = await temporaryFolder();
  const flushed = await watchFlushes(folder);
  await backUpIn(folder);
  expect(flushed).toEqual(['file: backup.partial', 'folder: backup']);
});

test('a backup whose folder cannot be flushed is there, and that its name may be lost is said', async () => {
  const folder = await temporaryFolder();
  await watchFlushes(folder, { refusal: refusalOf('EIO') });
  await expect(backUpIn(folder)).rejects.toMatchObject({
    name: 'OperatorError',
    message: `${join(folder, 'backup')} is written, and whole, but a loss of power may take its name: its folder could not be flushed (EIO: not flushed). Look at that disk.`,
  });
  expect(await readdir(folder)).toEqual(['backup']);
  expect(await readFile(join(folder, 'backup'), 'utf8')).toBe('a fox');
});

test('a file system that flushes no folder keeps backups', async () => {
  const folder = await temporaryFolder();
  await watchFlushes(folder, { refusal: refusalOf('EINVAL') });
  expect(await readFile(await backUpIn(folder), 'utf8')).toBe('a fox');
});

test('Windows, which lets nobody flush a folder, keeps backups; elsewhere that is said', async () => {
  const folder = await temporaryFolder();
  await watchFlushes(folder, { refusal: refusalOf('EPERM') });
  await expect(backUpIn(folder)).rejects.toThrow('its folder could not be flushed (EPERM: not flushed)');
  await rm(join(folder, 'backup'));
  pretendWindows();
  expect(await readFile(await backUpIn(folder), 'utf8')).toBe('a fox');
});

test('a backup gets its name on Windows although somebody looks at the file for a moment; elsewhere that is said', async () => {
  const folder = await temporaryFolder();
  failRenames(3, 'EPERM');
  await expect(backUpIn(folder)).rejects.toThrow('EPERM');
  pretendWindows();
  expect(await readFile(await backUpIn(folder), 'utf8')).toBe('a fox');
  await rm(join(folder, 'backup'));
  failRenames(Number.POSITIVE_INFINITY, 'EBUSY');
  await expect(backUpIn(folder)).rejects.toThrow('EBUSY');
});

test('a backup that cannot be flushed is none, and nothing is left of it', async () => {
  const folder = await temporaryFolder();
  await watchFlushes(folder, { refusal: refusalOf('EINVAL'), refused: 'file' });
  await expect(backUpIn(folder)).rejects.toThrow('EINVAL');
  expect(await readdir(folder)).toEqual([]);
});

test('an SQLite file that somebody writes to while it is copied is refused, not mixed of two states', async () => {
  const folder = await temporaryFolder();
  const [from, to] = [join(folder, 'used.sqlite'), join(folder, 'restored.sqlite')];
  const used = openSqlite(from, { timeoutMs: 0 });
  onTestFinished(() => used.close());
  used.exec('PRAGMA journal_mode = WAL; CREATE TABLE notes (text TEXT); CREATE TABLE others (text TEXT)');
  used.exec("PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO notes VALUES ('a fox')");
  const { copyFile } = fs.promises;
  const copying = vi.spyOn(fs.promises, 'copyFile').mockImplementation(async (...given) => {
    await copyFile(...given);
    used.exec("PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO others VALUES ('an owl')");
  });
  const restore = () => restoreSqlite(from, to, { table: 'notes', before: async () => undefined });
  syncBuiltinESMExports();
  onTestFinished(syncBuiltinESMExports);
  onTestFinished(() => copying.mockRestore());
  await expect(restore()).rejects.toThrow(
    `${from} cannot be restored: somebody writes to it now. A backup can be made of it meanwhile, and restored.`,
  );
  expect(existsSync(to)).toBe(false);
  copying.mockImplementation(copyFile);
  await restore();
  const restored = openSqlite(to, { timeoutMs: 0 });
  onTestFinished(() => restored.close());
  expect(restored.prepare('SELECT text FROM notes').all()).toEqual([{ text: 'a fox' }]);
});
