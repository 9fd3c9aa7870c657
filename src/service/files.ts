import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import mime from 'mime';
import type { Clock } from '../clock.ts';
import type { ServiceDatabase } from './database/database.ts';
import type { FileTable } from './database/tables.ts';
import type { Picture } from './engines/engine.ts';

/** For how long a file is kept of which nobody has said how long: its task may never be concluded by this process. */
const UNCLAIMED_MS = 60 * 60_000;

/** A name of ours: 128 random bits, so that an address cannot be guessed. */
const FILE_NAME = /^[0-9a-f]{32}\.[a-z]+$/;

export interface StoredFile {
  path: string;
  kind: FileTable['kind'];
  contentType: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  /** Its time is over, or it has been removed before. */
  gone: boolean;
}

export type Files = ReturnType<typeof createFiles>;

/** Pictures and previews in a folder. Each has a row before it is written, so that no file is ever forgotten. */
export function createFiles({ db, folder, clock }: { db: ServiceDatabase; folder: string; clock: Clock }) {
  return {
    /** A name for a file of the task, which may be written from now on. */
    async name(
      taskId: string,
      kind: FileTable['kind'],
      contentType: Picture['contentType'],
    ): Promise<string> {
      const name = `${randomBytes(16).toString('hex')}.${mime.getExtension(contentType)}`;
      const now = clock.now();
      await db
        .insertInto('files')
        .values({
          name,
          taskId,
          kind,
          contentType,
          createdAt: now,
          expiresAt: now + UNCLAIMED_MS,
          removedAt: null,
        })
        .execute();
      return name;
    },

    /** Writes a file, or writes it anew: whole or not at all, also when the machine loses its power. */
    async write(name: string, bytes: Uint8Array): Promise<void> {
      await mkdir(folder, { recursive: true });
      const path = join(folder, name);
      const unfinished = `${path}.part`;
      const file = await open(unfinished, 'w', 0o644);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(unfinished, path);
    },

    /** The file of that name, also when it is gone. */
    async find(name: string): Promise<StoredFile | undefined> {
      if (!FILE_NAME.test(name)) return undefined;
      const row = await db
        .selectFrom('files')
        .select(['kind', 'contentType', 'expiresAt', 'removedAt'])
        .where('name', '=', name)
        .executeTakeFirst();
      if (!row) return undefined;
      const { removedAt, ...file } = row;
      return { ...file, path: join(folder, name), gone: removedAt !== null || file.expiresAt <= clock.now() };
    },

    async remove(name: string): Promise<void> {
      for (const file of [name, `${name}.part`]) await rm(join(folder, file), { force: true });
      await db.updateTable('files').set({ removedAt: clock.now() }).where('name', '=', name).execute();
    },

    /** Names of files whose time is over. */
    async expired(limit: number): Promise<string[]> {
      const rows = await db
        .selectFrom('files')
        .select('name')
        .where('removedAt', 'is', null)
        .where('expiresAt', '<=', clock.now())
        .limit(limit)
        .execute();
      return rows.map(({ name }) => name);
    },
  };
}
