import { randomUUID } from 'node:crypto';
import { access, mkdir, open, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { FilePlace } from './file-place.ts';

const PROBE_MS = 15_000;

/** Files in a folder, which the processes of one service share. */
export function createFolder(path: string): FilePlace {
  return {
    description: `the folder ${resolve(path)}`,
    probeMs: PROBE_MS,

    async create() {
      await mkdir(path, { recursive: true });
    },

    /** Under another name first, so that nobody sees half a file, even where the machine loses power. */
    async write(name, bytes, signal) {
      const partial = join(path, `${name}.${randomUUID()}.part`);
      try {
        const file = await open(partial, 'w', 0o644);
        try {
          await file.writeFile(bytes, { signal });
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(partial, join(path, name));
      } catch (error) {
        await rm(partial, { force: true }).catch(() => undefined);
        throw error;
      }
    },

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

    remove: (name) => rm(join(path, name), { force: true }),

    close() {},
  };
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}
