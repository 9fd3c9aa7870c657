import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where Linux has files in memory. */
const IN_MEMORY = '/dev/shm';

/** Much more than all tests keep there at once, packages that they install among it. */
const ROOM_BYTES = 3 * 2 ** 30;

/** From one try to remove a folder to the next. */
const RETRY_MS = 100;

/** With the number of the process whose tests it is for. */
const NAME = /^darkroom-tests-(\d+)$/;

/**
 * The folder in which the tests of this process make their own. It is removed at the end; what a run that was killed
 * has left, by the next one.
 */
export function temporaryFolder(): string {
  const place = placeOfFolders();
  for (const name of readdirSync(place)) {
    const pid = NAME.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) remove(join(place, name));
  }
  const folder = join(place, `darkroom-tests-${process.pid}`);
  // Programs are run in it as other users, too.
  const isNew = mkdirSync(folder, { recursive: true, mode: 0o755 }) !== undefined;
  // A process may run the tests again and again.
  if (isNew) process.once('exit', () => remove(folder));
  return folder;
}

/**
 * Programs that end with this process may still write there. `maxRetries` does not help: Node removes an empty folder
 * again, and not what was written to it since.
 */
function remove(folder: string, triesLeft = 10): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if (triesLeft === 0) throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    remove(folder, triesLeft - 1);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there, and another user's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * In memory where there is room, and where programs may run from it, since every commit to SQLite waits until a disk
 * has it: a process that is killed loses nothing there.
 */
function placeOfFolders(): string {
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
