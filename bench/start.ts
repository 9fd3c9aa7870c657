import { readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startCommand } from '@darkroom/testing';
import { startBenchDiscord } from './discord.ts';
import type { Line } from './line.ts';

const RUNS = 3;
/**
 * How long the processes are idle before their memory is read: V8 gives back the garbage of a start within half a
 * minute.
 */
const IDLE_MS = 40_000;

interface Program {
  file: 'bundle/darkroom.js' | 'bench/imports.js';
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** What it prints once it is up. */
  ready: string;
}

/** The packages that a bot needs whose image service is elsewhere. */
const OF_THE_BOT = ['image-api', 'process', 'storage', 'time'];

/**
 * How long playground and bot take to start, and the memory of each when idle, beside processes that import their
 * libraries.
 */
export async function startTime(): Promise<readonly Line[]> {
  const discord = await startBenchDiscord({ servers: 1 });
  const every = readdirSync(new URL('../../packages', import.meta.url)).filter((name) => name !== 'testing');
  const programs = {
    playground: { file: 'bundle/darkroom.js', args: ['start'], ready: 'Stop with Ctrl-C' },
    playgroundImports: importing(every),
    bot: {
      file: 'bundle/darkroom.js',
      args: ['start'],
      env: {
        DISCORD_TOKEN: discord.token,
        DISCORD_API_URL: discord.apiUrl,
        IMAGE_API_URL: 'http://127.0.0.1:9',
        NODE_ENV: 'production',
      },
      ready: 'the bot is on Discord',
    },
    botImports: importing(OF_THE_BOT),
  } satisfies Record<string, Program>;
  type Name = keyof typeof programs;
  const names = Object.keys(programs) as Name[];
  const ms: Record<Name, number[]> = { playground: [], playgroundImports: [], bot: [], botImports: [] };
  const mebibytes: typeof ms = { playground: [], playgroundImports: [], bot: [], botImports: [] };
  const running: { name: Name; process: Running }[] = [];
  try {
    for (let run = 0; run < RUNS; run += 1) {
      for (const name of names) {
        const process = await start(programs[name]);
        running.push({ name, process });
        ms[name].push(process.startedInMs);
      }
    }
    await delay(IDLE_MS);
    for (const { name, process } of running) mebibytes[name].push(await process.residentMebibytes());
  } finally {
    await Promise.all(running.map(({ process }) => process.stop()));
    await discord.stop();
  }
  const what = 'its libraries imported, and nothing else';
  return [
    {
      name: 'npm start: until the page of the playground answers',
      unit: 'ms',
      ours: ms.playground,
      bare: { what, runs: ms.playgroundImports },
    },
    {
      name: 'playground: idle, with bot, service and local Discord in one process',
      unit: 'MiB',
      ours: mebibytes.playground,
      bare: { what, runs: mebibytes.playgroundImports },
    },
    {
      name: 'bot alone: until it is on Discord',
      unit: 'ms',
      ours: ms.bot,
      bare: { what, runs: ms.botImports },
    },
    {
      name: 'bot alone: idle',
      unit: 'MiB',
      ours: mebibytes.bot,
      bare: { what, runs: mebibytes.botImports },
      goal: { atMostTimesBare: 1.2 },
    },
  ];
}

const importing = (packages: readonly string[]) =>
  ({
    file: 'bench/imports.js',
    args: ['.', ...packages.map((name) => join('packages', name))],
    ready: 'ready',
  }) satisfies Program;

type Running = Awaited<ReturnType<typeof start>>;

/** Resolves once it is up; where it printed an address, once that answers. */
async function start({ file, args, env, ready }: Program) {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-bench-'));
  const startedAt = performance.now();
  const path = fileURLToPath(new URL(`../${file}`, import.meta.url));
  const program = startCommand(
    [process.execPath, path, ...args],
    { PLAYGROUND_PORT: '0', SERVICE_PORT: '0', ...env },
    { cwd: folder },
  );
  await program.says(ready);
  const [, url] = /Open (http:\S+)/.exec(program.output()) ?? [];
  if (url !== undefined) await (await fetch(url)).text();
  return {
    startedInMs: performance.now() - startedAt,
    async stop(): Promise<void> {
      await program.end('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
    /** By /proc, which only Linux has; `NaN` elsewhere. */
    async residentMebibytes(): Promise<number> {
      const status = await readFile(`/proc/${program.child.pid}/status`, 'utf8').catch(() => '');
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
    },
  };
}
