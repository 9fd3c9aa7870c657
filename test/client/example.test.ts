import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createImageClient } from '../../src/client/client.ts';
import { createHostileService } from '../support/hostile-service.ts';
import { A_KEY, A_PNG } from '../support/polite-service.ts';

test('the example in the docstring runs as it stands', async () => {
  const source = await readFile(new URL('../../src/client/client.ts', import.meta.url), 'utf8');
  const example = /@example\n(?<lines>[\s\S]*?)\n \*\//.exec(source)?.groups?.lines ?? '';
  const lines = example.replaceAll(/^ \* ?/gm, '').split('\n');
  const imports = lines.filter((line) => line.startsWith('import '));
  expect(imports).toEqual([
    "import { writeFile } from 'node:fs/promises';",
    "import { setTimeout } from 'node:timers/promises';",
  ]);
  const code = lines.filter((line) => !imports.includes(line)).join('\n');

  const service = await createHostileService();
  const files = new Map<string, Buffer>();
  const waits: number[] = [];
  // The constructor of async functions has no name of its own; it takes parameter names and a body.
  const AsyncFunction = (async () => {}).constructor as new (
    ...source: string[]
  ) => (...values: unknown[]) => Promise<void>;
  const run = new AsyncFunction('createImageClient', 'baseUrl', 'apiKey', 'setTimeout', 'writeFile', code);
  await run(
    createImageClient,
    service.baseUrl,
    A_KEY,
    async (ms: number) => void waits.push(ms),
    async (name: string, bytes: Buffer) => void files.set(name, bytes),
  );

  expect(files.get('fox.png')).toEqual(A_PNG);
  expect(waits).toEqual([2_500, 2_500]);
  expect(service.requests().map(({ route }) => route)).toEqual([
    'submit',
    'status',
    'status',
    'status',
    'picture',
  ]);
  await service.close();
});
