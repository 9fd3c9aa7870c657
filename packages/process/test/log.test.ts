import { existsSync } from 'node:fs';
import { startCommand } from '@darkroom/testing';
import { expect, test } from 'vitest';

/** The program of util-linux that gives a command a terminal. */
const SCRIPT = '/usr/bin/script';

/** Logs one line where a program logs, and ends at once. */
const PROGRAM = `
  import { createLog, standardOutput } from '${new URL('../dist/index.js', import.meta.url)}';
  const log = createLog({ scrub: (line) => line.replaceAll('hunter2', '…'), destination: await standardOutput() });
  log.warn({ job: '123', err: new Error('with hunter2') }, 'a line');
  process.exit();
`;
const COMMAND = [process.execPath, '--input-type=module', '--eval', PROGRAM] as const;

const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

test('what no person reads is one JSON object a line', async () => {
  const { ended, output } = startCommand(COMMAND, {});
  await ended;
  expect(JSON.parse(output())).toMatchObject({ level: 40, msg: 'a line', job: '123' });
});

test.skipIf(!existsSync('/dev/full'))(
  'a full disk under the log ends no program, and what it keeps of lines is bounded (needs /dev/full)',
  async () => {
    const program = `
      import { createLog, standardOutput } from '${new URL('../dist/index.js', import.meta.url)}';
      const log = createLog({ scrub: (line) => line, destination: await standardOutput() });
      for (let line = 0; line < 300; line++) log.warn('x'.repeat(1_000_000));
      await new Promise((resolve) => setTimeout(resolve, 50));
      process.stderr.write(process.memoryUsage.rss() < 250_000_000 ? 'goes on' : 'keeps everything');
    `;
    const node = [process.execPath, '--input-type=module', '--eval', program].map(quoted).join(' ');
    const { ended, output } = startCommand(['/bin/sh', '-c', `${node} > /dev/full`], {});
    await ended;
    expect(output()).toBe('goes on');
  },
);

test.skipIf(!existsSync(SCRIPT))(
  `a terminal gets lines for people, without secrets (needs ${SCRIPT})`,
  async () => {
    const command = COMMAND.map(quoted).join(' ');
    const { ended, output } = startCommand([SCRIPT, '--quiet', '--command', command, '/dev/null'], {
      TERM: 'dumb',
    });
    await ended;
    expect(output()).toMatch(/^\[\d\d:\d\d:\d\d\.\d{3}\] WARN: a line \{"job":"123"\}/);
    expect(output()).toContain('Error: with …');
    expect(output()).toMatch(/at .+\d+:\d+/);
  },
);
