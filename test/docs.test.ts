import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { commands } from '../commands/index.ts';
import { USUAL_MODELS } from '../packages/image-service/src/config.ts';
import { CONFIG_KEYS } from '../src/config.ts';
import { importsOf } from './support/folder-circles.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const foldersOf = (path: string) =>
  readdirSync(join(ROOT, path)).filter((name) => statSync(join(ROOT, path, name)).isDirectory());

/** Not what an earlier version has left behind: ignored files keep a folder. */
const packages = foldersOf('packages').filter((name) =>
  existsSync(join(ROOT, 'packages', name, 'package.json')),
);

const README = read('README.md');
const CONTRIBUTING = read('CONTRIBUTING.md');
const DOCS = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

/** Rows of the table under `heading`, each by its cells. */
function tableUnder(text: string, heading: string): string[][] {
  const [, below = ''] = text.split(heading);
  const lines = below.split('\n');
  const begin = lines.findIndex((line) => line.startsWith('|'));
  const length = lines.slice(begin).findIndex((line) => !line.startsWith('|'));
  return lines.slice(begin + 2, begin + length).map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** What the tree of the README names, by its path from the root. */
function treeOfReadme(): string[] {
  const [, tree = ''] = /```\n(commands\/ [\s\S]*?)```/.exec(README) ?? [];
  let parent = '';
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', names = ''] = /^( *)(\S+(?: \S+)*?)(?: {2,}|$)/.exec(line) ?? [];
    const paths = names.split(' ').filter((name) => name !== '');
    if (indent !== '') return paths.map((name) => parent + name);
    [parent = ''] = paths;
    return paths;
  });
}

test("the README's tree names what is there, every folder of src and every package", () => {
  const tree = treeOfReadme();
  expect(tree.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  const folders = [
    ...foldersOf('src').map((name) => `src/${name}/`),
    ...packages.map((name) => `packages/${name}/`),
  ];
  expect(folders.filter((folder) => !tree.includes(folder))).toEqual([]);
});

test("the README's table has every command, with every option of /imagine and every subcommand", () => {
  const rows = new Map(
    tableUnder(README, '## Commands').map(([name = '', about = '']) => [name, about] as const),
  );
  const chatInput = commands.map(({ data }) => data);
  expect([...rows.keys()].toSorted()).toEqual(chatInput.map(({ name }) => `\`/${name}\``).toSorted());
  const imagine = chatInput.find(({ name }) => name === 'imagine');
  const below = README.split('## Commands')[1] ?? '';
  const options = (imagine?.options ?? []).map(({ name }) => `\`${name}\``);
  expect(options.filter((option) => !below.includes(option))).toEqual([]);
  for (const { name, options = [] } of chatInput) {
    const subcommands = options.filter(({ type }) => type === 1).map((option) => `\`${option.name}\``);
    const about = rows.get(`\`/${name}\``) ?? '';
    expect(
      subcommands.filter((subcommand) => !about.includes(subcommand)),
      name,
    ).toEqual([]);
  }
});

/**
 * In capitals with an underscore, as settings are: what the code, tests, containers, other programs and Discord call
 * so.
 */
const FOREIGN = new Set([
  'APPLICATION_ID',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'CHROMIUM_PATH',
  'COMFYUI_TEST_FOLDER',
  'COMFYUI_TEST_PYTHON',
  'DARKROOM_HOME',
  'GUILD_DELETE',
  'NODE_ENV',
  'NODE_EXTRA_CA_CERTS',
  'NODE_USE_ENV_PROXY',
  'POSTGRES_PASSWORD',
  'SDCPP_TEST_SERVER',
  'SQLITE_BUSY_SNAPSHOT',
  'SUPPRESS_EMBEDS',
  'TEST_POSTGRES_URL',
  'WAIT_TIMEOUT_MS',
]);

test.each(DOCS)('every setting that %s names is one', (path) => {
  const named = [...read(path).matchAll(/`([A-Z]+_[A-Z_]*[A-Z])`/g)].map(([, name = '']) => name);
  const known = new Set<string>([...CONFIG_KEYS]);
  expect(named.filter((name) => !known.has(name) && !FOREIGN.has(name))).toEqual([]);
});

test.each([...DOCS, '.env.example'])('%s suggests no other model of a provider than set-up does', (path) => {
  const named = [...read(path).matchAll(/\b(openai|google):([\w.-]*\w)/g)].map(([, provider = '', model]) => [
    provider,
    model,
  ]);
  expect(named.filter(([provider = '', model]) => USUAL_MODELS[provider] !== model)).toEqual([]);
});

test.each(DOCS)('every file of ours that %s names or links to is there', (path) => {
  const text = read(path);
  const named = [...text.matchAll(/`((?:src|commands|packages|test|bench|docs)\/[\w./-]+)`/g)].map(
    ([, name = '']) => name,
  );
  const linked = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].map(([, target = '']) =>
    join(path, '..', target),
  );
  const meant = [...named, ...linked].filter((name) => !name.includes('NAME'));
  expect(meant.filter((name) => !existsSync(join(ROOT, name)))).toEqual([]);
});

test("what CONTRIBUTING's 'Where to look' names is there: every file, and in it what is to be looked at", () => {
  const [, below = ''] = CONTRIBUTING.split('## Where to look');
  const [section = ''] = below.split('\n## ');
  const files = ['src', 'commands', 'packages', 'test'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const named = [...section.matchAll(/`([\w./-]+\.ts)`(?:[^`]*\(`(\w+)`\))?/g)];
  expect(named.length).toBeGreaterThan(10);
  for (const [, path = '', word = ''] of named) {
    const found = files.filter((name) => `/${name}`.endsWith(`/${path}`) && !name.includes('node_modules'));
    expect(found, path).not.toEqual([]);
    expect(
      found.filter((name) => read(name).includes(word)),
      `${word} in ${path}`,
    ).not.toEqual([]);
  }
});

test("CONTRIBUTING's test of a button is one of ours, to the letter", () => {
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(CONTRIBUTING) ?? [];
  expect(example).not.toBe('');
  expect(read('test/bot/buttons.test.ts')).toContain(example);
});

/** The folder of a file, as the table of imports names it. */
const folderOf = (path: string): string => {
  const [first = '', second = ''] = path.split('/');
  return first === 'commands' ? 'commands' : `${first}/${second}`;
};

/** What each folder of `src`, and `commands`, imports of the others, and of the files beside them. */
async function importedFolders(options: Parameters<typeof importsOf>[1] = {}) {
  const imported = new Map<string, Set<string>>();
  for (const [from, to] of await importsOf(ROOT, options)) {
    if (folderOf(from) === folderOf(to)) continue;
    imported.set(folderOf(from), (imported.get(folderOf(from)) ?? new Set()).add(folderOf(to)));
  }
  return imported;
}

test("CONTRIBUTING's table allows what the code imports, and no more", async () => {
  const [all, values] = await Promise.all([importedFolders(), importedFolders({ types: false })]);
  const seen = new Set<string>();
  for (const [parts = '', may = ''] of tableUnder(CONTRIBUTING, 'Who may import whom')) {
    for (const [, folder = ''] of parts.matchAll(/`((?:src\/\w+|commands))\/`/g)) {
      seen.add(folder);
      if (may.startsWith('everything')) continue;
      const [allowed, types] = may
        .split('types of')
        .map((names) => names.match(/(?<=`)src\/\w+(?=`)/g) ?? []);
      const used = values.get(folder) ?? new Set();
      const typed = [...(all.get(folder) ?? [])].filter((one) => !used.has(one));
      expect(new Set(allowed), parts).toEqual(used);
      expect(new Set(types), parts).toEqual(new Set(typed));
    }
  }
  expect(foldersOf('src').filter((name) => !seen.has(`src/${name}`))).toEqual([]);
});

test("CONTRIBUTING's table says which packages a package imports", () => {
  for (const [parts = '', may = ''] of tableUnder(CONTRIBUTING, 'Who may import whom')) {
    if (!parts.includes('`packages/')) continue;
    for (const [, name = ''] of parts.matchAll(/`(?:packages\/)?([\w-]+)`/g)) {
      // No program depends on `testing`, nor it on a program: its own are those of tests.
      const field = name === 'testing' ? 'devDependencies' : 'dependencies';
      const { [field]: dependencies = {} } = JSON.parse(read(`packages/${name}/package.json`));
      const ours = Object.keys(dependencies).flatMap((one) => /^@darkroom\/(.+)$/.exec(one)?.[1] ?? []);
      const allowed = [...may.matchAll(/`([\w-]+)`/g)].map(([, one = '']) => one);
      expect(allowed.toSorted(), name).toEqual(ours.toSorted());
    }
  }
});

test('every decision stands in the index of docs', () => {
  const index = read('docs/README.md');
  const decisions = readdirSync(join(ROOT, 'docs/decisions'));
  expect(decisions.filter((name) => !index.includes(`(decisions/${name})`))).toEqual([]);
});

test("a package's README says first for whom it is", () => {
  for (const name of packages) {
    const [, , first = ''] = read(`packages/${name}/README.md`).split('\n');
    expect(first, name).toMatch(/\b(for|to)\b/i);
  }
});

test('no feature that a command is given has more than eight things, as docs/decisions/runs.md says', () => {
  const [, features = ''] =
    /export interface Features \{\n([\s\S]*?)^\}/m.exec(read('src/bot/invocation.ts')) ?? [];
  const sizes = [...features.matchAll(/^ {2}(\w+): \{\n([\s\S]*?)^ {2}\};/gm)].map(
    ([, name = '', things = '']) => [name, things.match(/^ {4}\w+[:(]/gm)?.length ?? 0] as const,
  );
  expect(sizes.length).toBeGreaterThan(5);
  expect(sizes.filter(([, size]) => size > 8)).toEqual([]);
});

const manifest = z.object({ private: z.boolean().default(false), engines: z.object({ node: z.string() }) });

test('the bot wants the Node that its published packages want, so that a refusal names it, and two documents say which', () => {
  const { engines } = manifest.parse(JSON.parse(read('package.json')));
  const published = packages
    .map((name) => manifest.parse(JSON.parse(read(`packages/${name}/package.json`))))
    .filter((own) => !own.private);
  expect(new Set(published.map((own) => own.engines.node))).toEqual(new Set([engines.node]));
  const words = engines.node.replace(/^\^(\d+\.\d+)\.0 \|\| >=(\d+\.\d+)\.0$/, 'Node.js $1, $2 or newer');
  for (const file of ['README.md', 'docs/operations.md']) expect(read(file), file).toContain(words);
});

const installable = z.object({
  main: z.string(),
  types: z.string(),
  typesVersions: z.object({ '*': z.record(z.string(), z.array(z.string())) }),
  exports: z.record(z.string(), z.object({ types: z.string(), default: z.string() })),
});

test('what a README says may be required is found by TypeScript in CommonJS, with all its parts', () => {
  const promised = packages.filter((name) => /^`require\('/m.test(read(`packages/${name}/README.md`)));
  expect(promised).toEqual(['image-api', 'local-discord', 'time']);
  for (const name of promised) {
    const { main, types, typesVersions, exports } = installable.parse(
      JSON.parse(read(`packages/${name}/package.json`)),
    );
    const { '.': own, ...parts } = exports;
    expect({ types, default: main }, name).toEqual(own);
    const typesOf = Object.entries(parts).map(([part, { types }]) => [part.slice('./'.length), [types]]);
    expect(typesVersions['*'], name).toEqual(Object.fromEntries(typesOf));
  }
});
