import { open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** For its owner alone. */
const MODE = 0o600;

/** Never half a file: the whole of it is on the disk under another name first. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const next = `${path}.${process.pid}`;
  try {
    const file = await open(next, 'wx', MODE);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(next, path);
    const folder = await open(dirname(resolve(path)));
    await folder.sync().finally(() => folder.close());
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
}
