import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes of attachments by id: in `folder`, or in memory without one. */
export function createFiles({ folder }: { folder: string | undefined }) {
  const memory = new Map<string, Uint8Array>();

  return {
    async put(id: string, bytes: Uint8Array): Promise<void> {
      if (!folder) {
        memory.set(id, bytes);
        return;
      }
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, id), bytes);
    },
    async get(id: string): Promise<Uint8Array | undefined> {
      if (!folder) return memory.get(id);
      return readFile(join(folder, id)).catch(() => undefined);
    },
    async remove(id: string): Promise<void> {
      memory.delete(id);
      if (folder) await rm(join(folder, id), { force: true });
    },
  };
}

export type Files = ReturnType<typeof createFiles>;
