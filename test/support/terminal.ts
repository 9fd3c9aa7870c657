import { stripVTControlCharacters } from 'node:util';
import { SHORT_RUN, until } from '@darkroom/testing';
import { spawn } from '@lydell/node-pty';

export const KEY = {
  enter: '\r',
  up: '\u001B[A',
  down: '\u001B[B',
  right: '\u001B[C',
  deleteLine: '\u0015',
  interrupt: '\u0003',
} as const;

/** What a terminal got at once, and when, in milliseconds of this machine's clock. */
export interface Shown {
  atMs: number;
  text: string;
}

export interface TerminalProgram {
  /** What it has written, as a terminal gets it. */
  output(): string;
  /** The same, in its pieces. */
  recording(): readonly Shown[];
  /** Everything that it has shown, also what it has drawn over since, in single spaces and without frames. */
  reads(): string;
  /** Resolves once it has shown `words` after everything that was waited for before. */
  sees(words: string): Promise<void>;
  types(...keys: string[]): void;
  /** As `sees`; then types that, and Enter. */
  answers(question: string, ...typed: string[]): Promise<void>;
  signal(name: NodeJS.Signals): void;
  kill(): Promise<void>;
  /** Its exit code. */
  ended: Promise<number>;
}

/** Runs `node FILE ARGUMENTS` in a pseudo-terminal of so many columns and rows. */
export function runInTerminal(
  args: readonly string[],
  {
    env,
    cwd,
    columns,
    rows = 40,
  }: { env: Readonly<Record<string, string>>; cwd: string; columns: number; rows?: number | undefined },
): TerminalProgram {
  const child = spawn(process.execPath, [...SHORT_RUN, ...args], {
    cols: columns,
    rows,
    cwd,
    name: 'xterm-256color',
    env: { PATH: process.env.PATH, ...env },
  });
  let output = '';
  const recording: Shown[] = [];
  child.onData((text) => {
    output += text;
    recording.push({ atMs: Date.now(), text });
  });
  const ended = new Promise<number>((resolve) => child.onExit(({ exitCode }) => resolve(exitCode)));
  let seen = 0;

  const reads = (): string =>
    stripVTControlCharacters(output)
      .replace(/[│◆◇●○■▲┌└├╮╯─◒]/gu, ' ')
      .replace(/\s+/g, ' ');

  async function sees(words: string): Promise<void> {
    await until(() => {
      const at = reads().indexOf(words, seen);
      if (at !== -1) seen = at + words.length;
      return at !== -1;
    }, words).catch((cause: unknown) => {
      throw new Error(`it does not say ${words}, but:\n${stripVTControlCharacters(output)}`, { cause });
    });
  }

  function types(...keys: string[]): void {
    for (const key of keys) child.write(key);
  }

  return {
    output: () => output,
    recording: () => recording,
    reads,
    ended,
    sees,
    types,
    async answers(question, ...typed) {
      await sees(question);
      types(...typed, KEY.enter);
    },
    signal: (name) => child.kill(name),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
