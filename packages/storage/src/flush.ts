import { open } from 'node:fs/promises';

/** Resolves once what was written to a file is on the disk. Some systems flush only what may be written. */
export const flushFile = (path: string): Promise<void> => flush(path, 'r+');

/**
 * Resolves once the disk has the names that stand in a folder. A file system that cannot flush one (EINVAL, as SMB)
 * sees to that itself.
 */
export async function flushFolder(path: string): Promise<void> {
  try {
    await flush(path, 'r');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EINVAL')) throw error;
  }
}

async function flush(path: string, flags: 'r' | 'r+'): Promise<void> {
  const handle = await open(path, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
