import { open } from 'node:fs/promises';

/**
 * Resolves once what was written to a file is on the disk; of a folder, which names stand in it. A file system that
 * cannot flush a folder (EINVAL, as SMB) sees to that itself.
 */
export async function flush(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EINVAL')) throw error;
  } finally {
    await handle.close();
  }
}
