import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startCommand } from '@darkroom/testing';
import { onTestFinished, test } from 'vitest';

const IMPORTS = fileURLToPath(new URL('../../dist/bench/imports.js', import.meta.url));

test('what a start is measured beside can import the libraries of every package', async () => {
  const packages = readdirSync(new URL('../../packages', import.meta.url))
    .filter((name) => name !== 'testing')
    .map((name) => `packages/${name}`);
  const program = startCommand([process.execPath, IMPORTS, '.', ...packages], {});
  onTestFinished(() => void program.end('SIGKILL'));
  await program.says('ready');
});
