import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { duration, mebibytes, median } from './statistics.ts';

const RUNS = 5;
/** How long a process is idle before its memory is read. */
const IDLE_MS = 5_000;

const programs = {
  darkroom: fileURLToPath(new URL('../src/main.js', import.meta.url)),
  imports: fileURLToPath(new URL('./imports.js', import.meta.url)),
};

/** The time from the start of the playground to a page that answers, and the memory of the idle process. */
export async function startTime(): Promise<readonly string[]> {
  const ready: number[] = [];
  const idle: number[] = [];
  const importsOnly: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const startedAt = performance.now();
    await inProcess(programs.darkroom, /Open (http:\S+)/, async (child, [, url = '']) => {
      await (await fetch(url)).text();
      ready.push(performance.now() - startedAt);
      await delay(IDLE_MS);
      idle.push(await residentBytes(child));
    });
    await inProcess(programs.imports, /ready/, async (child) => {
      await delay(IDLE_MS);
      importsOnly.push(await residentBytes(child));
    });
  }
  const ratio = median(idle) / median(importsOnly);
  return [
    `to a page that answers: ${duration(median(ready))} (slowest of ${RUNS}: ${duration(Math.max(...ready))})`,
    `idle, everything in one process: ${mebibytes(median(idle))} resident; ` +
      `its libraries imported and nothing else: ${mebibytes(median(importsOnly))}; ratio ${ratio.toFixed(2)}`,
  ];
}

async function inProcess(
  program: string,
  readyLine: RegExp,
  use: (child: ChildProcess, ready: RegExpExecArray) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-bench-'));
  const child = spawn(process.execPath, [program], {
    cwd: folder,
    env: { PATH: process.env.PATH, PLAYGROUND_PORT: '0', SERVICE_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  try {
    let printed = '';
    for await (const text of child.stdout.setEncoding('utf8')) {
      printed += text;
      const ready = readyLine.exec(printed);
      if (!ready) continue;
      await use(child, ready);
      break;
    }
  } finally {
    child.kill('SIGKILL');
    await closed;
    await rm(folder, { recursive: true, force: true });
  }
}

/** By /proc, which only Linux has; `NaN` elsewhere. */
async function residentBytes({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}
