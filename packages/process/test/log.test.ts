import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { startCommand } from '@darkroom/testing';
import { expect, onTestFinished, type TestContext, test } from 'vitest';

/** The program of util-linux that gives a command a terminal. */
const SCRIPT = '/usr/bin/script';

/** Logs one line where a program logs, and ends at once. */
const PROGRAM = `
  import { createLog, standardOutput } from '${new URL('../dist/index.js', import.meta.url)}';
  const log = createLog({ scrub: (line) => line.replaceAll('hunter2', '…'), destination: await standardOutput() });
  log.warn({ job: '123', err: new Error('with hunter2') }, 'a line');
  process.exit();
`;
const NODE = [process.execPath, '--input-type=module', '--eval'] as const;

const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;
const asCommand = (program: string) => [...NODE, program].map(quoted).join(' ');

test('what no person reads is one JSON object a line', async () => {
  const { ended, output } = startCommand([...NODE, PROGRAM], {});
  await ended;
  expect(JSON.parse(output())).toMatchObject({ level: 40, msg: 'a line', job: '123' });
});

test.skipIf(!existsSync('/dev/full'))(
  'a full disk under the log ends no program, and what it keeps of lines is bounded (needs /dev/full)',
  async () => {
    const program = `
      import { createLog, standardOutput } from '${new URL('../dist/index.js', import.meta.url)}';
      const log = createLog({ scrub: (line) => line, destination: await standardOutput() });
      for (let line = 0; line < 600; line++) log.warn('x'.repeat(499_000));
      await new Promise((resolve) => setTimeout(resolve, 50));
      process.stderr.write(process.memoryUsage.rss() < 250_000_000 ? 'goes on' : 'keeps everything');
    `;
    const { ended, output } = startCommand(['/bin/sh', '-c', `${asCommand(program)} > /dev/full`], {});
    await ended;
    expect(output()).toBe('goes on');
  },
);

test('many logs of a process are told of an error of its output by one listener', async () => {
  const program = `
    import { createLog } from '${new URL('../dist/index.js', import.meta.url)}';
    for (let log = 0; log < 20; log++) createLog({ scrub: (line) => line });
    process.stdout.write(String(process.stdout.listenerCount('error')));
  `;
  const { ended, output } = startCommand([...NODE, program], {});
  await ended;
  expect(output()).toBe('1');
});

const PLACES = ['a pipe', `a terminal (needs ${SCRIPT})`];

/** A program whose log nobody reads until `read` is called, and what it says beside that, its exit code last. */
function unread(place: string, program: string, { skip }: TestContext) {
  const ended = `${asCommand(program)} 2>&3; echo " $?" >&3`;
  const inTerminal = `${SCRIPT} --quiet --command ${quoted(ended)} /dev/null`;
  skip(place !== 'a pipe' && !existsSync(SCRIPT));
  const { stdout, stderr, pid } = spawn(
    '/bin/sh',
    ['-c', `exec 3>&2; ${place === 'a pipe' ? ended : inTerminal}`],
    { stdio: ['ignore', 'pipe', 'pipe'], detached: true },
  );
  onTestFinished(() => {
    stdout.destroy();
    if (pid !== undefined) killGroup(pid);
  });
  let said = '';
  stderr.setEncoding('utf8').on('data', (more: string) => {
    said += more;
  });
  return {
    said: () => said,
    /** All of it, with a pause after each piece. */
    async read({ pauseMs }: { pauseMs: number }): Promise<string> {
      let read = '';
      for await (const piece of stdout.setEncoding('utf8')) {
        read += piece;
        await delay(pauseMs);
      }
      return read;
    },
  };
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

test.for(PLACES)(
  'who stops reading %s keeps no program waiting, and what it keeps of lines is bounded',
  async (place, context) => {
    const program = `
      import { createLog, standardOutput } from '${new URL('../dist/index.js', import.meta.url)}';
      const log = createLog({ scrub: (line) => line, destination: await standardOutput() });
      for (let line = 0; line < 600; line++) log.warn('x'.repeat(499_000));
      process.stderr.write(process.memoryUsage.rss() < 250_000_000 ? 'goes on' : 'keeps everything', () => process.exit());
    `;
    const { said } = unread(place, program, context);
    await expect.poll(said).toBe('goes on 0\n');
  },
);

/** Says who it is once it has logged more than anything between it and a reader takes, and less than it keeps. */
const stopping = (lines: number) => `
  import { createLog, runUntilSignal, standardOutput } from '${new URL('../dist/index.js', import.meta.url)}';
  const log = createLog({ scrub: (line) => line, destination: await standardOutput() });
  await runUntilSignal(async () => {
    for (let line = 0; line < ${lines}; line++) log.info('x'.repeat(499));
    process.stderr.write(process.pid + ' is full');
    setInterval(() => undefined, 1_000);
    return async () => {
      log.info('the last line');
      process.stderr.write(' stops');
    };
  });
`;

test.for(PLACES)(
  'a program that stops ends also where nobody reads %s with its log',
  async (place, context) => {
    const { said } = unread(place, stopping(1_800), context);
    await expect.poll(said).toMatch(/is full$/);
    process.kill(Number.parseInt(said(), 10));
    await expect.poll(said).toMatch(/is full stops 0\n$/);
  },
);

test.for(PLACES)(
  'who reads %s on, however slowly, while a program stops gets its last line',
  async (place, context) => {
    const { said, read } = unread(place, stopping(1_200), context);
    await expect.poll(said).toMatch(/is full$/);
    const log = read({ pauseMs: 150 });
    process.kill(Number.parseInt(said(), 10));
    expect(await log).toContain('the last line');
  },
);

test.skipIf(!existsSync(SCRIPT))(
  `a terminal gets lines for people, without secrets (needs ${SCRIPT})`,
  async () => {
    const command = [SCRIPT, '--quiet', '--command', asCommand(PROGRAM), '/dev/null'] as const;
    const { ended, output } = startCommand(command, { TERM: 'dumb' });
    await ended;
    expect(output()).toMatch(/^\[\d\d:\d\d:\d\d\.\d{3}\] WARN: a line \{"job":"123"\}/);
    expect(output()).toContain('Error: with …');
    expect(output()).toMatch(/at .+\d+:\d+/);
  },
);
