import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '@darkroom/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createThreads, ThreadsFullError } from '../src/threads.ts';

/** The address of a module that a thread runs. */
async function workerOf(text: string): Promise<string> {
  const file = `${await temporaryFolder()}/worker.mjs`;
  await writeFile(file, text);
  return pathToFileURL(file).href;
}

type Works = { double: (number: number) => number };
const DOUBLE = 'export const double = (number) => 2 * number;';

function threadsOf(worker: string) {
  const threads = createThreads<Works>({ worker, maxThreads: 1, idleMs: 1_000 });
  onTestFinished(threads.close);
  return threads;
}

/** Doubles while no further file can be opened, and again when one can. */
const DOUBLE_TWICE = `
  const { openSync, closeSync } = await import('node:fs');
  const [module, worker] = process.argv.slice(1);
  const { createThreads } = await import(module);
  await import('piscina');
  const threads = createThreads({ worker, maxThreads: 1, idleMs: 1_000 });
  const double = (number) => threads.run('double', number, { signal: AbortSignal.timeout(30_000) });
  const files = [];
  try { for (;;) files.push(openSync('/dev/null')); } catch {}
  const first = await double(1).catch(({ message }) => message);
  for (const file of files) closeSync(file);
  const second = await double(2);
  await threads.close();
  console.log(JSON.stringify([first, second]));
`;

test('whoever waits for a thread that cannot begin is told, and the next task has one', async () => {
  const module = fileURLToPath(new URL('../dist/threads.js', import.meta.url));
  const node = [process.execPath, '--input-type=module', '-e', DOUBLE_TWICE];
  const few = ['-c', 'ulimit -n 60; exec "$0" "$@"', ...node, module, await workerOf(DOUBLE)];
  const { stdout } = await promisify(execFile)('sh', few, { cwd: dirname(module) });
  expect(JSON.parse(stdout)).toEqual(['Worker initialization failure: EMFILE', 4]);
});

test('what a thread cannot load is told to whoever has a task, and closing goes on', async () => {
  await expect(threadsOf('file:///not-there.js').run('double', 1)).rejects.toThrow('not-there.js');
});

test('what nobody waits for any more ends', async () => {
  const cause = new Error('nobody waits');
  const working = threadsOf(await workerOf(DOUBLE)).run('double', 1, { signal: AbortSignal.abort(cause) });
  await expect(working).rejects.toMatchObject({ name: 'AbortError', cause });
});

test('more than may wait is refused at once', async () => {
  const { run, close } = createThreads<Works>({
    worker: 'file:///not-there.js',
    maxThreads: 1,
    idleMs: 1_000,
    most: 1,
  });
  onTestFinished(close);
  const first = run('double', 1).catch((error: unknown) => error);
  await expect(run('double', 2)).rejects.toBeInstanceOf(ThreadsFullError);
  await first;
});
