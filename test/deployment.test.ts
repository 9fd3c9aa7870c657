import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '@darkroom/testing';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { createPrometheus as createServicePrometheus } from '../packages/image-service/src/observability/prometheus.ts';
import { createPrometheus } from '../src/observability/prometheus.ts';
import { wordsIn } from '../src/operator/words/words.ts';

const run = promisify(execFile);

/** What looks at units without a systemd that runs. */
const SYSTEMD = '/usr/bin/systemd-analyze';
/** What tries rules without a Prometheus that runs. */
const PROMTOOL = '/usr/bin/promtool';

const root = (path: string) => new URL(`../${path}`, import.meta.url);
const text = (path: string) => readFile(root(path), 'utf8');

const dashboard = z.object({
  panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })).default([]) })),
});
const alerts = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ expr: z.string() })) })),
});
const lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      dev: z.boolean().default(false),
      devOptional: z.boolean().default(false),
      peer: z.boolean().default(false),
      hasInstallScript: z.boolean().default(false),
      link: z.boolean().default(false),
      resolved: z.string().optional(),
      integrity: z.string().optional(),
    }),
  ),
});

/**
 * The kind of every metric of bot and service, by its name: as they are declared, since one with labels shows nothing
 * before its first value.
 */
async function declaredMetrics(): Promise<Map<string, string>> {
  const ofBot = await createPrometheus().text({
    runningJobs: 0,
    oldestJobMs: 0,
    waitingCalls: 0,
    waitingTurns: 0,
    stalledMs: 0,
    shards: { served: 0, connected: 0 },
    identifiesLeft: 0,
  });
  const ofService = await createServicePrometheus().text({ queue: [], budget: [], checks: {} });
  const found = new Map<string, string>();
  for (const [, name = '', kind = ''] of `${ofBot}\n${ofService}`.matchAll(/^# TYPE (\S+) (\S+)$/gm))
    found.set(name, kind);
  return found;
}

/** Every name that values are given under. */
const namesOfValues = (metrics: Map<string, string>): string[] =>
  [...metrics].flatMap(([name, kind]) =>
    kind === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : name,
  );

const namesIn = (query: string): string[] =>
  query.match(/\b(?:darkroom|image_service|nodejs|process)_[a-z_0-9]+/g) ?? [];

const queriesOfDashboard = async () =>
  dashboard
    .parse(JSON.parse(await text('docs/operations/grafana.json')))
    .panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

const queriesOfAlerts = async () =>
  alerts
    .parse(parse(await text('docs/operations/alerts.yaml')))
    .groups.flatMap(({ rules }) => rules.map(({ expr }) => expr));

test('every metric in a query of the dashboard and of the alerts exists', async () => {
  const exist = namesOfValues(await declaredMetrics());
  const queries = [...(await queriesOfDashboard()), ...(await queriesOfAlerts())];
  expect(queries.length).toBeGreaterThan(20);
  for (const query of queries) {
    for (const name of namesIn(query)) expect(exist, query).toContain(name);
  }
});

test('every metric of ours stands in the dashboard and is explained', async () => {
  const shown = new Set((await queriesOfDashboard()).flatMap(namesIn));
  const explained = await text('docs/operations.md');
  const ours = [...(await declaredMetrics()).keys()].filter((name) =>
    /^(darkroom|image_service)_/.test(name),
  );
  expect(ours.length).toBeGreaterThan(10);
  for (const name of ours) {
    expect(
      [...shown].some((one) => one.startsWith(name)),
      name,
    ).toBe(true);
    expect(explained).toContain(`\`${name}\``);
  }
});

test.skipIf(!existsSync(PROMTOOL))('each alert is raised by what it is for, and not by less', async () => {
  await run(PROMTOOL, ['test', 'rules', fileURLToPath(root('test/support/alert-cases.yaml'))]);
});

test('the image runs without root and without a compiler, and says whether it is well', async () => {
  const [, build = '', last = ''] = (await text('Dockerfile')).split(/^FROM /m);
  expect(build).toMatch(
    /CFLAGS=-O2 npm_config_nodedir=\/usr\/local npm ci[\s\S]*build:app[\s\S]*npm prune --omit=dev/,
  );
  expect(last).toMatch(/^node:\d+-\w+-slim\n/);
  expect(last).not.toContain('apt-get');
  expect(last).toContain('RUN mkdir --mode=700 data && chown node:node data\n');
  expect(last).toMatch(/^USER 1000$/m);
  // Also where a clone was closed to others.
  const copied = [...last.matchAll(/^COPY --from=build (.+) \S+$/gm)].flatMap(([, paths = '']) =>
    paths.split(' ').map((path) => path.replace('/app/', '')),
  );
  expect(copied).toContain('dist');
  expect(build).toContain(`RUN chmod -R a+rX ${copied.join(' ')} `);
  expect(last).toMatch(/^HEALTHCHECK .*\\\n {2}CMD .*\/healthz/m);
  expect(last).toContain('HTTP_HOST=0.0.0.0');
  // npm's scripts work there as well.
  expect(last).toContain('COPY --from=build /app/package.json /app/run.mjs ./\n');
});

test('every script of ours is one for the shell of Windows as well, which knows other words', async () => {
  const scripts = z.object({ scripts: z.record(z.string(), z.string()).default({}) });
  const folders = (await readdir(root('packages'))).map((name) => `packages/${name}/`);
  const files = ['', ...folders]
    .map((folder) => `${folder}package.json`)
    .filter((path) => existsSync(root(path)));
  const found = await Promise.all(
    files.map(async (file) => Object.entries(scripts.parse(JSON.parse(await text(file))).scripts)),
  );
  const commands = found
    .flat()
    .flatMap(([name, script]) => script.split('&&').map((one) => [name, one.trim()]));
  expect(commands.length).toBeGreaterThan(20);
  // `exec` is a word of POSIX, and on Windows a file that is found in the folder where npm runs a script.
  expect((await text('exec.cmd')).trim()).toBe('@%*');
  const foreign = /^(?:export|test|\[|\w+=)|['`$;{}()]|\|\|/;
  expect(commands.filter(([, command = '']) => foreign.test(command))).toEqual([]);
});

test('a server is built by one line wherever that is told, .ci/run included', async () => {
  const lines = async (path: string) =>
    (await text(path)).match(/^.*npm prune.*$/gm)?.map((line) => line.trim());
  const line = 'CFLAGS=-O2 npm ci --include=dev && npm run build:app && npm prune --omit=dev';
  expect(await lines('README.md')).toEqual([line]);
  expect(await lines('docs/operations.md')).toEqual([line, line]);
  expect(await lines('.ci/run')).toEqual([line]);
});

test('what image, compose.yaml, unit and the command for administrators start is what is built', async () => {
  expect(await text('Dockerfile')).toContain('ln -s /app/dist/bundle/darkroom.js /usr/local/bin/darkroom');
  expect(await text('Dockerfile')).toContain('CMD ["darkroom", "start"]');
  expect(await text('compose.yaml')).toContain('command: [darkroom, service]');
  const program = '/usr/bin/node /opt/darkroom/dist/bundle/darkroom.js';
  const home = 'DARKROOM_HOME=/var/lib/darkroom NODE_ENV=production';
  const unit = await text('docs/operations/darkroom.service');
  expect(unit).toContain(`ExecStart=${program} start\n`);
  expect(unit).toContain(`Environment=${home}\n`);
  const command = await text('docs/operations/darkroom');
  expect(command).toContain(`${program} "$@"\n`);
  expect(command).toContain(home);
  // And with what Node itself reads, as the programs advise.
  const { file } = wordsIn('en');
  const advised = /in (\/\S+) for the unit/.exec(file.readByNode('NODE_EXTRA_CA_CERTS', '.env'))?.[1] ?? '';
  expect(unit).toContain(`EnvironmentFile=-${advised}\n`);
  expect(command).toContain(`\nset -a\n[ ! -r ${advised} ] || . ${advised}\nset +a\n`);
  expect(existsSync(root('src/darkroom.ts'))).toBe(true);
});

test('what Node reads at its start is to the command what is written, in the quotation marks that are advised', async () => {
  const folder = await temporaryFolder();
  const command = await text('docs/operations/darkroom');
  const [advised = '', mark = ''] = /NAME=(["'])value\1/.exec(command) ?? [];
  for (const path of ['docs/operations/darkroom.service', 'docs/operations.md'])
    expect(await text(path)).toContain(advised);
  const settings = join(folder, 'settings');
  await writeFile(settings, `NODE_OPTIONS=${mark}a path with $HOME${mark}\n`);
  await writeFile(join(folder, 'runuser'), '#!/bin/sh\nprintf %s "$NODE_OPTIONS"\n', { mode: 0o700 });
  const here = command.replaceAll('/etc/default/darkroom', settings);
  const { stdout } = await run('sh', ['-c', here], {
    env: { PATH: `${folder}:${process.env.PATH}`, HOME: '/root' },
  });
  expect(stdout).toBe('a path with $HOME');
});

test.skipIf(!existsSync(SYSTEMD))(
  'systemd takes the unit as it is, and finds little that it leaves open',
  async () => {
    const folder = await temporaryFolder();
    const unit = join(folder, 'darkroom.service');
    // The program has to be there for it.
    const here = (await text('docs/operations/darkroom.service')).replace('/usr/bin/node', process.execPath);
    await writeFile(unit, here);
    expect(await run(SYSTEMD, ['verify', unit])).toEqual({ stdout: '', stderr: '' });
    // From 0 to 100. What is left: an address on the network, memory that V8 writes and runs, and other processes.
    await run(SYSTEMD, ['security', '--offline=true', '--threshold=20', unit]);
  },
);

test('no secret and nothing that was built here gets into an image', async () => {
  const ignored = (await text('.dockerignore')).split('\n');
  for (const name of [
    '**/.env',
    '**/.env.*',
    '.git',
    'core',
    'core.[0-9]*',
    'data',
    '**/node_modules',
    '**/dist',
  ])
    expect(ignored).toContain(name);
  // Of the lines that a file matches, the last one decides.
  expect(ignored.indexOf('!.env.example')).toBe(ignored.indexOf('**/.env.*') + 1);
});

test('an installation compiles or downloads one SQLite, and brings nothing that only some use', async () => {
  const { packages } = lock.parse(JSON.parse(await text('package-lock.json')));
  const shipped = Object.entries(packages).filter(
    ([, { dev, devOptional, peer }]) => !dev && !devOptional && !peer,
  );
  const compiled = shipped.filter(([, { hasInstallScript }]) => hasInstallScript);
  expect(compiled.map(([path]) => path)).toEqual(['node_modules/better-sqlite3']);
  const large = /^node_modules\/(?:@aws-sdk|ai|@ai-sdk|echarts|typescript|vitest|playwright-core)(?:\/|$)/;
  expect(shipped.filter(([path]) => large.test(path))).toEqual([]);
});

test('whatever is fetched has a checksum, and no registry is named but by whoever installs', async () => {
  const { packages } = lock.parse(JSON.parse(await text('package-lock.json')));
  const fetched = Object.entries(packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && !link,
  );
  expect(fetched.length).toBeGreaterThan(0);
  const unsaid = fetched.filter(
    ([, { resolved, integrity }]) => resolved !== undefined || integrity === undefined,
  );
  expect(unsaid.map(([path]) => path)).toEqual([]);
});
