import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Does `work` while every core also runs an endless loop, as on a small server that is shared. */
export async function whileBusy<Result>(work: () => Promise<Result>): Promise<Result> {
  const loops = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' }),
  );
  try {
    return await work();
  } finally {
    for (const loop of loops) loop.kill('SIGKILL');
  }
}
