import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LEAVES = [
  'errors',
  'clock',
  'backoff',
  'deadline',
  'log',
  'vault',
  'payer',
  'store',
  'purge',
  'lease',
  'sqlite',
  'signals',
  'parts',
].map((name) => `src/${name}.ts`);
const CONFIG = 'src/config.ts';
const PROGRAM = 'src/program.ts';
/** What settings of the service may say: the configuration reports every problem at once. */
const SETTINGS = 'src/service/settings.ts';

/**
 * Who may import whom. The last rule whose folder or file fits counts; every part may import from itself. `types`: from
 * where types may come in addition. Main and the playground compose, and may import everything.
 */
const RULES: readonly { part: string; values: readonly string[]; types?: readonly string[] }[] = [
  ...LEAVES.map((leaf) => ({ part: leaf, values: LEAVES })),
  { part: CONFIG, values: [SETTINGS] },
  { part: PROGRAM, values: [CONFIG, ...LEAVES] },
  { part: 'src/contract/', values: [] },
  { part: 'src/client/', values: ['src/contract/', ...LEAVES] },
  { part: 'src/jobs/', values: ['src/contract/', ...LEAVES], types: ['src/client/'] },
  { part: 'src/credentials/', values: ['src/contract/', ...LEAVES], types: ['src/client/'] },
  {
    part: 'src/bot/',
    values: ['src/jobs/', 'src/credentials/', 'src/client/', 'src/contract/', ...LEAVES],
  },
  {
    part: 'commands/',
    values: [
      ...['accepted', 'buttons', 'command', 'refusal', 'render'].map((name) => `src/bot/${name}.ts`),
      'src/contract/',
      ...LEAVES,
    ],
    types: ['src/'],
  },
  { part: 'src/service/', values: ['src/contract/', ...LEAVES], types: [CONFIG] },
  { part: SETTINGS, values: ['src/contract/'] },
  // The service's own command line.
  ...['main.ts', 'serve.ts', 'operator/'].map((name) => ({
    part: `src/service/${name}`,
    values: ['src/service/', 'src/contract/', CONFIG, PROGRAM, ...LEAVES],
  })),
  { part: 'src/local-discord/', values: LEAVES },
  { part: 'deploy-commands.ts', values: ['commands/index.ts', CONFIG, PROGRAM, ...LEAVES] },
];

const ENTRY_POINTS = [
  'src/main.ts',
  'src/service/main.ts',
  'src/playground/demo/main.ts',
  'deploy-commands.ts',
];

interface Import {
  from: string;
  typesOnly: boolean;
}

interface Source {
  path: string;
  lines: number;
  /** Without comments and text. */
  code: string;
  imports: Import[];
}

const COMMENTS_AND_TEXT =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;
const IMPORTS = /^(?:import|export)\s+(?<what>[^;'"]*?)\s*from\s+'(?<from>[^']+)'/gm;
const BARE_IMPORTS = /(?:^import\s+|\bimport\()'(?<from>[^']+)'/gm;

/** What `text` imports; a relative path as it is seen from the root. */
function importsOf(text: string, path: string): Import[] {
  const resolve = (from: string) => (from.startsWith('.') ? posix.join(posix.dirname(path), from) : from);
  const named = [...text.matchAll(IMPORTS)].map(({ groups: { what = '', from = '' } = {} }) => ({
    from: resolve(from),
    typesOnly:
      what.startsWith('type ') ||
      (/^\{.*\}$/s.test(what) &&
        what
          .slice(1, -1)
          .split(',')
          .every((name) => /^\s*(type\s|$)/.test(name))),
  }));
  const bare = [...text.matchAll(BARE_IMPORTS)].map(({ groups: { from = '' } = {} }) => ({
    from: resolve(from),
    typesOnly: false,
  }));
  return [...named, ...bare];
}

function sourceOf(path: string): Source {
  const text = readFileSync(posix.join(ROOT, path), 'utf8');
  return {
    path,
    lines: text.trimEnd().split('\n').length,
    code: text.replace(COMMENTS_AND_TEXT, "''"),
    imports: importsOf(text, path),
  };
}

const filesBelow = (folder: string) =>
  readdirSync(posix.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(
    (name) => `${folder}/${name}`,
  );

const SOURCES = ['deploy-commands.ts', ...filesBelow('src'), ...filesBelow('commands')]
  .filter((path) => /(?<!\.d)\.ts$/.test(path))
  .map(sourceOf);

/** The paths of the sources in whose code `form` occurs. */
const having = (form: RegExp): string[] =>
  SOURCES.flatMap(({ path, code }) => (form.test(code) ? [path] : []));

test('the reader of imports reads every kind of them', () => {
  const text = [
    "import type { A } from './a.ts';",
    "import { type B, type C } from '../b.ts';",
    "import {\n  type D,\n  e,\n} from 'e';",
    "import f, { type G } from 'f';",
    "import 'side-effect';",
    "export { h } from './h.ts';",
    "const i = await import('./i.ts');",
  ].join('\n');
  expect(importsOf(text, 'src/part/x.ts')).toEqual([
    { from: 'src/part/a.ts', typesOnly: true },
    { from: 'src/b.ts', typesOnly: true },
    { from: 'e', typesOnly: false },
    { from: 'f', typesOnly: false },
    { from: 'src/part/h.ts', typesOnly: false },
    { from: 'side-effect', typesOnly: false },
    { from: 'src/part/i.ts', typesOnly: false },
  ]);
});

test('there is something to check in every part that a rule speaks of', () => {
  for (const { part } of RULES) {
    expect(SOURCES.filter(({ path }) => path.startsWith(part)).length, part).toBeGreaterThan(0);
  }
});

test('every part imports only from where it may', () => {
  const wrong = SOURCES.flatMap(({ path, imports }) => {
    const rule = RULES.findLast(({ part }) => path.startsWith(part));
    if (!rule) return [];
    const { part, values, types = [] } = rule;
    const allowed = ({ from, typesOnly }: Import) =>
      !/^(src|commands)\//.test(from) ||
      [part, ...values, ...(typesOnly ? types : [])].some((beginning) => from.startsWith(beginning));
    return imports.filter((one) => !allowed(one)).map(({ from }) => `${path} imports ${from}`);
  });
  expect(wrong).toEqual([]);
});

test('the contract needs nothing but zod', () => {
  const packages = SOURCES.filter(({ path }) => path.startsWith('src/contract/')).flatMap(({ imports }) =>
    imports.flatMap(({ from }) => (from.startsWith('src/') ? [] : [from])),
  );
  expect(new Set(packages)).toEqual(new Set(['zod']));
});

test('jobs and credentials know nothing of Discord', () => {
  const knowing = SOURCES.filter(
    ({ path, imports }) =>
      /^src\/(jobs|credentials|client|service)\//.test(path) &&
      imports.some(({ from }) => /discord/.test(from)),
  );
  expect(knowing.map(({ path }) => path)).toEqual([]);
});

test('only one file knows the limiter', () => {
  const knowing = SOURCES.filter(({ imports }) => imports.some(({ from }) => from === 'bottleneck'));
  expect(knowing.map(({ path }) => path)).toEqual(['src/jobs/pace.ts']);
});

test('the environment is read where a program begins, and nowhere else', () => {
  const reading = having(/\bprocess\.env\b/);
  expect(reading.filter((path) => !ENTRY_POINTS.includes(path))).toEqual([]);
});

test('classes are for errors', () => {
  const declared = having(/^\s*(export )?(abstract )?class (?!\w+ extends \w*(Error|Refusal)\b)/m);
  expect(declared).toEqual([]);
});

test('an error is logged under the name that the log can read', () => {
  expect(having(/\blog\.\w+\(\s*\{\s*(?:[^{}]*,\s*)?error\s*[,:}]/)).toEqual([]);
});

test('nothing is exported by default, typed any, or asserted to be there', () => {
  expect(having(/^export default\b/m)).toEqual([]);
  expect(having(/(?::|<|\||&|,|\bas)\s*any\b/)).toEqual([]);
  expect(having(/[\w)\]]!(?![=])/)).toEqual([]);
});

test('what is caught is unknown until it has been looked at', () => {
  expect(having(/\.catch\(\s*(?:async )?\((?!\)|\w+: unknown\))/)).toEqual([]);
});

test('a file is one idea: none has more than 250 lines', () => {
  expect(SOURCES.flatMap(({ path, lines }) => (lines > 250 ? [`${path}: ${lines}`] : []))).toEqual([]);
});

test('the lock file names no registry', () => {
  expect(readFileSync(posix.join(ROOT, 'package-lock.json'), 'utf8')).not.toContain('"resolved"');
});
