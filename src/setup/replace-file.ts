import { randomUUID } from 'node:crypto';
import { chown, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { flushFolder } from '@darkroom/storage';

/** For its owner alone. */
const MODE = 0o600;

/**
 * Never half a file: the whole of it is on the disk under another name first. A link stays one. Root
 * gives it to whom the file `owned` belongs, which is the one that is replaced unless given.
 */
export async function replaceFile(
  path: string,
  text: string,
  { owned = path }: { owned?: string } = {},
): Promise<void> {
  const real = await realpath(path).catch(() => path);
  const next = `${real}.${randomUUID()}`;
  try {
    await writeFile(next, text, { flag: 'wx', mode: MODE, flush: true });
    const owner = await stat(owned).catch(() => undefined);
    if (owner && process.getuid?.() === 0) await chown(next, owner.uid, owner.gid);
    await rename(next, real);
    await flushFolder(dirname(real));
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
}
