import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SHORT_RUN } from './short-run.ts';

/** How a process ended: its code, or the signal that killed it. */
interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Milliseconds since it was asked to end, or since its start. */
  afterMs: number;
}

export type StartedProcess = ReturnType<typeof startCommand>;

interface ProcessOptions {
  cwd?: string;
  uid?: number;
}

/**
 * Runs a compiled file in a process of its own, with this environment and no other, in `cwd` and as user `uid` where
 * given.
 */
export const startProcess = (
  file: URL,
  env: Readonly<Record<string, string>>,
  options?: ProcessOptions,
): StartedProcess => startCommand([process.execPath, ...SHORT_RUN, fileURLToPath(file)], env, options);

/**
 * What is to be loaded before a program that is to tell its longest turn, and how it is told: see `longest-turn.ts`.
 */
export function measuringTurns(folder: string) {
  const file = join(folder, 'longest-turn');
  const module = new URL('../dist/longest-turn.js', import.meta.url).href;
  return {
    env: { NODE_OPTIONS: `--import ${module}`, LONGEST_TURN: file },
    /** From now on, in a process that runs. */
    begin: ({ child }: StartedProcess): boolean => child.kill('SIGUSR2'),
    /** Milliseconds of CPU time, once the process has ended. */
    longestMs: async (): Promise<number> => Number(await readFile(file, 'utf8')),
  };
}

export function startCommand(
  [program, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
  options: ProcessOptions = {},
) {
  let since = Date.now();
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  });
  let output = '';
  const heard = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      for (const listen of heard) listen();
    });
  }
  const ended = once(child, 'close').then(
    ([code, signal]): Ended => ({ code, signal, afterMs: Date.now() - since }),
  );

  return {
    child,
    /** What it has written to standard output and standard error so far. */
    output: () => output,
    ended,
    /** Resolves once it has written `words`; rejects where it ends before. */
    async says(words: string): Promise<void> {
      const said = new Promise<void>((resolve) => {
        const listen = () => {
          if (!output.includes(words)) return;
          heard.delete(listen);
          resolve();
        };
        heard.add(listen);
        listen();
      });
      const silent = ended.then(({ code }) => {
        throw new Error(`it ended with ${code} before it said ${words}:\n${output}`);
      });
      await Promise.race([said, silent]);
    },
    end(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
      since = Date.now();
      child.kill(signal);
      return ended;
    },
  };
}
