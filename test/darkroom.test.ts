import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { NOWHERE, startCommand, temporaryFolder } from '@darkroom/testing';
import { expect, onTestFinished, test } from 'vitest';
import { BOT } from '../packages/local-discord/test/support/local-discord.ts';
import { de } from '../src/operator/words/de.ts';
import { en, type Words } from '../src/operator/words/en.ts';
import { DARKROOM } from './support/start-darkroom.ts';

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url));

/** Runs `darkroom` with these arguments to its end, in a folder that is not its own. */
async function darkroom(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const program = startCommand([process.execPath, DARKROOM, ...args], env, { cwd: tmpdir() });
  onTestFinished(() => void program.child.kill('SIGKILL'));
  const { code } = await program.ended;
  return { code, output: program.output() };
}

async function newHome(settings: string): Promise<string> {
  const home = await temporaryFolder();
  await writeFile(join(home, '.env'), settings, { mode: 0o600 });
  return home;
}

test('what is built may be run by users who did not build it', async () => {
  const files = await readdir(dirname(DARKROOM));
  const modes = await Promise.all(
    [dirname(DARKROOM), ...files.map((name) => join(dirname(DARKROOM), name))].map(async (path) => {
      const { mode } = await stat(path);
      return mode & 0o044;
    }),
  );
  expect(new Set(modes)).toEqual(new Set([0o044]));
});

test('a misspelt program is answered with the one that may be meant, and the list of all', async () => {
  const { code, output } = await darkroom(['strat']);
  expect(code).toBe(1);
  expect(output).toContain('There is no program strat. Did you mean start?\n\ndarkroom PROGRAM');
  expect((await darkroom(['nothing'])).output).toContain('There is no program nothing.\n\n');
});

test.skipIf(!existsSync('/dev/full'))(
  'what finds no room where it is printed to is said to be lost, without a stack (needs /dev/full)',
  async () => {
    const program = startCommand(
      ['/bin/sh', '-c', `"${process.execPath}" "${DARKROOM}" help > /dev/full`],
      {},
    );
    expect((await program.ended).code).toBe(1);
    expect(program.output()).toMatch(/^What is printed cannot be written: ENOSPC.+\n$/);
  },
);

test('settings and data are those of DARKROOM_HOME, wherever it is called from', async () => {
  const home = await newHome('SERVICE_DATABASE_URL=sqlite://data/here.sqlite\n');
  const added = await darkroom(['service', 'account', 'add', 'somebody', '--create', '--credits', '5'], {
    DARKROOM_HOME: home,
  });
  expect(added).toMatchObject({ code: 0, output: expect.stringContaining('somebody') });
  expect(await readdir(join(home, 'data'))).toContain('here.sqlite');
  const listed = await darkroom(['service', 'account', 'list'], { DARKROOM_HOME: home });
  expect(listed.output).toContain('somebody');
});

test('what the environment sets itself comes before the file', async () => {
  const home = await newHome('SERVICE_PORT=wrong\n');
  const asInFile = await darkroom(['service', 'account', 'list'], { DARKROOM_HOME: home });
  expect(asInFile).toMatchObject({ code: 1, output: expect.stringContaining('SERVICE_PORT: expected') });
  const asSet = await darkroom(['service', 'account', 'add', 'somebody', '--create'], {
    DARKROOM_HOME: home,
    SERVICE_PORT: '0',
  });
  expect(asSet.code).toBe(0);
});

test('the first setting is read behind the mark that editors on Windows put before it', async () => {
  const home = await newHome('\uFEFFSERVICE_PORT=wrong\n');
  for (const args of [['doctor'], ['service', 'account', 'list'], ['setup', '--check']]) {
    const { code, output } = await darkroom(args, { DARKROOM_HOME: home });
    expect(code).toBe(1);
    expect(output).toContain('SERVICE_PORT: expected');
  }
});

test('lines of the file that are no setting are named by their numbers, and the one behind them is read', async () => {
  const home = await newHome('a.b.c\n# Ours\nSERVICE_PORT=wrong\nDISCORD_TOKEN d.e.f\n');
  for (const args of [['doctor'], ['deploy-commands'], ['service', 'account', 'list']]) {
    const { code, output } = await darkroom(args, { DARKROOM_HOME: home });
    expect(code).toBe(1);
    expect(output).toContain(
      `No setting, and not read, in ${join(home, '.env')}: line 1, line 4. Expected NAME=value, or # and a comment.\n`,
    );
    expect(output).toContain('SERVICE_PORT: expected');
    expect(output).not.toMatch(/a\.b\.c|d\.e\.f/);
  }
});

test('what Node has read before the program runs is said to have no effect in the file, in the language of the terminal', async () => {
  const home = await newHome('NODE_EXTRA_CA_CERTS=/etc/ours.pem\nNODE_OPTIONS=\nSERVICE_PORT=wrong\n');
  const said = (words: Words) => `${words.file.readByNode('NODE_EXTRA_CA_CERTS', join(home, '.env'))}\n`;
  for (const [args, LC_ALL, words] of [
    [['start'], 'C', en],
    [['doctor'], 'C', en],
    [['doctor'], 'de_DE.UTF-8', de],
    [['service', 'account', 'list'], 'C', en],
  ] as const) {
    const { output } = await darkroom(args, { DARKROOM_HOME: home, LC_ALL });
    expect(output).toContain(said(words));
    // Compose reads the same file, and gives it to the containers.
    expect(output).toContain('Docker Compose');
    expect(output).not.toContain('NODE_OPTIONS');
  }
  const set = { NODE_EXTRA_CA_CERTS: join(home, '.env') };
  const { output } = await darkroom(['doctor'], { DARKROOM_HOME: home, LC_ALL: 'C', ...set });
  expect(output).not.toContain(said(en));
});

test('a bot whose key file is lost makes no other beside its store', async () => {
  const home = await newHome('');
  await mkdir(join(home, 'data'));
  const store = join(home, 'data', 'darkroom.sqlite');
  await writeFile(store, '');
  const started = await darkroom(['start'], {
    DARKROOM_HOME: home,
    DISCORD_TOKEN: `${Buffer.from(BOT).toString('base64url')}.b.c`,
    DISCORD_API_URL: NOWHERE,
    IMAGE_API_URL: NOWHERE,
  });
  const file = join(home, 'data', 'secret.key');
  expect(started.code).toBe(1);
  expect(started.output).toContain(
    `${file} is missing, and SECRET_KEY is not set: one of them has sealed what is in ${store}.`,
  );
  expect(existsSync(file)).toBe(false);
});

test('an account is not made beside the service, in a folder that has none', async () => {
  const home = await newHome('');
  const { code, output } = await darkroom(['service', 'account', 'add', 'somebody'], { DARKROOM_HOME: home });
  expect({ code, output }).toEqual({
    code: 1,
    output: expect.stringContaining(`There is no database ${join(home, 'data', 'service.sqlite')}.`),
  });
  expect(await readdir(home)).toEqual(['.env']);
});

test('a home that is not there is a sentence that names it', async () => {
  const { code, output } = await darkroom(['doctor'], { DARKROOM_HOME: '/nowhere/at/all' });
  expect(code).toBe(1);
  expect(output).toMatch(
    /^DARKROOM_HOME names \/nowhere\/at\/all, which cannot be entered: ENOENT.+ Make that folder, or name another one\.\n$/,
  );
});

test('help lists every program, and so does a word that is none', async () => {
  const help = await darkroom(['help']);
  expect(help.code).toBe(0);
  for (const name of ['start', 'demo', 'doctor', 'deploy-commands', 'store', 'vault', 'service'])
    expect(help.output).toMatch(new RegExp(`^ {2}${name} +\\S`, 'm'));
  for (const asked of ['--help', '-h']) expect(await darkroom([asked])).toEqual(help);
  const unknown = await darkroom(['begin']);
  expect(unknown).toEqual({ code: 1, output: `There is no program begin.\n\n${help.output}` });
});

test.each(['start', 'doctor'])(
  '`darkroom %s` says how it is typed, and does nothing with arguments that it does not take',
  async (name) => {
    const help = await darkroom([name, '--help']);
    expect(help).toEqual({ code: 0, output: expect.stringContaining(`Usage: darkroom ${name} `) });
    for (const asked of ['-h', '--']) expect(await darkroom([name, asked])).toEqual(help);
    expect(await darkroom([name, '--json'])).toEqual({
      code: 1,
      output: `error: unknown option '--json'\n\n${help.output}`,
    });
    expect(await darkroom([name, 'now'])).toMatchObject({
      code: 1,
      output: expect.stringContaining('too many'),
    });
  },
);

test('commands are named as they are typed: by npm where npm has started this', async () => {
  expect((await darkroom(['store', '--help'])).output).toContain('Usage: darkroom store ');
  const byNpm = startCommand(
    ['npm', 'run', '-s', 'store', '--', '--help'],
    { NODE_ENV: 'production' },
    { cwd: REPOSITORY },
  );
  await byNpm.ended;
  expect(byNpm.output()).toContain('Usage: npm run store -- ');
});

/**
 * A clone whose build is `build`, an ES module, and whose program prints its arguments. Node and npm may warn on
 * standard error beside it.
 */
async function clone(build: string, others: Readonly<Record<string, string>> = {}) {
  const folder = await temporaryFolder();
  for (const [name, content] of Object.entries(others)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  const { type, scripts } = JSON.parse(await readFile(join(REPOSITORY, 'package.json'), 'utf8'));
  scripts['build:app'] = 'node build.mjs';
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type, scripts }));
  await cp(join(REPOSITORY, 'run.mjs'), join(folder, 'run.mjs'));
  await writeFile(join(folder, 'build.mjs'), build);
  await writeFile(join(folder, 'program.js'), 'console.log(JSON.stringify(process.argv.slice(2)));');
  return async (...args: [string, ...string[]]) => {
    const { PATH, HOME } = process.env;
    const npm = spawn('npm', ['run', '-s', ...args], {
      cwd: folder,
      env: { PATH, HOME },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, said, [code]] = await Promise.all([text(npm.stdout), text(npm.stderr), once(npm, 'close')]);
    return { code, out, said };
  };
}

const BUILD = `import { cpSync } from 'node:fs';\ncpSync('program.js', 'dist/bundle/darkroom.js');\nconsole.log('built');`;

test('a clone is built before each program, whose output is its own and whose arguments arrive as they were typed', async () => {
  const run = await clone(BUILD);
  const asked = [`it's "a fox"`, '$HOME', '*', '', '--json'];
  const out = `${JSON.stringify(['demo', ...asked])}\n`;
  const first = await run('demo', '--', ...asked);
  expect(first).toEqual({ code: 0, out, said: expect.stringMatching(/^Getting ready …$[\s\S]*^built$/m) });
  const second = await run('demo', '--', ...asked);
  expect(second).toEqual({ code: 0, out, said: expect.stringMatching(/^built$/m) });
  expect(second.said).not.toContain('Getting ready');
});

test('a clone that cannot be built says why, and ends as its build did', async () => {
  const run = await clone(`console.log('no compiler');\nprocess.exit(3);`);
  const said = expect.stringMatching(/^Getting ready …$[\s\S]*^no compiler$/m);
  expect(await run('doctor')).toEqual({ code: 3, out: '', said });
});

test('a clone says that npm has not installed what its version wants, as after a pull alone', async () => {
  const wanted = {
    '': { name: 'darkroom', version: '0.1.0' },
    'packages/time': { name: '@darkroom/time', version: '0.1.0' },
    'node_modules/@darkroom/time': { resolved: 'packages/time', link: true },
    'node_modules/keyv': { version: '5.6.0' },
    'node_modules/of-windows': { version: '1.0.0', optional: true },
  };
  const { '': _, 'node_modules/of-windows': __, ...there } = wanted;
  const { 'node_modules/@darkroom/time': ___, ...fewer } = there;
  const said = async (packages: object): Promise<string> => {
    const run = await clone(BUILD, {
      'package-lock.json': JSON.stringify({ packages: wanted }),
      'node_modules/.package-lock.json': JSON.stringify({ packages }),
    });
    const { code, said } = await run('start');
    expect(code).toBe(0);
    return said;
  };
  expect(await said(there)).not.toContain('npm ci');
  expect(await said(fewer)).toContain('run npm ci');
  expect(await said({ ...there, 'node_modules/keyv': { version: '5.5.0' } })).toContain('run npm ci');
});

test('whoever reads only the beginning of what is printed, as `| head` does, sees no error', async () => {
  const piped = startCommand(
    ['/bin/bash', '-o', 'pipefail', '-c', '"$0" "$1" setup --help | true', process.execPath, DARKROOM],
    {},
    { cwd: tmpdir() },
  );
  expect(await piped.ended).toMatchObject({ code: 0 });
  expect(piped.output()).toBe('');
});
