import { randomBytes } from 'node:crypto';
import { type Clock, HOUR_MS } from '@darkroom/time';
import { sql } from 'kysely';
import sharp from 'sharp';
import type { ServiceDatabase } from '../database/database.ts';
import { inList } from '../database/in-list.ts';
import { hasRowLocks } from '../database/row-locks.ts';
import type { FileTable } from '../database/tables.ts';
import { cleanPicture, UnreadablePicture } from '../engines/clean-picture.ts';
import { DrawingError } from '../engines/engine.ts';
import type { Size } from '../engines/size.ts';
import type { BoundedPlace } from './bounded-place.ts';
import type { OpenFile } from './file-place.ts';
import type { Page } from './removals.ts';
import { removeFiles } from './remove-files.ts';

/** How long a file is kept whose task is never completed, because its process dies or loses it. */
const ORPHAN_MS = HOUR_MS;

/** 128 random bits, so that nobody can guess the URL of a picture. */
const FILE_NAME = /^[0-9a-f]{32}\.[a-z]+$/;

/** Bytes of a picture in which it says its size. */
const HEAD = 65_536;

/** What each kind of file is: a name ends in its extension. */
const FORMATS = {
  picture: { extension: 'png', contentType: 'image/png' },
  preview: { extension: 'webp', contentType: 'image/webp' },
} as const satisfies Record<FileTable['kind'], unknown>;

export type Files = ReturnType<typeof createFiles>;
export type StoredFile = NonNullable<Awaited<ReturnType<Files['find']>>>;

/**
 * Pictures and previews. The row of a file is inserted before the file is written, and a file is removed by its row
 * alone: so none is left behind, and none of another service's in the same place is touched.
 */
export function createFiles({
  db,
  place,
  clock,
  onStored = () => undefined,
}: {
  db: ServiceDatabase;
  place: Pick<BoundedPlace, 'write' | 'open' | 'read' | 'remove'>;
  clock: Clock;
  /** Hears of every file that was written. */
  onStored?: ((bytes: number) => void) | undefined;
}) {
  async function removeAll(names: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
    const failures = await removeFiles(place, names);
    const removed = names.filter((name) => !failures.has(name));
    if (removed.length > 0)
      await db
        .updateTable('files')
        .set({ removedAt: clock.now() })
        .where('name', 'in', inList(removed))
        .execute();
    return failures;
  }

  return {
    /** Reserves a name for a file of the task; then it may be written. Undefined where the task is deleted. */
    async reserveName(taskId: string, kind: FileTable['kind']): Promise<string | undefined> {
      const { extension, contentType } = FORMATS[kind];
      const name = `${randomBytes(16).toString('hex')}.${extension}`;
      const now = clock.now();
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('files')
        .columns(['name', 'taskId', 'kind', 'contentType', 'createdAt', 'expiresAt'])
        .expression((eb) =>
          eb
            .selectFrom('tasks')
            .select(({ val, cast }) => [
              val(name).as('name'),
              'tasks.id',
              val(kind).as('kind'),
              val(contentType).as('contentType'),
              cast<number>(val(now), 'bigint').as('createdAt'),
              cast<number>(val(now + ORPHAN_MS), 'bigint').as('expiresAt'),
            ])
            .where('tasks.id', '=', taskId)
            // Who deletes the task waits for this row, and deletes it as well.
            .$if(hasRowLocks(db), (query) => query.forKeyShare()),
        )
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n ? name : undefined;
    },

    /**
     * Writes or replaces a file as a whole; leaves none where its row was deleted meanwhile. Rejects with
     * `FilesUnavailable` where its place is full or down.
     */
    async write(name: string, bytes: Uint8Array): Promise<void> {
      await place.write(name, bytes);
      const row = await db.selectFrom('files').select('name').where('name', '=', name).executeTakeFirst();
      if (!row) return place.remove(name);
      onStored(bytes.length);
    },

    /** What is known of the file of that name, even when it is `gone`: expired or removed. */
    async find(name: string) {
      if (!FILE_NAME.test(name)) return undefined;
      const row = await db
        .selectFrom('files')
        .select(['kind', 'contentType', 'expiresAt', 'removedAt'])
        .where('name', '=', name)
        .executeTakeFirst();
      if (!row) return undefined;
      const { removedAt, ...file } = row;
      return { ...file, gone: removedAt !== null || file.expiresAt <= clock.now() };
    },

    /** Opens a file to be read; undefined where its place does not have it. Rejects with `FilesUnavailable`. */
    open: async (name: string): Promise<OpenFile | undefined> =>
      FILE_NAME.test(name) ? place.open(name) : undefined,

    /** Of a picture; undefined where its place does not have it. Rejects with `FilesUnavailable`. */
    async size(name: string): Promise<Size | undefined> {
      const head = await place.read(name, HEAD);
      if (!head) return undefined;
      const { width, height } = await sharp(head).metadata();
      return { width, height };
    },

    /**
     * The whole of a picture, as a PNG. Rejects with a `DrawingError` where it is gone or damaged, and with
     * `FilesUnavailable`.
     */
    async read(name: string): Promise<Uint8Array> {
      const bytes = await place.read(name);
      if (!bytes) throw new DrawingError('The picture that this one was to be made from is gone.');
      try {
        return (await cleanPicture(bytes)).bytes;
      } catch (error) {
        if (!(error instanceof UnreadablePicture)) throw error;
        throw new DrawingError('The picture that this one was to be made from is damaged.', { cause: error });
      }
    },

    /** Keeps a file at least until then; false where it has expired or was removed. */
    async extend(name: string, expiresAt: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('files')
        .set({
          expiresAt: sql<number>`case when "expiresAt" < ${expiresAt} then ${expiresAt} else "expiresAt" end`,
        })
        .where('name', '=', name)
        .where('removedAt', 'is', null)
        .where('expiresAt', '>', clock.now())
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async remove(name: string): Promise<void> {
      for (const failure of (await removeAll([name])).values()) throw failure;
    },

    removeAll,

    async expired({ limit, offset = 0, among }: Page): Promise<string[]> {
      const rows = await db
        .selectFrom('files')
        .select('name')
        .where('removedAt', 'is', null)
        .where('expiresAt', '<=', clock.now())
        .$if(among !== undefined, (query) => query.where('name', 'in', inList(among ?? [])))
        .orderBy('expiresAt')
        .limit(limit)
        .offset(offset)
        .execute();
      return rows.map(({ name }) => name);
    },
  };
}
