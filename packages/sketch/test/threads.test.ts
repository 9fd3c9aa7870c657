import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { sketchRequest } from './support/sketch.ts';

/** Paints while no further file can be opened, and again when one can. */
const PAINT_TWICE = `
  const { openSync, closeSync } = await import('node:fs');
  const { createSketcher } = await import(process.argv[1]);
  const sketcher = createSketcher({ workers: 1 });
  const paint = () =>
    sketcher.paint(JSON.parse(process.argv[2]), { signal: AbortSignal.timeout(30_000), onProgress() {} });
  const files = [];
  try { for (;;) files.push(openSync('/dev/null')); } catch {}
  const first = await paint().catch(({ message }) => message);
  for (const file of files) closeSync(file);
  const { contentType } = await paint();
  await sketcher.close();
  console.log(JSON.stringify([first, contentType]));
`;

it('tells whoever waits for a thread that cannot begin, and has one for the next picture', async () => {
  const module = fileURLToPath(new URL('../dist/sketcher.js', import.meta.url));
  const node = [process.execPath, '--input-type=module', '-e', PAINT_TWICE];
  const few = ['-c', 'ulimit -n 60; exec "$0" "$@"', ...node, module, JSON.stringify(sketchRequest())];
  const { stdout } = await promisify(execFile)('sh', few);
  expect(JSON.parse(stdout)).toEqual(['Worker initialization failure: EMFILE', 'image/png']);
});
