import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@darkroom/time';
import mime from 'mime';
import type { ServiceDatabase } from './database/database.ts';
import type { FileTable } from './database/tables.ts';
import type { DrawnPicture } from './engines/engine.ts';

/** How long a file is kept whose task is never completed, because its process dies or loses it. */
const ORPHAN_MS = 60 * 60_000;

/** 128 random bits, so that nobody can guess the URL of a picture. */
const FILE_NAME = /^[0-9a-f]{32}\.[a-z]+$/;

export interface StoredFile {
  path: string;
  kind: FileTable['kind'];
  contentType: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  /** Expired or removed. */
  gone: boolean;
}

export type Files = ReturnType<typeof createFiles>;

/** Pictures and previews in a folder. The row of a file is inserted before the file is written, so no file is left behind. */
export function createFiles({ db, folder, clock }: { db: ServiceDatabase; folder: string; clock: Clock }) {
  return {
    /** Reserves a name for a file of the task; then it may be written. */
    async name(
      taskId: string,
      kind: FileTable['kind'],
      contentType: DrawnPicture['contentType'],
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
          expiresAt: now + ORPHAN_MS,
          removedAt: null,
        })
        .execute();
      return name;
    },

    /** Writes or replaces a file atomically, even if the machine loses power. */
    async write(name: string, bytes: Uint8Array): Promise<void> {
      await mkdir(folder, { recursive: true });
      const path = join(folder, name);
      const partial = `${path}.part`;
      const file = await open(partial, 'w', 0o644);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(partial, path);
    },

    /** The file of that name, even when it is gone. */
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

    /** Names of expired files that are not yet removed. */
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
