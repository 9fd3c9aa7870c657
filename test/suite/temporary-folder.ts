import { readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Where Linux has files in memory. */
const IN_MEMORY = '/dev/shm';

/** Much more than all tests keep there at once, packages that they install among it. */
const ROOM_BYTES = 3 * 2 ** 30;

/**
 * The folder in which tests make their own: in memory where there is room, and where programs may run from it, since every
 * commit to SQLite waits until a disk has it. A process that is killed loses nothing there.
 */
export function temporaryFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    const mounted = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === IN_MEMORY);
    const mayRun = mounted !== undefined && !mounted.split(' ')[3]?.split(',').includes('noexec');
    return mayRun && bavail * bsize > ROOM_BYTES ? IN_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
