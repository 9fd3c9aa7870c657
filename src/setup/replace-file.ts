import { randomUUID } from 'node:crypto';
import { chown, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { OperatorError } from '@darkroom/process';
import { flushName, renameFile } from '@darkroom/storage';
import type { Words } from '../operator/words/words.ts';
import { machineProblem } from './machine-problem.ts';

/** For its owner alone. */
const MODE = 0o600;

/**
 * Never half a file: the whole of it is on the disk under another name first. A link stays one. Root
 * gives it to whom the file `owned` belongs, which is the one that is replaced unless given. Rejects with an
 * `OperatorError` only where it is replaced, but its name may not be on the disk.
 */
export async function replaceFile(
  path: string,
  text: string,
  { owned = path }: { owned?: string } = {},
): Promise<void> {
  const real = await realpath(path).catch(() => path);
  const next = `${real}.${randomUUID()}`;
  try {
    await writeFile(next, text, { flag: 'wx', mode: MODE, flush: true });
    const owner = await stat(owned).catch(() => undefined);
    if (owner && process.getuid?.() === 0) await chown(next, owner.uid, owner.gid);
    await renameFile(next, real);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
  await flushName(real);
}

/** What to tell where `replaceFile` has rejected with `cause`, or what was to be written was not to be had. */
export const unwritten = (path: string, cause: unknown, words: Words): OperatorError =>
  new OperatorError(
    cause instanceof OperatorError
      ? words.said(cause.message)
      : words.file.unwritable(resolve(path), machineProblem(cause, words)),
    { cause },
  );
