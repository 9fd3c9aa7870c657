import { Stopped } from './ask.ts';

const CTRL_C = '\u0003';

/**
 * Does `work` while what is typed is neither shown nor read: a token that is pasted too early stays out of the
 * scrollback. Ctrl-C aborts the signal of the work, and once more it ends the process. Rejects with `Stopped` after
 * the first.
 */
export async function withoutEcho<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const { stdin } = process;
  const stopped = new AbortController();
  const onInterrupt = () => {
    if (!stopped.signal.aborted) return stopped.abort(new Stopped());
    release();
    process.kill(process.pid, 'SIGINT');
  };
  // As a key, so that npm does not hear of it, which would pass it on a second time.
  const onTyped = (typed: Buffer | string) => {
    if (typed.includes(CTRL_C)) onInterrupt();
  };
  const release = () => {
    process.off('SIGINT', onInterrupt);
    stdin.off('data', onTyped).pause();
    stdin.setRawMode(false);
  };
  process.on('SIGINT', onInterrupt);
  stdin.setRawMode(true);
  stdin.on('data', onTyped).resume();
  try {
    const result = await work(stopped.signal);
    stopped.signal.throwIfAborted();
    return result;
  } catch (error) {
    throw stopped.signal.aborted ? stopped.signal.reason : error;
  } finally {
    release();
  }
}
