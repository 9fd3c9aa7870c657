import { randomBytes } from 'node:crypto';
import { type Clock, HOUR_MS, MINUTE_MS } from '@darkroom/time';
import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import { ApiError } from '../api-error.ts';
import type { ServiceDatabase, ServiceTransaction } from '../database/database.ts';
import { inList } from '../database/in-list.ts';
import type { Tables, UploadTable } from '../database/tables.ts';
import type { BoundedPlace } from '../files/bounded-place.ts';
import { onPlace } from '../files/pictures-unavailable.ts';
import type { Page } from '../files/removals.ts';
import { removeFiles } from '../files/remove-files.ts';
import { lockAccounts } from '../ledger/ledger-queries.ts';
import type { ServiceLimits } from '../limits.ts';
import type { Bringing, BroughtPicture, DecodedPicture } from './input-picture.ts';

/** How long a row is kept whose file is never written, because its process dies. */
const ORPHAN_MS = HOUR_MS;
/** A write that was given up may still arrive: longer than one may take. */
const LATE_WRITE_MS = 60_000;

const UPLOAD_ID = /^[0-9a-f]{32}$/;

/** An upload that can be used. */
export type Upload = Pick<Selectable<UploadTable>, 'id' | 'width' | 'height' | 'bytes' | 'expiresAt'>;
const COLUMNS = ['id', 'width', 'height', 'bytes', 'expiresAt'] as const;

/** The name of an upload's file. The address of no picture looks like this: nobody can fetch it. */
export const fileOfUpload = ({ id }: Pick<Upload, 'id'>): string => `upload-${id}.png`;

export type Uploads = ReturnType<typeof createUploads>;

/**
 * Pictures that accounts bring. A row is inserted before its file is written, and deleted after its file is removed,
 * so that none is left behind. One that has expired is never used again. Where an account keeps as much as it may,
 * those that were used longest ago expire for a new one, but for those that a task may need.
 */
export function createUploads({
  db,
  place,
  clock,
  limits,
  onStored = () => undefined,
}: {
  db: ServiceDatabase;
  place: Pick<BoundedPlace, 'write' | 'remove'>;
  clock: Clock;
  limits: Pick<ServiceLimits, 'uploadMs' | 'uploadBytes' | 'taskMs'>;
  /** Hears of every file that was written. */
  onStored?: ((bytes: number) => void) | undefined;
}) {
  /** Milliseconds after its last use for which a task that is made of it may need it. */
  const neededMs = limits.taskMs + ORPHAN_MS;
  const keptMs = Math.max(limits.uploadMs, neededMs);
  const untilUnused = () => clock.now() + keptMs;

  const isUsable = (accountId: number) => (eb: ExpressionBuilder<Tables, 'uploads'>) =>
    eb.and([
      eb('accountId', '=', accountId),
      eb('writtenAt', 'is not', null),
      eb('expiresAt', '>', clock.now()),
    ]);

  const use = (trx: ServiceDatabase, accountId: number) =>
    trx
      .updateTable('uploads')
      .set((eb) => ({ expiresAt: untilUnused(), uses: eb('uses', '+', 1) }))
      .where(isUsable(accountId));

  const useSame = (trx: ServiceDatabase, accountId: number, sha256: string) =>
    use(trx, accountId)
      .where('id', '=', (eb) =>
        eb
          .selectFrom('uploads')
          .select('id')
          .where(isUsable(accountId))
          .where('sha256', '=', sha256)
          .orderBy('id')
          .limit(1),
      )
      .returning(COLUMNS)
      .executeTakeFirst();

  /** Of an account's uploads, those that no task needs by now; also those that have expired and are still there. */
  const isSpare = (accountId: number) => {
    const unneeded = clock.now() + keptMs - neededMs;
    return (eb: ExpressionBuilder<Tables, 'uploads'>) =>
      eb.and([
        eb('accountId', '=', accountId),
        eb('writtenAt', 'is not', null),
        eb('expiresAt', '<=', unneeded),
      ]);
  };

  /**
   * The spare upload that was used longest ago, which expires where it has not yet; undefined where somebody has just
   * used it. It has expired for whoever read the clock before, too: their statement may follow this one.
   */
  const letGo = async (trx: ServiceTransaction, accountId: number): Promise<string | undefined> => {
    const expired = await trx
      .updateTable('uploads')
      .set({ expiresAt: 0 })
      .where(isSpare(accountId))
      .where('id', '=', (eb) =>
        eb
          .selectFrom('uploads')
          .select('id')
          .where(isSpare(accountId))
          .orderBy('expiresAt')
          .orderBy('id')
          .limit(1),
      )
      .returning('id')
      .executeTakeFirst();
    return expired?.id;
  };

  /**
   * Inserts a row for a file that may then be written, and returns its id; or lets go of an upload that has to be
   * removed before there can be room. Rejects with an API error where no upload that could go would make room.
   */
  const reserve = (
    accountId: number,
    { sha256, width, height, bytes }: DecodedPicture & { sha256: string },
  ): Promise<{ id: string } | { toRemove: string | undefined }> =>
    db.transaction().execute(async (trx) => {
      await lockAccounts(trx, [accountId]);
      const account = await trx
        .selectFrom('accounts')
        .select('id')
        .where('id', '=', accountId)
        .where('disabledAt', 'is', null)
        .executeTakeFirst();
      if (!account) throw gone();
      const { kept, spare } = await trx
        .selectFrom('uploads')
        .select(({ fn, lit }) => [
          fn.coalesce(fn.sum<number>('bytes'), lit(0)).as('kept'),
          fn.coalesce(fn.sum<number>('bytes').filterWhere(isSpare(accountId)), lit(0)).as('spare'),
        ])
        .where('accountId', '=', accountId)
        .executeTakeFirstOrThrow();
      const missing = kept + bytes.length - limits.uploadBytes;
      if (missing > spare) throw tooMany(limits.uploadBytes, neededMs);
      if (missing > 0) return { toRemove: await letGo(trx, accountId) };
      const id = randomBytes(16).toString('hex');
      const now = clock.now();
      const size = { width, height, bytes: bytes.length };
      const row = { id, accountId, sha256, ...size, uses: 1, createdAt: now, expiresAt: now + ORPHAN_MS };
      await trx
        .insertInto('uploads')
        .values({ ...row, writtenAt: null })
        .execute();
      return { id };
    });

  /** Reserves once there is room, for which others are removed where they may be. */
  async function makeRoom(accountId: number, picture: DecodedPicture & { sha256: string }): Promise<string> {
    for (;;) {
      const reserved = await reserve(accountId, picture);
      if ('id' in reserved) return reserved.id;
      // It has expired: whatever stops this here, the next sweep removes it.
      if (reserved.toRemove !== undefined) await onPlace(remove(reserved.toRemove));
    }
  }

  /** The upload whose file is written; where the same picture was brought meanwhile, that one. */
  const settle = (accountId: number, id: string, sha256: string): Promise<Upload | undefined> =>
    db.transaction().execute(async (trx) => {
      await lockAccounts(trx, [accountId]);
      const same = await useSame(trx, accountId, sha256);
      const now = clock.now();
      const written = await trx
        .updateTable('uploads')
        .set(same ? { expiresAt: now } : { writtenAt: now, expiresAt: untilUnused() })
        .where('id', '=', id)
        .returning(COLUMNS)
        .executeTakeFirst();
      return same ?? written;
    });

  const expire = (id: string) =>
    db
      .updateTable('uploads')
      .set({ expiresAt: clock.now() + LATE_WRITE_MS })
      .where('id', '=', id)
      .execute();

  async function removeAll(ids: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
    const remove = (some: readonly string[]) => removeFiles(place, some, (id) => fileOfUpload({ id }));
    const failures = await remove(ids);
    const removed = ids.filter((id) => !failures.has(id));
    if (removed.length === 0) return failures;
    await db.deleteFrom('uploads').where('id', 'in', inList(removed)).execute();
    // What was still being written meanwhile; whoever writes later finds no row, and removes it.
    return new Map([...failures, ...(await remove(removed))]);
  }

  async function remove(id: string): Promise<void> {
    for (const failure of (await removeAll([id])).values()) throw failure;
  }

  return {
    /** Keeps a picture for an account: the same bytes are the same upload. Refused where it keeps too much. */
    async keep(bringing: Bringing, { sha256, decoded }: BroughtPicture): Promise<Upload> {
      const { accountId, stay } = bringing;
      const same = await useSame(db, accountId, sha256);
      if (same) return same;
      const picture = await decoded(bringing);
      stay?.remain();
      const id = await makeRoom(accountId, { ...picture, sha256 });
      const file = fileOfUpload({ id });
      try {
        await onPlace(place.write(file, picture.bytes));
      } catch (error) {
        // Nothing is kept, so it counts for nothing: the next sweep removes it, once no late write can follow.
        await expire(id).catch(() => undefined);
        throw error;
      }
      onStored(picture.bytes.length);
      const kept = await settle(accountId, id, sha256);
      if (kept) return kept;
      // The account was deleted meanwhile, and its rows with it.
      await place.remove(file);
      throw gone();
    },

    async find(id: string, accountId: number): Promise<Upload | undefined> {
      if (!UPLOAD_ID.test(id)) return undefined;
      return db
        .selectFrom('uploads')
        .select(COLUMNS)
        .where('id', '=', id)
        .where(isUsable(accountId))
        .executeTakeFirst();
    },

    /** Keeps it for longer; undefined where it has expired. */
    use: (id: string, accountId: number): Promise<Upload | undefined> =>
      use(db, accountId).where('id', '=', id).returning(COLUMNS).executeTakeFirst(),

    /** Lets go of what was kept for something that came to nothing, unless it was used besides. */
    async release(ids: readonly string[]): Promise<void> {
      if (ids.length === 0) return;
      await db
        .updateTable('uploads')
        .set({ expiresAt: clock.now() })
        .where('id', 'in', inList(ids))
        .where('uses', '=', sql.lit(1))
        .execute();
    },

    async expired({ limit, offset = 0, among }: Page): Promise<string[]> {
      const rows = await db
        .selectFrom('uploads')
        .select('id')
        .where('expiresAt', '<=', clock.now())
        .$if(among !== undefined, (query) => query.where('id', 'in', inList(among ?? [])))
        .orderBy('expiresAt')
        .limit(limit)
        .offset(offset)
        .execute();
      return rows.map(({ id }) => id);
    },

    /** Ids of some of an account, in whatever state. */
    async of(accountId: number, limit: number): Promise<string[]> {
      const query = db.selectFrom('uploads').select('id').where('accountId', '=', accountId);
      return (await query.limit(limit).execute()).map(({ id }) => id);
    },

    remove,
    removeAll,
  };
}

const tooMany = (max: number, neededMs: number): ApiError =>
  new ApiError(
    'too_many_uploads',
    `This account keeps as many pictures as it may: ${Math.round(max / 1024 ** 2)} MiB. Only those that were not used for ${Math.round(neededMs / MINUTE_MS)} minutes make room for another: try again later.`,
    { details: { max } },
  );

const gone = () => new ApiError('invalid_api_key', 'The account of this API key was deleted.');
