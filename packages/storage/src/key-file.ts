import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { codeOf, messageOf, OperatorError } from '@darkroom/process';
import { flushName } from './flush.ts';

/**
 * The key in the file `path`: 64 hex characters. Creates the file with a random key (mode 0600) where there is none.
 * Who loses the file loses everything that its key has sealed. Rejects with an `OperatorError` where the file can be
 * neither read nor created, holds no key, or is there now but its name may not be on the disk.
 */
export async function readOrCreateKeyFile(path: string): Promise<string> {
  const key = await readKeyFile(path)
    .catch(async (error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error;
      await createKeyFile(path);
      return readKeyFile(path);
    })
    .catch((cause: unknown) => {
      if (cause instanceof OperatorError) throw cause;
      throw new OperatorError(
        `The key file ${resolve(path)} can be neither read nor created: ${messageOf(cause)}. Give it and its folder to the user who runs this.`,
        { cause },
      );
    });
  if (!/^[0-9a-f]{64}$/i.test(key)) {
    throw new OperatorError(
      `${resolve(path)} does not hold 64 hex characters; restore it from a backup, or set SECRET_KEY`,
    );
  }
  return key;
}

/** A store that holds what the key in a key file has sealed. */
export interface Sealed {
  /** Its file; undefined where it is in no file. */
  file: string | undefined;
  /** The command that gives up what a lost key has sealed. */
  reset: string;
}

/** Throws `OperatorError` where there is something that only the missing key in `path` can open. */
export function refuseMissingKey(path: string, { file, reset }: Sealed): void {
  // In this order: who makes both makes the key first.
  if (file === undefined || !existsSync(file) || existsSync(path)) return;
  throw new OperatorError(
    `${resolve(path)} is missing, and SECRET_KEY is not set: one of them has sealed what is in ${resolve(file)}. Put it back. If it is lost for good, ${reset} erases what nobody can open any more.`,
  );
}

const readKeyFile = async (path: string) => (await readFile(path, 'utf8')).trim();

/**
 * Writes the file whole or not at all, even if the process dies, the disk is full or the machine loses power. An
 * existing file is not replaced.
 */
async function createKeyFile(path: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}`;
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(temporary, `${randomBytes(32).toString('hex')}\n`, {
      flag: 'wx',
      mode: 0o600,
      flush: true,
    });
    await link(temporary, path).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
  } finally {
    await rm(temporary, { force: true });
  }
  await flushName(path);
}
