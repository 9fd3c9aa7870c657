import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Line } from './line.ts';

const RUNS = 5;
/** How long a process is idle before its memory is read. */
const IDLE_MS = 5_000;

const programs = {
  darkroom: fileURLToPath(new URL('../src/main.js', import.meta.url)),
  imports: fileURLToPath(new URL('./imports.js', import.meta.url)),
};

/** The time from the start of the playground to a page that answers, and the memory of the idle process. */
export async function startTime(): Promise<readonly Line[]> {
  const ready: number[] = [];
  const idle: number[] = [];
  const importsOnly: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const startedAt = performance.now();
    await inProcess(programs.darkroom, /Open (http:\S+)/, async (child, [, url = '']) => {
      await (await fetch(url)).text();
      ready.push(performance.now() - startedAt);
      await delay(IDLE_MS);
      idle.push(await residentMebibytes(child));
    });
    await inProcess(programs.imports, /ready/, async (child) => {
      await delay(IDLE_MS);
      importsOnly.push(await residentMebibytes(child));
    });
  }
  return [
    { name: 'playground: to a page that answers', unit: 'ms', ours: ready },
    {
      name: 'playground: idle, everything in one process',
      unit: 'MiB',
      ours: idle,
      bare: { what: 'its libraries imported', runs: importsOnly },
    },
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
async function residentMebibytes({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}
