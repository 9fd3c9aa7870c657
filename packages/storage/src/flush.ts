import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, messageOf, OperatorError } from '@darkroom/process';

/** Resolves once what was written to a file is on the disk. Some systems flush only what may be written. */
export const flushFile = (path: string): Promise<void> => flush(path, 'r+');

/**
 * Resolves once the disk has the names that stand in a folder. A file system that cannot flush one (EINVAL, as SMB)
 * sees to that itself; Windows lets nobody (EPERM, nodejs/node#3879).
 */
export async function flushFolder(path: string): Promise<void> {
  const unflushable = process.platform === 'win32' ? ['EINVAL', 'EPERM'] : ['EINVAL'];
  try {
    await flush(path, 'r');
  } catch (error) {
    if (!unflushable.includes(`${codeOf(error)}`)) throw error;
  }
}

/** As `flushFolder`, for a file that has just got its name. Rejects with an `OperatorError` that says it is there. */
export async function flushName(file: string): Promise<void> {
  await flushFolder(dirname(file)).catch((cause: unknown) => {
    throw new OperatorError(
      `${file} is written, and whole, but a loss of power may take its name: its folder could not be flushed (${messageOf(cause)}). Look at that disk.`,
      { cause },
    );
  });
}

async function flush(path: string, flags: 'r' | 'r+'): Promise<void> {
  const handle = await open(path, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
