import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** What others than a file's owner may do with it. */
const OTHERS = 0o077;

/**
 * The paths of `folder`, and of what lies in it, that other users of this machine may read or write: none where they cannot
 * come into the folder, or where there is none. Windows has no such modes.
 */
export async function openToOthers(folder: string): Promise<string[]> {
  if (process.platform === 'win32' || !(await isOpen(folder))) return [];
  const paths = (await readdir(folder)).sort().map((name) => join(folder, name));
  const open = await Promise.all(paths.map(isOpen));
  return [folder, ...paths.filter((_, index) => open[index])];
}

/** False for what is gone. */
async function isOpen(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && (found.mode & OTHERS) !== 0;
}
