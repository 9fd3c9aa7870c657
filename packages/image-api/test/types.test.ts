import { readdir, readFile } from 'node:fs/promises';
import { expect, expectTypeOf, test } from 'vitest';
import type {
  Balance,
  CompletedTask,
  FailedTask,
  ImageClient,
  ImageClientOptions,
  OPERATIONS,
  QueuedTask,
  Task,
  TaskUnderWay,
} from '../src/index.ts';

const DECLARATIONS = new URL('../dist/', import.meta.url);

test('a task narrows by its state, and what the client takes and returns has names', () => {
  expectTypeOf<Extract<Task, { state: 'completed' }>>().toEqualTypeOf<CompletedTask>();
  expectTypeOf<Extract<Task, { state: 'failed' }>['reason']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<Exclude<Task, FailedTask | CompletedTask>>().toEqualTypeOf<TaskUnderWay>();
  expectTypeOf<Extract<Task, { imageUrl: unknown }>['state']>().toEqualTypeOf<'completed'>();
  expectTypeOf<ReturnType<ImageClient['submit']>>().resolves.toEqualTypeOf<QueuedTask>();
  expectTypeOf<ReturnType<ImageClient['balance']>>().resolves.toEqualTypeOf<Balance>();
  expectTypeOf<ImageClientOptions['baseUrl']>().toEqualTypeOf<string>();
  expectTypeOf<ReturnType<typeof OPERATIONS.status.answer.read.parse>>().toEqualTypeOf<Task>();
});

test('the declarations of the operations say what is sent and read, not how it is checked', async () => {
  const files = (await readdir(new URL('contract/', DECLARATIONS))).filter((name) => name.endsWith('.d.ts'));
  for (const file of files) {
    const text = await readFile(new URL(`contract/${file}`, DECLARATIONS), 'utf8');
    const operations = text.match(/^export declare const \w+: \{\n[\s\S]*?^\};$/gm) ?? [];
    for (const operation of operations) expect(operation, file).not.toContain('Zod');
  }
});
