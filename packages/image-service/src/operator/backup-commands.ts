import { existsSync } from 'node:fs';
import { access, copyFile, mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { messageOf, OperatorError } from '@darkroom/process';
import { backUpSqlite, isMissing, keyFileIn, openSqlite, restoreSqlite, sqlitePath } from '@darkroom/storage';
import type { Command } from 'commander';
import { z } from 'zod';
import type { ServiceConfig } from '../config.ts';
import { ignoreMissing } from '../files/ignore-missing.ts';
import { folderIn } from '../files/open-place.ts';
import { placesOf } from '../storage.ts';
import type { RunClosed } from './context.ts';
import { refuseMissing } from './refuse-missing.ts';

/** A table that every version of the database has. */
const TABLE = 'accounts';

/** Copies of an SQLite database, with its pictures or without. */
export function backupCommands(program: Command, run: RunClosed): void {
  program
    .command('backup')
    .argument('<file>', '', wholePath)
    .description('writes the database as it is now into a new SQLite file; the service may run')
    .option('--pictures <folder>', 'copies the pictures into this folder as well', wholePath)
    .action((file: string, { pictures }: { pictures?: string }) =>
      run(async (config) => {
        const {
          databaseUrl,
          pictures: { url },
        } = placesOf(config);
        const path = fileOf(
          databaseUrl,
          'pg_dump --format=custom --file=FILE postgres://…, also while the service runs. Copy the pictures after it',
        );
        refuseMissing(databaseUrl);
        // After the database: each picture that it knows is there, unless it has expired meanwhile.
        const after = async (written: string) => {
          if (pictures !== undefined) await copyPictures(written, folderOf(url), pictures);
        };
        await backUpSqlite(path, file, { after });
        return [{ 'backed up': path, to: file, pictures: pictures ?? null, keep: secretOf(config, path) }];
      }),
    );
  program
    .command('restore')
    .argument('<file>', '', wholePath)
    .description('copies a backup to where the database is, which must not be there; no service may run')
    .option('--pictures <folder>', 'copies the pictures back from this folder as well', wholePath)
    .action((file: string, { pictures }: { pictures?: string }) =>
      run(async (config) => {
        const {
          databaseUrl,
          pictures: { url },
        } = placesOf(config);
        const path = fileOf(
          databaseUrl,
          'pg_restore --exit-on-error --single-transaction --dbname=postgres://… FILE, into an empty database, before the first start of the service. The pictures are put back before it',
        );
        for (const beside of ['', '-wal', '-shm']) {
          if (existsSync(`${path}${beside}`)) {
            throw new OperatorError(
              `${path}${beside} is there already. Stop the service, and move what is there out of the way first.`,
            );
          }
        }
        if (pictures !== undefined && isMissing(pictures))
          throw new OperatorError(`There is no folder ${pictures}.`);
        // Before the database: it never knows of a picture that is not there.
        const before = async (copied: string) => {
          if (pictures !== undefined) await copyPictures(copied, pictures, folderOf(url));
        };
        await restoreSqlite(file, path, { table: TABLE, before });
        return {
          rows: [{ restored: file, to: path, pictures: pictures ?? null, keep: secretOf(config, path) }],
          said: 'All is as it was when the backup was made: keys that were revoked since work again, and accounts and pictures that were deleted are back; what was granted is gone.',
        };
      }),
    );
}

/** They are read in whatever folder the operator is in, and the program is in another. */
const wholePath = (path: string): string => resolve(path);

function fileOf(databaseUrl: string, instead: string): string {
  const path = sqlitePath(databaseUrl);
  if (path !== undefined) return resolve(path);
  throw new OperatorError(`PostgreSQL has tools of its own for this: ${instead}.`);
}

function folderOf(picturesUrl: string): string {
  const folder = folderIn(picturesUrl);
  if (folder !== undefined) return resolve(folder);
  throw new OperatorError(
    'The pictures are in a bucket, which is copied by tools of its own. Leave out --pictures.',
  );
}

/**
 * Copies what the database at `path` knows: the service would never remove anything else. Pictures are never changed
 * once they are there; one that a copy was cut off in is shorter than it should be.
 */
async function copyPictures(path: string, from: string, to: string): Promise<void> {
  const { known, proof } = await filesKnownTo(path);
  // Of a disk that is not mounted nothing would be copied, and the backup would look like a whole one.
  if (proof !== undefined && isMissing(join(from, proof)))
    throw new OperatorError(
      `The pictures of this database are not in ${from}: the file ${proof} is missing there. Mount their disk, or name their folder; where they are lost, make an empty file of that name.`,
    );
  try {
    await mkdir(to, { recursive: true });
    if (!existsSync(from)) return;
    for (const name of await readdir(from)) {
      if (!known.has(name)) continue;
      try {
        await copyWhole(join(from, name), join(to, name));
      } catch (error) {
        ignoreMissing(error);
        // The picture was removed meanwhile, unless a whole folder is gone.
        for (const folder of [from, to]) await access(folder);
      }
    }
  } catch (cause) {
    throw new OperatorError(
      `The pictures in ${from} could not be copied to ${to}: ${messageOf(cause)}. Give both to the user who runs this, and make room on the disk.`,
      { cause },
    );
  }
}

const named = z.object({ name: z.string() }).transform(({ name }) => name);

/** The files that the database at `path` knows; `proof` is there wherever its pictures are, once a service has run. */
async function filesKnownTo(path: string): Promise<{ known: ReadonlySet<string>; proof?: string }> {
  const { fileOfUpload } = await import('../inputs/uploads.ts');
  const sqlite = openSqlite(path, { timeoutMs: 0 });
  try {
    const names = (statement: string) => z.array(named).parse(sqlite.prepare(statement).all());
    const tables = names("SELECT name FROM sqlite_master WHERE type = 'table'");
    // The database of an earlier version lacks some of them.
    const namesIn = (table: string, columns: string, condition: string) =>
      tables.includes(table) ? names(`SELECT ${columns} FROM ${table} WHERE ${condition}`) : [];
    const [proof] = namesIn('installation', 'picturesProof AS name', 'picturesProof IS NOT NULL');
    const known = new Set([
      ...namesIn('files', 'name', 'removedAt IS NULL'),
      ...namesIn('uploads', 'id AS name', 'true').map((id) => fileOfUpload({ id })),
    ]);
    return proof === undefined ? { known } : { known: known.add(proof), proof };
  } finally {
    sqlite.close();
  }
}

async function copyWhole(path: string, copy: string): Promise<void> {
  const { size } = await stat(path);
  const there = await stat(copy).catch(ignoreMissing);
  if (there?.isFile() !== true || there.size !== size) await copyFile(path, copy);
}

/** API keys in the database are sealed with a key that is not in it: what of the settings or which file holds it. */
const secretOf = ({ SECRET_KEY }: ServiceConfig, path: string): string =>
  SECRET_KEY === undefined ? keyFileIn(dirname(path)) : 'SECRET_KEY';
