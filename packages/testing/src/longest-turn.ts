import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into a process before its own program (`--import`): measures how long its main thread works at most before
 * it looks at what else has happened, by its CPU time, so that a busy machine makes it no longer. SIGUSR2 begins
 * anew; the milliseconds are in the file `LONGEST_TURN` once the process has ended. Linux tells the CPU time of a
 * thread.
 */
const threadMs = (): number =>
  Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;

const file = process.env.LONGEST_TURN;
if (isMainThread && file !== undefined) {
  let longest = 0;
  let before = threadMs();
  setInterval(() => {
    const now = threadMs();
    longest = Math.max(longest, now - before);
    before = threadMs();
  }, 1).unref();
  process.on('SIGUSR2', () => {
    longest = 0;
    before = threadMs();
  });
  process.on('exit', () => writeFileSync(file, `${longest}`));
}
