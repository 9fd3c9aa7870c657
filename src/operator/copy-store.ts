import { existsSync, realpathSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { basename, join, resolve, sep } from 'node:path';
import { codeOf, messageOf, OperatorError, silentLog, whileOpen } from '@darkroom/process';
import {
  backUpSqlite,
  copySqlite,
  findFault,
  isMissing,
  keyFileIn,
  sqlitePath,
  writeNewFile,
} from '@darkroom/storage';
import { MINUTE_MS } from '@darkroom/time';
import { type Copied, copyRows } from '../storage/copy-rows.ts';
import { openDatabase } from '../storage/open-database.ts';
import { folderOf, isSqlite, nameOf, type StoreUrl } from '../storage/store-url.ts';
import { TABLE_NAMES } from '../storage/table.ts';
import { holdBackup, holdStore, type StillHeld } from './hold-store.ts';

/** Every version of a store has it. */
const TABLE = TABLE_NAMES.rows;

/** One statement may read or write many rows, and nobody waits for it. */
const STATEMENT_TIMEOUT_MS = 60_000;

/** One store rests while what was read of it goes into the other, over a line that may be slow. */
const IDLE_TIMEOUT_MS = 10 * MINUTE_MS;

/**
 * Copies a store that no bot runs on into an empty one, as a whole or not at all. Resolves with what to tell the
 * operator.
 */
export async function copy(from: StoreUrl, to: StoreUrl): Promise<string> {
  refuseMissing(from);
  refuseOther(from);
  const copied = await copyHeld(from, to, holdStore, (stillHeld) => copyInto(from, to, stillHeld));
  const tables = Object.values(TABLE_NAMES).join(' and ');
  // The rest of a database is not ours.
  const erased = isSqlite(from) ? 'Delete' : `Drop the tables ${tables} of`;
  return `${copied} ${erased} ${nameOf(from)} once the bot runs on the new one: what is erased from then on still stands there.`;
}

/** Copies a backup into an empty store, as `copy` does. What is read is a copy of it: it may be old, and is kept. */
export async function restore(file: string, to: StoreUrl): Promise<string> {
  if (isMissing(file)) throw new OperatorError(`There is no file ${resolve(file)}. Look at the path.`);
  const folder = join(folderOf(to), `${basename(nameOf(to))}.restore`);
  refuseWithin(folder, file);
  const copied = await copyHeld(`sqlite://${file}`, to, holdBackup, async (stillHeld) => {
    await mkdir(folderOf(to), { recursive: true });
    // A restore that was killed has left all that the bot knows in it.
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { mode: 0o700 });
    try {
      const backup = join(folder, basename(file));
      await copySqlite(resolve(file), backup, TABLE);
      return await copyInto(`sqlite://${backup}`, to, stillHeld);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
  return `${copied} All is as it was when the backup was made: who erased themselves since, and keys that were unlinked, are back; blocks and budgets that were set since are gone.`;
}

/** `work` copies what is in `from` into `to` while no bot may start on them. */
async function copyHeld(
  from: StoreUrl,
  to: StoreUrl,
  hold: typeof holdStore,
  work: (stillHeld: StillHeld) => Promise<Copied>,
): Promise<string> {
  if (isSame(from, to))
    throw new OperatorError(`${nameOf(to)} is the store that is copied. Name an empty one to copy it to.`);
  const copied = await explained(
    `The store ${nameOf(from)} could not be copied to ${nameOf(to)}`,
    hold(from, (fromHeld) =>
      holdStore(to, (toHeld) =>
        work(async () => {
          await fromHeld();
          await toHeld();
        }),
      ),
    ),
  );
  return `Copied ${counted(copied)} from ${nameOf(from)} to ${nameOf(to)}, and compared each. ${keyAdvice(from, to)}`;
}

/**
 * Writes what is in the store now into a new SQLite file, while a bot may run on it. Resolves with what to tell the
 * operator.
 */
export async function backUp(from: StoreUrl, file: string): Promise<string> {
  refuseMissing(from);
  // Whoever reads its name may be in another folder than the program.
  const to = resolve(file);
  await explained(
    `The store ${nameOf(from)} could not be backed up`,
    isSqlite(from)
      ? backUpSqlite(nameOf(from), to)
      : writeNewFile(to, async (partial) => void (await copyInto(from, `sqlite://${partial}`))),
  );
  return `Backed up ${nameOf(from)} to ${to}. ${keyAdvice(from)}`;
}

/** What `work` rejects with, for the operator. */
function explained<Result>(problem: string, work: Promise<Result>): Promise<Result> {
  return work.catch((cause: unknown) => {
    if (cause instanceof OperatorError) throw cause;
    // Of the system or a database; our own sentences say what to do.
    const advice = codeOf(cause) === undefined ? '' : '. Look at both, at whose they are and at their disks.';
    throw new OperatorError(`${problem}: ${messageOf(cause)}${advice}`, { cause });
  });
}

/** Nothing is copied where `stillHeld` rejects. */
async function copyInto(from: StoreUrl, to: StoreUrl, stillHeld?: StillHeld): Promise<Copied> {
  const options = {
    log: silentLog(),
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    idleTimeoutMs: IDLE_TIMEOUT_MS,
  };
  return whileOpen(await openDatabase(from, options), async (source) =>
    whileOpen(await openDatabase(to, options), (target) =>
      source.transaction((read) =>
        target.transaction(async (written) => {
          const copied = await copyRows(read, written);
          await stillHeld?.();
          return copied;
        }),
      ),
    ),
  );
}

/** A database of PostgreSQL may hold several stores. */
const isSame = (one: StoreUrl, other: StoreUrl): boolean =>
  one === other || (isSqlite(one) && isSqlite(other) && nameOf(one) === nameOf(other));

/** The tables of a store would be made in it, and nothing copied. */
function refuseOther(url: StoreUrl): void {
  const fault = isSqlite(url) ? findFault(sqlitePath(url), TABLE) : undefined;
  if (fault !== undefined)
    throw new OperatorError(`${nameOf(url)} cannot be copied: ${fault}. Nothing was changed.`);
}

/** A restore that was killed has left a copy there, which may be the only one by now. */
function refuseWithin(folder: string, file: string): void {
  if (existsSync(folder) && realpathSync(file).startsWith(join(realpathSync(folder), sep)))
    throw new OperatorError(
      `${resolve(file)} lies in ${resolve(folder)}, which every restore empties first. Move it out of there, and name it where it is then.`,
    );
}

/** SQLite would make one. */
export function refuseMissing(url: StoreUrl): void {
  if (isSqlite(url) && isMissing(sqlitePath(url))) {
    throw new OperatorError(
      `There is no store ${nameOf(url)}. Look at its path, STORE_URL and DARKROOM_HOME. The bot makes one when it starts.`,
    );
  }
}

/** Secrets in a store are sealed with a key that is not in it. */
function keyAdvice(...urls: StoreUrl[]): string {
  const file = urls
    .filter(isSqlite)
    .map((url) => resolve(keyFileIn(folderOf(url))))
    .find(existsSync);
  const key = file
    ? `key in ${file}, or with SECRET_KEY where that is set`
    : 'SECRET_KEY that the bot has now';
  return `Its secrets open only with the ${key}: keep it as well.`;
}

const counted = ({ rows, pictures }: Copied): string =>
  `${rows} ${rows === 1 ? 'row' : 'rows'} and the pictures of ${pictures} ${pictures === 1 ? 'job' : 'jobs'}`;
