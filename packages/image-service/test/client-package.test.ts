import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { installPacked, WAIT_TIMEOUT_MS } from '@darkroom/testing';
import ts from 'typescript';
import { expect, test } from 'vitest';

const run = promisify(execFile);

const PROGRAM = `
import { createImageClient, type QueuedTask } from '@darkroom/image-api';
import { essentialBytes } from '@darkroom/image-api/bytes';
import { OPERATIONS } from '@darkroom/image-api/contract';
import { LIMITS } from '@darkroom/image-api/limits';
import { retry } from '@darkroom/time';
import { createFakeClock } from '@darkroom/time/testing';

const client = createImageClient({ baseUrl: 'http://127.0.0.1' });
export const draw = (): Promise<QueuedTask> => client.submit({ prompt: 'a fox' }, { apiKey: 'sk' });
// @ts-expect-error a submission has a prompt
export const wrong = () => client.submit({}, { apiKey: 'sk' });
client.close();
const found = [createImageClient, essentialBytes, retry, createFakeClock].every((each) => typeof each === 'function');
console.log(found, OPERATIONS.submit.path, LIMITS.width.max);
`;

interface Modules {
  extension: 'cts' | 'mts';
  options: Pick<ts.CompilerOptions, 'module' | 'moduleResolution'>;
}

const MODULES: Readonly<Record<string, Modules>> = {
  'commonjs, which resolves as Node 10 did': {
    extension: 'cts',
    options: { module: ts.ModuleKind.CommonJS, moduleResolution: ts.ModuleResolutionKind.Node10 },
  },
  'nodenext, to CommonJS': { extension: 'cts', options: { module: ts.ModuleKind.NodeNext } },
  'esnext, for a bundler': {
    extension: 'mts',
    options: { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
  },
};

/** What the compiler says of a program in `folder`, which it writes beside it. */
function compile(folder: string, { extension, options }: Modules): string[] {
  const program = ts.createProgram([join(folder, `program.${extension}`)], {
    ...options,
    strict: true,
    esModuleInterop: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    types: ['node'],
    typeRoots: [fileURLToPath(new URL('../../../node_modules/@types', import.meta.url))],
  });
  const problems = [...ts.getPreEmitDiagnostics(program), ...program.emit().diagnostics];
  return problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

test('a program in TypeScript that has installed the client compiles and runs, whatever modules it is made of', async (context) => {
  const folder = await installPacked(new URL('../../image-api/README.md', import.meta.url), context);
  for (const [name, modules] of Object.entries(MODULES)) {
    const { extension } = modules;
    await writeFile(join(folder, `program.${extension}`), PROGRAM);
    expect(compile(folder, modules), name).toEqual([]);
    const main = join(folder, `program.${extension.replace('ts', 'js')}`);
    const { stdout } = await run(process.execPath, [main], { timeout: WAIT_TIMEOUT_MS });
    expect(stdout, name).toBe('true /v1/index.php 2048\n');
  }
});
