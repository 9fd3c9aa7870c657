import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf, OperatorError } from '@darkroom/process';
import { flushFile, flushName } from './flush.ts';
import { isMissing } from './is-missing.ts';
import { renameFile } from './rename-file.ts';
import { openSqlite } from './sqlite.ts';

/** How long a backup waits while somebody writes. */
const BUSY_TIMEOUT_MS = 30_000;

/**
 * Writes a file as a whole or not at all, readable by its owner only; `write` gets the path to write to. Throws
 * `OperatorError` where `file` is there already, unless it `replaces` that, and where it is there now but its name may
 * not be on the disk.
 */
export async function writeNewFile(
  file: string,
  write: (partial: string) => Promise<void>,
  { replaces = false } = {},
): Promise<void> {
  if (!replaces && existsSync(file))
    throw new OperatorError(`${file} is there already. Name a file that is not.`);
  await mkdir(dirname(file), { recursive: true });
  const partial = `${file}.partial`;
  await rm(partial, { force: true });
  try {
    await write(partial);
    await chmod(partial, 0o600);
    await flushFile(partial);
    await renameFile(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  await flushName(file);
}

/**
 * Writes what is in the SQLite file `from` now into the new file `to`, or one that it `replaces`, while others may
 * write to it. `after` is given a file with what was written, and is done before `to` is there. Throws `OperatorError`
 * where that cannot be done.
 */
export async function backUpSqlite(
  from: string,
  to: string,
  { after, replaces }: { after?: (written: string) => Promise<void>; replaces?: boolean } = {},
): Promise<void> {
  async function write(partial: string): Promise<void> {
    const sqlite = openSqlite(from, { timeoutMs: BUSY_TIMEOUT_MS });
    try {
      // One transaction: what others write meanwhile is in it wholly or not at all.
      sqlite.prepare('VACUUM INTO ?').run(partial);
    } finally {
      sqlite.close();
    }
    await after?.(partial);
  }

  await explained(`${from} cannot be backed up to ${to}`, writeNewFile(to, write, { replaces }));
}

/**
 * Copies a backup to where no file is yet, after `before`, which is done only for a sound SQLite file with the table
 * `table`, and is given a copy of it. Throws `OperatorError` where it is none.
 */
export async function restoreSqlite(
  from: string,
  to: string,
  { table, before }: { table: string; before(copied: string): Promise<void> },
): Promise<void> {
  if (isMissing(from)) throw new OperatorError(`There is no file ${from}. Look at the path.`);
  async function write(partial: string): Promise<void> {
    await copySqlite(from, partial, table);
    await before(partial);
  }
  await explained(`${from} cannot be restored to ${to}`, writeNewFile(to, write));
}

/** What `work` rejects with, for the operator. */
function explained(problem: string, work: Promise<void>): Promise<void> {
  return work.catch((cause: unknown) => {
    if (cause instanceof OperatorError) throw cause;
    throw new OperatorError(
      `${problem}: ${messageOf(cause)}. Look at both files, at whose they are and at their disks.`,
      { cause },
    );
  });
}

/**
 * Copies an SQLite file that nobody writes to, with what only its log holds, and changes nothing where it is. Throws
 * `OperatorError` where somebody writes to it after all, and where it is no sound one with the table `table`; `to` may be
 * there then.
 */
export async function copySqlite(from: string, to: string, table: string): Promise<void> {
  const log = `${to}-wal`;
  const clean = () => Promise.all([log, `${to}-shm`].map((beside) => rm(beside, { force: true })));
  // A copy that was killed may have left its log.
  await clean();
  try {
    const before = await writtenOf(from);
    await copyWritable(from, to);
    if (existsSync(`${from}-wal`)) await copyWritable(`${from}-wal`, log);
    if ((await writtenOf(from)) !== before)
      throw new OperatorError(
        `${from} cannot be restored: somebody writes to it now. A backup can be made of it meanwhile, and restored. Nothing was changed.`,
      );
    // Whoever closes it last writes the log into the file, and removes it.
    const wrong = findFault(to, table) ?? (existsSync(log) ? 'its log could not be read' : undefined);
    if (wrong !== undefined)
      throw new OperatorError(`${from} cannot be restored: ${wrong}. Nothing was changed.`);
  } finally {
    await clean();
  }
}

/** Something that is another with each write to an SQLite file or its log. */
async function writtenOf(path: string): Promise<string> {
  const both = await Promise.all(
    [path, `${path}-wal`].map((file) => stat(file, { bigint: true }).catch(() => undefined)),
  );
  return both.map((found) => found && `${found.size} ${found.mtimeNs}`).join();
}

/** It may be nobody's to write where it is. */
async function copyWritable(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  await chmod(to, 0o600);
}

/** Why the file at `path` is no sound database with the table `table`; undefined where it is one. */
export function findFault(path: string, table: string): string | undefined {
  try {
    const sqlite = openSqlite(path, { timeoutMs: BUSY_TIMEOUT_MS });
    try {
      const sound = sqlite.prepare('PRAGMA quick_check(1)').all();
      if (JSON.stringify(sound) !== '[{"quick_check":"ok"}]') return 'the file is damaged';
      const tables = sqlite
        .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name = ?")
        .all(table);
      return tables.length === 1 ? undefined : 'it is no backup of this database';
    } finally {
      sqlite.close();
    }
  } catch (error) {
    return messageOf(error);
  }
}
