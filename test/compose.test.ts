import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '@darkroom/testing';
import { HOUR_MS } from '@darkroom/time';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { wantedPackages } from '../packages/image-service/src/config.ts';
import { MIGRATION_TIMEOUT_MS } from '../packages/image-service/src/database/database.ts';
import { PROVIDER_NAMES } from '../packages/image-service/src/engines/hosted/providers.ts';
import { CONFIG_KEYS, loadConfig } from '../src/config.ts';

const run = promisify(execFile);
const text = (path: string) => readFile(new URL(`../${path}`, import.meta.url), 'utf8');

const schema = z.object({
  services: z.record(
    z.string(),
    z.object({
      build: z.object({ args: z.record(z.string(), z.string()) }).optional(),
      env_file: z.string().optional(),
      environment: z.record(z.string(), z.union([z.string(), z.number()])),
      command: z.array(z.string()).optional(),
      depends_on: z.record(z.string(), z.object({ condition: z.string() })).optional(),
      healthcheck: z.object({ test: z.array(z.string()), start_period: z.string() }).optional(),
      ports: z.array(z.string()).optional(),
      extra_hosts: z.array(z.string()).optional(),
    }),
  ),
});

const compose = async () => schema.parse(parse(await text('compose.yaml')));

/** Of the form of those that Discord gives. */
const DISCORD_TOKEN = `${Buffer.from('300000000000000001').toString('base64')}.time.signature`;

/** A value of compose.yaml as Compose fills it in. */
const fill = (value: string): string =>
  value
    .replaceAll(/\$\{SECRET_KEY:\?\}/g, 'ab'.repeat(32))
    .replaceAll(/\$\{[A-Z_]+:\?\}/g, 'given')
    .replaceAll(/\$\{[A-Z_]+:-(.*?)\}/g, '$1');

test('compose.yaml gives bot and service what they need to start, and knows when each is well', async () => {
  const { services } = await compose();
  expect(Object.keys(services)).toEqual(['bot', 'service', 'postgres']);
  const known = new Set(CONFIG_KEYS);
  const filledIn = (name: string) => {
    const given = Object.entries(services[name]?.environment ?? {}).map(([key, value]) => {
      expect(known).toContain(key);
      return [key, fill(`${value}`)] as const;
    });
    return Object.fromEntries(given);
  };
  const bot = loadConfig(
    { NODE_ENV: 'production', ...filledIn('bot'), DISCORD_TOKEN },
    { tokenRequired: true },
  );
  const service = loadConfig(filledIn('service'));
  expect(bot.STORE_URL).toBe(service.SERVICE_DATABASE_URL);
  expect(bot.IMAGE_API_URL).toBe(`http://service:${service.SERVICE_PORT}`);
  expect(service.SERVICE_HOST).toBe('0.0.0.0');
  expect(services.bot?.depends_on).toEqual({
    postgres: { condition: 'service_healthy' },
    service: { condition: 'service_healthy' },
  });
  expect(services.service?.depends_on).toEqual({ postgres: { condition: 'service_healthy' } });
  expect(services.service?.healthcheck?.test.join(' ')).toContain(`:${service.SERVICE_PORT}/healthz`);
  // Its socket answers while a new volume is still being set up.
  expect(services.postgres?.healthcheck?.test.join(' ')).toMatch(/pg_isready --host 127\.0\.0\.1/);
  // An engine on the machine itself.
  for (const one of [services.bot, services.service])
    expect(one?.extra_hosts).toEqual(['host.docker.internal:host-gateway']);
});

test('every setting of .env reaches bot and service, but for what a container has to be told otherwise', async () => {
  const { services } = await compose();
  /** What stands in `environment` and is not taken from .env. */
  const toldOtherwise = (name: string) =>
    Object.entries(services[name]?.environment ?? {}).flatMap(([key, value]) =>
      `${value}`.startsWith(`\${${key}:`) ? [] : [key],
    );
  for (const name of ['bot', 'service']) expect(services[name]?.env_file).toBe('.env');
  expect(toldOtherwise('bot')).toEqual(['STORE_URL', 'HTTP_HOST', 'HTTP_PORT']);
  expect(toldOtherwise('service')).toEqual([
    'DISCORD_TOKEN',
    'IMAGE_API_KEY',
    'SERVICE_HOST',
    'SERVICE_PORT',
    'SERVICE_DATABASE_URL',
  ]);
});

test('what Prometheus scrapes by the guide is published by compose.yaml', async () => {
  const { services } = await compose();
  const published = Object.values(services).flatMap(({ ports = [] }) =>
    ports.map((port) => /^(.+):(\d+)(?:-(\d+))?:\d+$/.exec(port) ?? []),
  );
  const guide = await text('docs/operations.md');
  const targets = [...guide.matchAll(/targets: \["(.+):(\d+)"\]/g)];
  expect(targets.length).toBeGreaterThan(1);
  for (const [target, host, port] of targets) {
    const isPublished = published.some(
      ([, at, first, last = first]) =>
        at === host && Number(first) <= Number(port) && Number(port) <= Number(last),
    );
    expect(isPublished, target).toBe(true);
  }
});

test('ports are for this machine alone, and the next of several where the first is taken there', async () => {
  const { services } = await compose();
  const published = Object.entries(services).flatMap(([name, { ports = [] }]) =>
    ports.map((port) => [name, port]),
  );
  expect(published.map(([name]) => name)).toEqual(['bot', 'service']);
  // With one that is taken the container stays down, and so does what depends on it.
  for (const [, port] of published) expect(port).toMatch(/^127\.0\.0\.1:\d+-\d+:\d+$/);
});

test('an upgrade may take as long as its migration before anybody calls the container ill', async () => {
  const { services } = await compose();
  const migration = `${MIGRATION_TIMEOUT_MS / HOUR_MS}h`;
  expect(services.service?.healthcheck?.start_period).toBe(migration);
  expect(await text('Dockerfile')).toContain(`HEALTHCHECK --start-period=${migration} `);
  expect(await text('docs/operations.md')).toContain('failureThreshold: 360, periodSeconds: 10');
});

test('what is installed for hosted models and a bucket is not left out as something that only developers need', async () => {
  const { services } = await compose();
  // Once, though both run it.
  expect(Object.values(services).flatMap(({ build }) => build ?? [])).toHaveLength(1);
  expect(services.service?.build?.args).toEqual({
    PACKAGES: expect.stringMatching(/^\$\{PACKAGES:-\}$/),
  });
  const { devDependencies } = JSON.parse(await text('package.json'));
  const wanted = PROVIDER_NAMES.flatMap((name) =>
    wantedPackages({ HOSTED_MODEL: `${name}:any`, PICTURES_URL: 's3://pictures' }),
  );
  expect(wanted).toContain('ai@6');
  // npm keeps such a package for developers, and --omit=dev leaves it out although it was asked for.
  for (const each of wanted) expect(devDependencies).not.toHaveProperty([each.replace(/@\d+$/, '')]);
});

/** Does what the guide says of a back-up with Docker, where `docker` and the `tar` of the container are these scripts. */
async function backsUp(scripts: { docker: string; tar: string }) {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'data'));
  const backup = { 'darkroom.dump': 'rows of yesterday', 'pictures.tar': 'pictures of yesterday' };
  for (const [name, content] of Object.entries(backup)) await writeFile(join(folder, 'data', name), content);
  for (const [name, lines] of Object.entries(scripts))
    await writeFile(join(folder, name), `#!/bin/sh\n${lines}\n`, { mode: 0o700 });
  const [, lines = ''] = /```sh\n([^`]*pg_dump [^`]*)```/.exec(await text('docs/operations.md')) ?? [];
  const env = { PATH: `${folder}:${process.env.PATH}` };
  const { code } = await run('sh', ['-c', lines], { cwd: folder, env }).then(
    () => ({ code: 0 }),
    (error: { code: number }) => error,
  );
  const read = (name: string) => readFile(join(folder, 'data', name), 'utf8');
  return { code, rows: await read('darkroom.dump'), pictures: await read('pictures.tar') };
}

/** Of `docker compose`, for a container that runs what it is told. */
const DOCKER = 'case "$2" in exec) echo rows of today;; run) shift 6; exec "$@";; esac';

test.each([
  ['the database cannot be read', { docker: `[ "$2" = run ] || exit 1; ${DOCKER}`, tar: 'echo pictures' }],
  ['the pictures cannot be read', { docker: DOCKER, tar: 'echo half of them; exit 2' }],
  ['Docker cannot start what reads them', { docker: `[ "$2" = exec ] || exit 1; ${DOCKER}`, tar: '' }],
])('the last backup that was made with Docker stays where %s', async (_, scripts) => {
  const { code, ...backup } = await backsUp(scripts);
  expect(code).not.toBe(0);
  expect(backup).toEqual({ rows: 'rows of yesterday', pictures: 'pictures of yesterday' });
});

test('a backup with Docker is whole where a picture expired while it was made', async () => {
  // What GNU tar says of a file that is gone, or another, by the time it comes to it.
  expect(await backsUp({ docker: DOCKER, tar: 'echo pictures of today; exit 1' })).toEqual({
    code: 0,
    rows: 'rows of today\n',
    pictures: 'pictures of today\n',
  });
});
