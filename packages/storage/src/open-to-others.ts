import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { shellWord } from '@darkroom/process';

/** What others than a file's owner may do with it. */
const OTHERS = 0o077;

/**
 * Which of `paths`, files and folders with what lies in them, other users of this machine may read or write, and the
 * command that closes it to them; undefined where there is nothing of the kind. A folder that they cannot come into
 * hides what is in it. Windows has no such modes.
 */
export async function openToOthers(...paths: readonly string[]) {
  if (process.platform === 'win32') return undefined;
  // Whoever types the command may be in another folder than the program.
  const found = await Promise.all(
    paths.map((path) => resolve(path)).map(async (path) => ({ path, open: await openIn(path) })),
  );
  const roots = found.filter(({ open }) => open.length > 0);
  if (roots.length === 0) return undefined;
  return {
    open: roots.flatMap(({ open }) => open),
    command: `chmod -R go= ${roots.map(({ path }) => shellWord(path)).join(' ')}`,
  };
}

async function openIn(path: string): Promise<string[]> {
  const found = await statOrGone(path);
  if (!isOpen(found)) return [];
  if (!found.isDirectory()) return [path];
  const within = (await readdir(path)).sort().map((name) => join(path, name));
  const open = await Promise.all(within.map(async (one) => isOpen(await statOrGone(one))));
  return [path, ...within.filter((_, index) => open[index])];
}

const statOrGone = (path: string) => stat(path).catch(() => undefined);

const isOpen = (found: Stats | undefined): found is Stats =>
  found !== undefined && (found.mode & OTHERS) !== 0;
