import { messageOf, WrongSettings } from '@darkroom/process';
import type { Words } from '../operator/words/words.ts';

/** What this machine refused, and what mends it, in a sentence; of anything else, what it says itself. */
export function machineProblem(error: unknown, { machine, said, wrongSettings }: Words): string {
  if (error instanceof WrongSettings) return wrongSettings(error);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'SQLITE_FULL':
      return machine.full;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'SQLITE_READONLY':
    case 'SQLITE_CANTOPEN':
      return machine.closed;
    default:
      return said(messageOf(error)).replace(/[^.]$/, '$&.');
  }
}
