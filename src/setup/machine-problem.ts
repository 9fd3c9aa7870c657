import { messageOf } from '@darkroom/process';
import type { Words } from '../operator/words/words.ts';

/** Of the system, and of SQLite, which cannot map its shared memory on a full disk. */
const FULL = /^(ENOSPC|EDQUOT|SQLITE_FULL|SQLITE_IOERR_(WRITE|SHMSIZE))$/;
const CLOSED = /^(EACCES|EPERM|EROFS|SQLITE_(READONLY|CANTOPEN)\w*)$/;

/** What this machine refused, and what mends it, in a sentence; of anything else, what it says itself. */
export function machineProblem(error: unknown, { machine, said }: Words): string {
  const codes = codesOf(error);
  if (codes.some((code) => FULL.test(code))) return machine.full;
  if (codes.some((code) => CLOSED.test(code))) return machine.closed;
  return said(messageOf(error)).replace(/[^.]$/, '$&.');
}

function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  return [...('code' in error ? [`${error.code}`] : []), ...codesOf(error.cause)];
}
