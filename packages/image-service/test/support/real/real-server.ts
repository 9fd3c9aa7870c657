import { freePort, type StartedProcess, startCommand, until } from '@darkroom/testing';

/** A program of somebody else's that draws, on this machine. */
export interface RealServer {
  url: string;
  /** What it has written so far. */
  output(): string;
  /** Ends it at once. */
  kill(): Promise<void>;
  /** Starts it again, under the same address. */
  start(): Promise<void>;
}

/**
 * Starts a program, with one thread, as several would wait for each other on a busy machine, that says `ready` when
 * it can be called in a moment.
 */
export async function startRealServer(
  command: (port: number) => readonly [string, ...string[]],
  { ready, home }: { ready: string; home: string },
): Promise<RealServer> {
  const port = await freePort();
  let running: StartedProcess;

  async function start(): Promise<void> {
    running = startCommand(command(port), { HOME: home, OMP_NUM_THREADS: '1' }, { cwd: home });
    await running.says(ready);
    await until(() => fetch(`http://127.0.0.1:${port}`).catch(() => undefined), 'an answer');
  }
  await start();
  return {
    url: `http://127.0.0.1:${port}`,
    output: () => running.output(),
    kill: async () => void (await running.end('SIGKILL')),
    start,
  };
}
