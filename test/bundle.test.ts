import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '@darkroom/testing';
import { type BuildOptions, build } from 'esbuild';
import { expect, test } from 'vitest';
import { ownAddresses } from '../src/own-addresses.ts';

const TELLS_ITS_ADDRESS = 'export const address = import.meta.url;\n';

/** What a bundle of `main` is, in `dist/bundle` of a folder with these files. */
async function bundleOf(main: string, files: Readonly<Record<string, string>>, options: BuildOptions = {}) {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  await mkdir(join(folder, 'node_modules'), { recursive: true });
  await symlink(join(folder, 'packages/sketch'), join(folder, 'node_modules/sketch'), 'junction');
  const { outputFiles = [] } = await build({
    entryPoints: [join(folder, main)],
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'silent',
    plugins: [ownAddresses(join(folder, 'dist/bundle'))],
    ...options,
  });
  return outputFiles.map(({ text }) => text).join('');
}

test('in a bundle the address of a module of ours stays that of its file, and that of others does not', async () => {
  const text = await bundleOf('dist/main.js', {
    'dist/main.js': `export * as other from 'other';\n${TELLS_ITS_ADDRESS}`,
    'node_modules/other/package.json': '{ "main": "./dist/index.js", "type": "module" }',
    'node_modules/other/dist/index.js': TELLS_ITS_ADDRESS,
  });
  expect(text).toMatch(/address\d* = new URL\("\.\.\/main\.js", import\.meta\.url\)\.href;/);
  expect(text).toContain('address = import.meta.url;');
});

test('so it does where paths are written as on Windows', async () => {
  const text = await bundleOf('C:\\clone\\dist\\main.js', { 'C:\\clone\\dist\\main.js': TELLS_ITS_ADDRESS });
  expect(text).toContain('new URL("../../C:\\\\clone\\\\dist\\\\main.js", import.meta.url)');
});

test('so it does in a package of ours whose link in node_modules was not followed', async () => {
  const text = await bundleOf(
    'dist/main.js',
    {
      'dist/main.js': "export * from 'sketch';\n",
      'packages/sketch/package.json': '{ "main": "./dist/index.js", "type": "module" }',
      'packages/sketch/dist/index.js': TELLS_ITS_ADDRESS,
    },
    { preserveSymlinks: true },
  );
  expect(text).toContain('new URL("../../packages/sketch/dist/index.js", import.meta.url)');
});

test('a bundle in which no module of ours was found is none', async () => {
  await expect(bundleOf('out/main.js', { 'out/main.js': TELLS_ITS_ADDRESS })).rejects.toThrow(
    'no address of a module was kept',
  );
});
