import { execFile } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TestContext } from 'vitest';
import { WAIT_TIMEOUT_MS } from './wait.ts';

const run = promisify(execFile);
const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));

/** How npm says that it found no registry, or that it was told to look for none. */
const UNREACHABLE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED/;

const NEEDS_REGISTRY = 'the npm registry cannot be reached, and npm has no copy of what is needed';

/**
 * Packs packages of this repository as npm would publish them, and installs them into `folder`, an empty one outside of the
 * repository, where nothing but what they declare can be imported. They have to be built. Name every workspace package
 * among their dependencies as well: the registry has none of them. `fromRegistry` is what an example needs besides. Skips the test where npm's cache lacks a dependency and
 * the registry cannot be reached.
 */
export async function installPacked(
  packages: readonly string[],
  folder: string,
  { skip }: Pick<TestContext, 'skip'>,
  fromRegistry: readonly string[] = [],
): Promise<void> {
  const tarballs = join(folder, 'tarballs');
  await mkdir(tarballs);
  await npm(REPOSITORY, [
    'pack',
    ...packages.map((name) => `--workspace=${name}`),
    '--pack-destination',
    tarballs,
  ]);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const files = (await readdir(tarballs)).map((name) => join(tarballs, name));
  try {
    await npm(folder, [
      'install',
      '--prefer-offline',
      '--no-audit',
      '--no-fund',
      '--fetch-retries=1',
      '--fetch-retry-mintimeout=1000',
      '--fetch-retry-maxtimeout=1000',
      ...files,
      ...fromRegistry,
    ]);
  } catch (error) {
    if (!(error instanceof Error && UNREACHABLE.test(error.message))) throw error;
    process.stderr.write(`skipped: ${NEEDS_REGISTRY}\n`);
    skip(NEEDS_REGISTRY);
  }
}

const npm = (folder: string, command: readonly string[]) =>
  run('npm', [...command, '--ignore-scripts', '--prefix', folder], { cwd: folder, timeout: WAIT_TIMEOUT_MS });
