import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { codeBlocks } from './code-blocks.ts';
import { WAIT_TIMEOUT_MS } from './wait.ts';

const run = promisify(execFile);

/**
 * Runs the first `js` block of a package's README as its reader would: by Node, with the package's compiled files.
 * Resolves with what it prints and the folder that it ran in: `installed`, where `installPacked` has put the package,
 * or one below the package that is removed after the test.
 */
export async function runReadmeExample(
  readme: URL,
  env: Readonly<Record<string, string>> = {},
  installed?: string,
): Promise<{ stdout: string; folder: string }> {
  const [code] = await codeBlocks(readme, 'js');
  if (code === undefined) throw new Error(`${readme.pathname} has no js block`);
  const folder = installed ?? (await folderBelow(readme));
  const file = join(folder, 'example.mjs');
  await writeFile(file, code);
  const options = { cwd: folder, env: { PATH: process.env.PATH ?? '', ...env }, timeout: WAIT_TIMEOUT_MS };
  const { stdout } = await run(process.execPath, [file], options);
  return { stdout, folder };
}

/** Below the package, so that Node finds the package itself and what it depends on. */
async function folderBelow(readme: URL): Promise<string> {
  const folder = await mkdtemp(fileURLToPath(new URL('dist/example-', readme)));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
