import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { startCommand, temporaryFolder } from '@darkroom/testing';
import { expect, onTestFinished, test } from 'vitest';
import { wordsIn } from '../src/operator/words/words.ts';
import { DARKROOM } from './support/start-darkroom.ts';
import { KEY, runInTerminal } from './support/terminal.ts';

/** Each takes a tenth of a second of CPU or more to load. */
const DEAR = ['discord.js', 'fastify', 'kysely', 'pg', 'sharp', 'undici'];

/** A bundle names the files that it is made of. */
const packagesNamed = (text: string): string[] =>
  [...text.matchAll(/\bnode_modules\/((?:@[^/]+\/)?[^/]+)/g)].flatMap(([, name]) => name ?? []);

const BUNDLE = new URL('.', pathToFileURL(DARKROOM)).href;

/** A folder to run in, and what a program that has ended there had loaded: Node writes down every script for coverage. */
async function tracedFolder() {
  const folder = await temporaryFolder();
  const coverage = join(folder, 'coverage');
  return {
    folder,
    env: { HOME: folder, DARKROOM_HOME: folder, NODE_V8_COVERAGE: coverage },
    async loaded(): Promise<Set<string>> {
      const reports = await Promise.all(
        (await readdir(coverage)).map((name) => readFile(join(coverage, name), 'utf8')),
      );
      const urls = reports.flatMap((text): { url: string }[] => JSON.parse(text).result);
      const scripts = urls.flatMap(({ url }) => (url.startsWith(BUNDLE) ? fileURLToPath(url) : []));
      const bundled = await Promise.all(scripts.map((path) => readFile(path, 'utf8')));
      return new Set([...urls.map(({ url }) => url), ...bundled].flatMap(packagesNamed));
    },
  };
}

function expectCheap(loaded: ReadonlySet<string>): void {
  expect(loaded).toContain('zod');
  expect(DEAR.filter((name) => loaded.has(name))).toEqual([]);
}

test('set-up asks its first question before it loads what only later steps work with', async () => {
  const { folder, env, loaded } = await tracedFolder();
  const terminal = runInTerminal([DARKROOM, 'setup'], {
    cwd: folder,
    env: { LANG: 'C', ...env },
    columns: 80,
  });
  onTestFinished(terminal.kill);
  await terminal.sees(wordsIn('en').pictures.question);
  terminal.types(KEY.interrupt);
  await terminal.ended;
  expectCheap(await loaded());
});

test.each([
  'help',
  'setup --help',
  'setup --skech',
  'store --help',
  'vault --help',
  'service --help',
  'service acount',
])('`darkroom %s` is answered without loading what the program works with', async (args) => {
  const { folder, env, loaded } = await tracedFolder();
  const program = startCommand([process.execPath, DARKROOM, ...args.split(' ')], env, { cwd: folder });
  onTestFinished(() => void program.child.kill('SIGKILL'));
  await program.ended;
  expectCheap(await loaded());
});

test.each(['start', 'doctor', 'deploy-commands', 'service'])(
  'a wrong setting of `darkroom %s` is said before it loads what it works with',
  async (name) => {
    const { folder, env, loaded } = await tracedFolder();
    const program = startCommand(
      [process.execPath, DARKROOM, name],
      { ...env, LOG_LEVEL: 'loud' },
      { cwd: folder },
    );
    onTestFinished(() => void program.child.kill('SIGKILL'));
    await program.ended;
    expect(program.output()).toContain('LOG_LEVEL');
    expectCheap(await loaded());
  },
);
