import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@darkroom/testing';
import { expect, test } from 'vitest';
import { circlesOfFolders, importsOf } from './support/folder-circles.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** What `npm run lint` says of a project with our rules and these files. */
async function lint(tool: 'biome' | 'knip', files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder();
  for (const name of ['biome.json', '.gitignore', 'package.json', 'tsconfig.base.json', 'tsconfig.json']) {
    await cp(join(ROOT, name), join(folder, name));
  }
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const program = join(ROOT, 'node_modules', '.bin', tool);
  const args = tool === 'biome' ? ['lint', '--max-diagnostics=50'] : ['--include', 'files,exports,types'];
  return new Promise((resolve) => {
    execFile(program, args, { cwd: folder }, (_, stdout, stderr) => resolve(stdout + stderr));
  });
}

const importing = (from: string) => `import { planted } from '${from}';\n\nexport const used = planted;\n`;

const FORBIDDEN = [
  ['src/jobs/planted.ts', 'discord.js'],
  ['src/requests/planted.ts', 'discord-api-types/v10'],
  ['src/jobs/planted.ts', 'bottleneck'],
  ['src/bot/planted.ts', 'bottleneck'],
  ['src/bot/planted.ts', '../../packages/time/src/clock.ts'],
  ['src/bot/planted.ts', 'local-discord'],
  ['src/messages/planted.ts', 'keyv'],
  ['commands/planted.ts', '@darkroom/image-service'],
  ['commands/planted.ts', '@darkroom/image-service/config'],
  ['packages/time/src/planted.ts', '../../../src/config.ts'],
  ['packages/image-service/src/database/planted.ts', '../http/planted.ts'],
  ['packages/image-service/src/tasks/planted.ts', '../http/planted.ts'],
] as const;

/** One run for all of them: it starts for longer than it looks at a file. */
let everyForbidden: Promise<string> | undefined;
const numbered = (file: string, nth: number) => file.replace('.ts', `-${nth}.ts`);

test.each(FORBIDDEN.map(([file, from], nth) => [file, from, nth] as const))(
  '%s may not import %s',
  async (file, _from, nth) => {
    everyForbidden ??= lint(
      'biome',
      Object.fromEntries(FORBIDDEN.map(([path, from], at) => [numbered(path, at), importing(from)])),
    );
    expect(await everyForbidden).toMatch(`${numbered(file, nth)}:1:25 lint/style/noRestrictedImports`);
  },
);

test.each(['pino', '@darkroom/image-api'])(
  'what a package imports stands in its package.json: %s',
  async (imported) => {
    const files = {
      'packages/time/package.json': '{ "name": "@darkroom/time" }',
      'packages/time/src/planted.ts': importing(imported),
    };
    expect(await lint('biome', files)).toContain('noUndeclaredDependencies');
  },
);

test('imports go in no circle', async () => {
  const files = {
    'src/jobs/one.ts': importing('./other.ts').replace('planted }', 'used as planted }'),
    'src/jobs/other.ts': importing('./one.ts').replace('planted }', 'used as planted }'),
  };
  expect(await lint('biome', files)).toContain('noImportCycles');
});

test('imports of types go in no circle either', async () => {
  const files = {
    'src/jobs/one.ts': "import type { Other } from './other.ts';\n\nexport type One = Other[];\n",
    'src/jobs/other.ts': "import type { One } from './one.ts';\n\nexport type Other = One[];\n",
  };
  expect(await lint('biome', files)).toContain('noImportCycles');
});

test('a command imports no other: what it offers to others are its next steps', async () => {
  const commandOf = (path: string) => /^commands\/(?!index\.ts)(\w+)/.exec(path)?.[1];
  const between = (await importsOf(ROOT)).filter(([from, to]) => {
    const [one, other] = [commandOf(from), commandOf(to)];
    return one !== undefined && other !== undefined && one !== other;
  });
  expect(between).toEqual([]);
});

test('no folder imports, by way of others or not, a folder that imports it', async () => {
  expect(circlesOfFolders(await importsOf(ROOT))).toEqual([]);
});

test('a circle of folders is found, also one that no two files make', () => {
  const imports = [
    ['src/jobs/job.ts', 'src/limits/reservation.ts'],
    ['src/limits/settle.ts', 'src/requests/sizes.ts'],
    ['src/requests/prices.ts', 'src/jobs/task.ts'],
    ['commands/imagine.ts', 'src/jobs/job.ts'],
  ] as const;
  expect(circlesOfFolders(imports)).toEqual([['src/jobs', 'src/limits', 'src/requests']]);
});

test('what nobody imports is found', async () => {
  const files = {
    'src/main.ts': importing('./planted.ts'),
    'src/planted.ts':
      'export const planted = 1;\nexport const forgotten = 2;\nexport type Own = 1;\nconst own: Own = 1;\nown;\n',
    'src/lost.ts': importing('./planted.ts'),
  };
  const found = await lint('knip', files);
  expect(found).toContain('forgotten');
  expect(found).toContain('Own');
  expect(found).toContain('src/lost.ts');
});

test('no limit of time is joined to another signal by AbortSignal.any: on Node 20 it may never come (nodejs/node#57736)', async () => {
  const joins = (text: string) => /AbortSignal\.any\(\s*\[[^\]]*AbortSignal\.timeout/.test(text);
  expect(joins('AbortSignal.any([signal, AbortSignal.timeout(MS)])')).toBe(true);
  const packages = await readdir(join(ROOT, 'packages'));
  const folders = ['commands', 'src', ...packages.map((name) => join('packages', name, 'src'))];
  for (const folder of folders.map((name) => join(ROOT, name)))
    for (const name of await readdir(folder, { recursive: true }))
      if (name.endsWith('.ts')) expect(joins(await readFile(join(folder, name), 'utf8')), name).toBe(false);
});
