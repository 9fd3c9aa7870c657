import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { expect, onTestFinished, test } from 'vitest';
import { serviceWorld } from './support/service.ts';

/** A program of somebody who has nothing but the description. */
const PROGRAM = `
import createClient from 'openapi-fetch';
import type { components, paths } from './service.ts';

export async function draw(baseUrl: string, key: string): Promise<{ url: string; left: number }> {
  const client = createClient<paths>({ baseUrl, headers: { 'x-api-key': key } });
  const submitted = await client.POST('/v1/image_generation', { body: { prompt: 'a red fox', width: 256 } });
  if (submitted.error) throw new Error(submitted.error.error.code);
  const query = { task_id: submitted.data.data.id };
  for (;;) {
    const { data, error } = await client.GET('/v1/task_status', { params: { query } });
    if (error) throw new Error(error.error.message);
    const task = data.data;
    if (task.status === 'failed') throw new Error(task.error);
    if (task.status === 'completed') {
      const balance = await client.GET('/v1/user_balance');
      return { url: task.result.image_url, left: balance.data?.data.balance ?? Number.NaN };
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export async function refusal(baseUrl: string): Promise<string | undefined> {
  const client = createClient<paths>({ baseUrl });
  const { error } = await client.GET('/v1/user_balance');
  const code: components['schemas']['ApiError']['error']['code'] | undefined = error?.error.code;
  return code;
}

export const wrong = (client: ReturnType<typeof createClient<paths>>) => [
  // @ts-expect-error a submission has a prompt
  () => client.POST('/v1/image_generation', { body: {} }),
  // @ts-expect-error a status needs a task
  () => client.GET('/v1/task_status'),
  // @ts-expect-error there is no such operation
  () => client.GET('/v1/image_generation'),
];
`;

/** Compiles a program as its author would; returns where it is. */
async function compiled(files: Readonly<Record<string, string>>, main: string): Promise<URL> {
  const dist = new URL('../dist/', import.meta.url);
  await mkdir(dist, { recursive: true });
  const folder = await mkdtemp(fileURLToPath(new URL('example-', dist)));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const program = ts.createProgram([join(folder, `${main}.ts`)], {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    rewriteRelativeImportExtensions: true,
    outDir: folder,
    types: [],
  });
  const problems = [...ts.getPreEmitDiagnostics(program), ...program.emit().diagnostics];
  expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
  return pathToFileURL(join(folder, `${main}.js`));
}

test('a client that is generated from the description compiles and gets its picture', async () => {
  const world = await serviceWorld({ credits: 10 });
  const description = JSON.parse(await (await world.call('/openapi.json')).text());
  const types = astToString(await openapiTS(description));
  expect(types).toMatch(/operations\["submit"\]/);
  const program = await import(
    (await compiled({ 'service.ts': types, 'program.ts': PROGRAM }, 'program')).href
  );
  const { url, left } = await program.draw(world.url, world.key);
  expect((await fetch(url)).headers.get('content-type')).toBe('image/png');
  expect(left).toBe(9);
  expect(await program.refusal(world.url)).toBe('missing_api_key');
});
