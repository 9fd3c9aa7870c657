import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TestContext } from 'vitest';
import { codeBlocks } from './code-blocks.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { WAIT_TIMEOUT_MS } from './wait.ts';

const run = promisify(execFile);
const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));

/** How npm says that it found no registry, or that it was told to look for none. */
const UNREACHABLE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED/;

const NEEDS_REGISTRY = 'the npm registry cannot be reached, and npm has no copy of what is needed';

/**
 * Packs a package and installs it by the first `sh` block of its README, into a folder outside of the repository,
 * where nothing but what it declares can be imported. It has to be built. Resolves with the folder, which is removed
 * after the test. Skips the test where npm's cache lacks a dependency and the registry cannot be reached.
 */
export async function installPacked(readme: URL, { skip }: Pick<TestContext, 'skip'>): Promise<string> {
  const [lines] = await codeBlocks(readme, 'sh');
  if (lines === undefined) throw new Error(`${readme.pathname} has no sh block`);
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  // Of the npm that runs the tests: where it would install.
  const { npm_config_local_prefix: _, ...env } = process.env;
  try {
    await run('sh', ['-euc', lines], {
      cwd: REPOSITORY,
      env: { ...env, ...QUICKLY, PROJECT: folder },
      // It builds and installs: more than one thing.
      timeout: 3 * WAIT_TIMEOUT_MS,
    });
  } catch (error) {
    if (!(error instanceof Error && UNREACHABLE.test(error.message))) throw error;
    process.stderr.write(`skipped: ${NEEDS_REGISTRY}\n`);
    skip(NEEDS_REGISTRY);
  }
  return folder;
}

const QUICKLY = {
  npm_config_ignore_scripts: 'true',
  npm_config_prefer_offline: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_fetch_retries: '1',
  npm_config_fetch_retry_mintimeout: '1000',
  npm_config_fetch_retry_maxtimeout: '1000',
};

/** What a program in CommonJS gets of a package that is installed in `folder`: the names of its exports. */
export async function requiredNames(name: string, folder: string): Promise<string[]> {
  const code = `JSON.stringify(Object.keys(require(${JSON.stringify(name)})))`;
  const { stdout } = await run(process.execPath, ['-p', code], { cwd: folder, timeout: WAIT_TIMEOUT_MS });
  return JSON.parse(stdout);
}
