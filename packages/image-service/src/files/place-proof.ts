import { randomBytes } from 'node:crypto';
import { type Log, messageOf, OperatorError } from '@darkroom/process';
import { awaitAnswer, UNREACHABLE } from '@darkroom/storage';
import { withTimeout } from '@darkroom/time';
import type { ServiceDatabase } from '../database/database.ts';
import { type FilePlace, PROBE_SIZE } from './file-place.ts';

const TIMEOUT_MS = 15_000;

const CONTENT = Buffer.from(
  'By this file the image service knows that the pictures of its database are here. Keep it with them.\n',
);

/** Waits as `awaitAnswer` does until the place answers, be it with a refusal. */
export async function awaitPlace(
  place: FilePlace,
  { log, signal }: { log: Log; signal: AbortSignal | undefined },
): Promise<void> {
  const ask = (over: AbortSignal) => place.has('proof', over);
  await awaitAnswer(() => withTimeout(TIMEOUT_MS, ask, { signal }), {
    isAway,
    say: (error) =>
      log.warn(
        `${place.description} (PICTURES_URL) does not answer: ${messageOf(error)}. Trying again; check that it is there`,
      ),
    signal,
  });
}

/** Whether the place was not there, or not yet: it has refused nothing. */
function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // The SDK's own timeouts have no code.
  if (/TimeoutError/.test(`${error}`)) return true;
  return UNREACHABLE.has(Reflect.get(error, 'code')) || Reflect.get(error, 'status') >= 500;
}

/**
 * Proves that the place is the one that the database's other processes use: a file of random name in it, which the
 * database knows. The first process makes both. Returns the file's name; throws `OperatorError` where the file is not
 * there.
 */
export async function provePlace(db: ServiceDatabase, place: FilePlace): Promise<string> {
  const proof = (await readProof(db)) ?? (await makeProof(db, place));
  await requireProof(place, proof);
  return proof;
}

/**
 * Whether it is the right place, and takes files, for who only looks: where the database knows of none, the first start
 * makes it. Throws `OperatorError` where it is not.
 */
export async function examinePlace(db: ServiceDatabase, place: FilePlace): Promise<void> {
  const proof = await readProof(db);
  if (proof === null) return;
  await requireProof(place, proof);
  await within(place, (signal) => place.probe(PROBE_SIZE, signal));
}

async function requireProof(place: FilePlace, proof: string): Promise<void> {
  if (await within(place, (signal) => place.has(proof, signal))) return;
  throw new OperatorError(
    [
      `The pictures of this database are not in ${place.description} (PICTURES_URL): the file ${proof} is missing there.`,
      'All processes of a service need the same folder, on a disk that they share and that is mounted, or the same bucket.',
      'Where pictures were moved, move this file with them. Where they are lost, make an empty file of that name.',
    ].join('\n'),
  );
}

const within = <Result>(place: FilePlace, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> =>
  withTimeout(TIMEOUT_MS, work).catch((cause: unknown) => {
    throw new OperatorError(
      `The service cannot use ${place.description} for its pictures (PICTURES_URL): ${messageOf(cause)}. Check that it is there and has room, and that the service may write to it.`,
      { cause },
    );
  });

/** The file is there before the database knows it, so that whoever reads its name finds it. */
async function makeProof(db: ServiceDatabase, place: FilePlace): Promise<string> {
  const proof = `proof-${randomBytes(16).toString('hex')}.txt`;
  await within(place, async (signal) => {
    await place.create(signal);
    await place.write(proof, CONTENT, signal);
  });
  const { numUpdatedRows } = await db
    .updateTable('installation')
    .set({ picturesProof: proof })
    .where('picturesProof', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return proof;
  // Another process was first; it may be in another place.
  await within(place, (signal) => place.remove(proof, signal));
  return (await readProof(db)) ?? proof;
}

const readProof = async (db: ServiceDatabase): Promise<string | null> =>
  (await db.selectFrom('installation').select('picturesProof').executeTakeFirstOrThrow()).picturesProof;
