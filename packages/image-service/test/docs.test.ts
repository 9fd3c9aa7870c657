import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ERROR_CODES } from '@darkroom/image-api';
import { WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { REQUEST_TIMEOUT_MS } from '../src/app.ts';
import { SERVICE_LIMITS } from '../src/limits.ts';
import { runCommand } from '../src/operator/command-line.ts';
import { ALL_OPERATIONS, controlledEngine, paint } from './support/engines.ts';
import { serviceWorld } from './support/service.ts';

const run = promisify(execFile);
const page = await readFile(new URL('../docs/service.md', import.meta.url), 'utf8');

/** What differs from one run to the next, in the order in which it is looked for. */
const CHANGING: readonly [RegExp, string][] = [
  [/^https?:\/\/[^/]+\/files\/[0-9a-f]{32}\.png$/, '<picture>'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/, '<uuid>'],
  [/^[0-9a-f]{32}$/, '<upload>'],
  [/\b\d{16}\b/, '<digits>'],
  [/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, '<time>'],
  [/^sk-[0-9a-f]{48}$/, '<key>'],
  [/^whsec_[A-Za-z0-9+/]{43}=$/, '<webhook secret>'],
  [/^sk-…[0-9a-f]{4}$/, '<masked key>'],
];

const settled = (json: string): unknown =>
  JSON.parse(json, (_, value) =>
    typeof value === 'string'
      ? CHANGING.reduce((text, [form, name]) => text.replace(form, name), value)
      : value,
  );

const examples = [...page.matchAll(/^### (.+)$[^#]*?^```sh\n([^`]+)^```\n\n```json\n([^`]+)^```/gm)].map(
  ([, title = '', command = '', answer = '']) => ({ title, command, answer }),
);

test('every request of the page gets the answer that the page shows', async () => {
  const engine = { ...controlledEngine(), operations: async () => ALL_OPERATIONS };
  const world = await serviceWorld({ engine, username: 'studio' });
  const env = {
    PATH: process.env.PATH,
    BASE_URL: world.url,
    TOKEN: world.loginToken,
    KEY: world.key,
    TASK_ID: '',
    UPLOAD_ID: '',
  };
  await writeFile(join(world.folder, 'fox.png'), (await paint({ width: 320, height: 200 })).bytes);
  const before: Record<string, () => Promise<unknown>> = {
    async 'Ask how it is doing'() {
      (await engine.next()).progress(40);
      await world.until(env.TASK_ID, (task) => 'progress' in task && task.progress === 40);
    },
    async 'Fetch the picture'() {
      await engine.finishAll();
      await world.until(env.TASK_ID);
    },
  };
  const answered = z.object({
    data: z.object({ id: z.string().optional(), api_key: z.string().optional() }).nullable(),
  });
  for (const { title, command, answer } of examples) {
    await before[title]?.();
    const { stdout } = await run('sh', ['-c', command], { env, cwd: world.folder, timeout: WAIT_TIMEOUT_MS });
    expect(settled(stdout), title).toEqual(settled(answer));
    const { data } = answered.parse(JSON.parse(stdout));
    if (title === 'Upload a picture') env.UPLOAD_ID = data?.id ?? '';
    else env.TASK_ID = data?.id ?? env.TASK_ID;
    env.KEY = data?.api_key?.length === env.KEY.length ? data.api_key : env.KEY;
  }
  expect(examples).toHaveLength(page.match(/^```sh$/gm)?.length ?? 0);
});

test('every code of an API error is on the page', () => {
  for (const [code, status] of Object.entries(ERROR_CODES)) {
    expect(page).toMatch(new RegExp(`^\\| ${status} +\\|.*\`${code}\``, 'm'));
  }
});

test('every command of the operator is on the page', async () => {
  const commandsIn = (help: string) =>
    [...(help.split('Commands:')[1] ?? '').matchAll(/^ {2}(\w+)/gm)].map(([, name = '']) => name);
  const groups = commandsIn((await runCommand(['help'], {})).printed).filter((name) => name !== 'help');
  for (const group of groups) {
    const rows = page.match(new RegExp(`^\\|.*\`${group}\\b.*$`, 'gm'))?.join('\n') ?? '';
    expect(rows, group).not.toBe('');
    const verbs = commandsIn((await runCommand([group, '--help'], {})).printed).filter(
      (name) => name !== 'help',
    );
    for (const verb of verbs)
      expect(rows, `${group} ${verb}`).toMatch(new RegExp(`\`(${group} )?${verb}\\b`));
  }
  expect(groups).toContain('grant');
});

test('the limits on the page are those of the service', () => {
  const { perMinute, running, waiting, connections, headersMs, leaseMs } = SERVICE_LIMITS;
  for (const words of [
    `${perMinute} submissions a minute and have ${running} tasks drawn at once and ${waiting} waiting`,
    `takes ${connections} connections at once`,
    `within ${headersMs / 1_000} seconds and the whole of it within ${Math.ceil(REQUEST_TIMEOUT_MS / 1_000)},`,
    `after ${leaseMs / 1_000} seconds`,
  ])
    expect(page).toContain(words);
});
