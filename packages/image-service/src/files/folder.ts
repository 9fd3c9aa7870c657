import { randomUUID } from 'node:crypto';
import { access, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { flushFolder, renameFile } from '@darkroom/storage';
import { HOUR_MS } from '@darkroom/time';
import type { FilePlace } from './file-place.ts';
import { ignoreMissing } from './ignore-missing.ts';

const PROBE_MS = 15_000;
const PROBE = 'probe-';
/** A probe that is older was left by a process that was killed. */
const OLD_PROBE_MS = HOUR_MS;

/** Files in a folder, which the processes of one service share. */
export function createFolder(path: string): FilePlace {
  const probe = `${PROBE}${randomUUID()}`;
  let isTidy = false;

  async function write(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    const partial = join(path, `${name}.part`);
    const file = await open(partial, 'w', 0o644);
    try {
      await file.writeFile(bytes, { signal });
      await file.sync();
    } finally {
      await file.close();
    }
    try {
      await renameFile(partial, join(path, name));
      await flushFolder(path);
    } catch (error) {
      ignoreMissing(error);
      // The file was removed meanwhile, as somebody wanted, unless the whole folder is gone.
      await access(path);
    }
  }

  async function remove(name: string): Promise<void> {
    // In this order: what is written meanwhile gets its name before, or not at all.
    for (const file of [`${name}.part`, name]) await rm(join(path, file), { force: true });
  }

  async function removeOldProbes(): Promise<void> {
    for (const name of await readdir(path)) {
      if (!name.startsWith(PROBE)) continue;
      const file = await stat(join(path, name)).catch(ignoreMissing);
      if (file && file.mtimeMs < Date.now() - OLD_PROBE_MS) await rm(join(path, name), { force: true });
    }
    isTidy = true;
  }

  return {
    description: `the folder ${resolve(path)}`,
    probeMs: PROBE_MS,

    async create() {
      await mkdir(path, { recursive: true });
    },

    /** Under another name first, so that nobody sees half a file, even where the machine loses power. */
    write,

    async open(name) {
      const file = await open(join(path, name)).catch(ignoreMissing);
      if (!file) return undefined;
      try {
        const { size } = await file.stat();
        return { size, stream: file.createReadStream() };
      } catch (error) {
        await file.close();
        throw error;
      }
    },

    has: (name) =>
      access(join(path, name)).then(
        () => true,
        (error: unknown) => ignoreMissing(error) ?? false,
      ),

    remove,

    async probe(size, signal) {
      if (!isTidy) await removeOldProbes();
      await write(probe, new Uint8Array(size), signal);
      await remove(probe);
    },

    close() {},
  };
}
