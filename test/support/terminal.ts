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

export type TerminalProgram = ReturnType<typeof runInTerminal>;

/** Runs `node FILE ARGUMENTS` in a pseudo-terminal of so many columns and rows. */
export function runInTerminal(
  args: readonly string[],
  {
    env,
    cwd,
    columns,
    rows = 40,
  }: { env: Readonly<Record<string, string>>; cwd: string; columns: number; rows?: number | undefined },
) {
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
  /** Its exit code. */
  const ended = new Promise<number>((resolve) => child.onExit(({ exitCode }) => resolve(exitCode)));
  let seen = 0;

  /** Everything that it has shown, also what it has drawn over since, in single spaces and without frames. */
  const reads = (): string =>
    stripVTControlCharacters(output)
      .replace(/[│◆◇●○■▲┌└├╮╯─◒]/gu, ' ')
      .replace(/\s+/g, ' ');

  /** Resolves once it has shown `words` after everything that was waited for before. */
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
    /** What it has written, as a terminal gets it. */
    output: () => output,
    /** The same, in its pieces. */
    recording: (): readonly Shown[] => recording,
    reads,
    ended,
    sees,
    types,
    /** As `sees`; then types that, and Enter. */
    async answers(question: string, ...typed: string[]): Promise<void> {
      await sees(question);
      types(...typed, KEY.enter);
    },
    signal: (name: NodeJS.Signals) => child.kill(name),
    async kill(): Promise<void> {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
