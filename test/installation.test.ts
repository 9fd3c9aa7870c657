import { chmod, cp, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startCommand, temporaryFolder, WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { Routes } from 'discord.js';
import { expect, onTestFinished, test } from 'vitest';
import { BOT, CHANNEL, MEMBER, seesOutcome } from '../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../packages/local-discord/test/support/message-of.ts';
import { openLocalDiscord } from '../packages/local-discord/test/support/open-local-discord.ts';
import { run as answered, fillIn, settled } from './support/ephemeral-reply.ts';

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url));

/** What the steps write to. */
const PLACES = /\/(?:opt|var\/lib|var\/backups|usr\/local\/bin|etc\/systemd\/system)(?=\/)/g;

/** What needs root, a network or a running systemd. A clone is a link to what is built here. */
const STAND_INS: Readonly<Record<string, string>> = {
  'apt-get': '',
  useradd: '',
  userdel: '',
  git: '[ "$1" != clone ] || [ -d "$3" ] || cp -a "$ROOT/opt/darkroom" "$3"',
  // It removes what is installed before it installs.
  npm: `[ "$1" != ci ] || [ ! -f "$ROOT/pid" ] || [ "$PWD" != "$ROOT/opt/darkroom" ] ||
    { echo '✖ npm ci takes from the bot what it runs from'; exit 1; }`,
  install: `while [ $# -gt 0 ]; do case $1 in -o|-g) shift 2;; *) kept="\${kept-} $1"; shift;; esac; done
    exec /usr/bin/install $kept`,
  runuser: 'shift 3; exec "$@"',
  systemctl: `unit=$ROOT/etc/systemd/system/darkroom.service
    case $1 in stop|restart|disable)
      kill "$(cat "$ROOT/pid")"
      while grep -qs '^State:[[:space:]]*[^Z]' "/proc/$(cat "$ROOT/pid")/status"; do sleep 0.1; done
      rm "$ROOT/pid"
    esac
    case $1 in enable|restart)
      : >"$ROOT/log"
      env $(sed -n 's/^Environment=//p' "$unit") $(sed -n 's/^ExecStart=//p' "$unit") >"$ROOT/log" 2>&1 &
      echo $! >"$ROOT/pid"
      for _ in $(seq ${WAIT_TIMEOUT_MS / 100}); do
        ! grep -q 'the bot is on Discord' "$ROOT/log" || exit 0
        sleep 0.1
      done
      cat "$ROOT/log"; exit 1
    esac`,
};

/** The commands of the numbered steps that follow these words in docs/operations.md, in their order. */
async function stepsAfter(words: string): Promise<string[]> {
  const page = await readFile(join(REPOSITORY, 'docs/operations.md'), 'utf8');
  // They end where a line begins that is neither numbered nor indented.
  const [, section = ''] = /\n\n((?:\d\. .*\n| .*\n|\n)+)/.exec(page.slice(page.indexOf(words))) ?? [];
  return [...section.matchAll(/^ {3}```sh\n([\s\S]*?)^ {3}```$/gm)].map(([, commands = '']) => commands);
}

/** An empty machine in a folder. */
async function machine() {
  const root = await temporaryFolder();
  const there = (text: string) =>
    text.replaceAll(PLACES, (place) => `${root}${place}`).replaceAll('/usr/bin/node', process.execPath);
  const clone = join(root, 'opt/darkroom');
  for (const folder of [
    'opt/darkroom',
    'var/lib',
    'var/backups',
    'usr/local/bin',
    'etc/systemd/system',
    'bin',
    'home',
  ])
    await mkdir(join(root, folder), { recursive: true });
  for (const name of ['dist', 'node_modules', 'packages', 'package.json', '.env.example'])
    await symlink(join(REPOSITORY, name), join(clone, name));
  await cp(join(REPOSITORY, 'docs/operations'), join(clone, 'docs/operations'), { recursive: true });
  for (const name of ['darkroom', 'darkroom.service']) {
    const file = join(clone, 'docs/operations', name);
    await writeFile(file, there(await readFile(file, 'utf8')));
  }
  for (const [name, does] of Object.entries(STAND_INS)) {
    await writeFile(join(root, 'bin', name), `#!/bin/sh\n${does}\n`);
    await chmod(join(root, 'bin', name), 0o755);
  }
  return {
    root,
    /** Runs commands there, as a user who has nothing, and tells what they print. */
    async run(commands: string): Promise<string> {
      const PATH = [join(root, 'usr/local/bin'), join(root, 'bin'), '/usr/bin', '/bin'].join(':');
      const env = { PATH, ROOT: root, HOME: join(root, 'home') };
      const shell = startCommand(['/bin/sh', '-euc', there(commands)], env, { cwd: root });
      const { code } = await shell.ended;
      expect(code, shell.output()).toBe(0);
      return shell.output();
    },
  };
}

/** A machine on which the steps were done, and a Discord that its bot is on. */
async function installed() {
  const { discord, address, rest } = await openLocalDiscord();
  const { root, run } = await machine();
  onTestFinished(() => run('[ ! -f "$ROOT/pid" ] || kill -KILL "$(cat "$ROOT/pid")"').then(() => undefined));
  const [packages = '', code = '', settings = '', program = '', start = ''] =
    await stepsAfter('**From nothing to running');
  await run(packages + code + settings);
  const file = join(root, 'var/lib/darkroom/.env');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const own = { DISCORD_TOKEN: discord.token(), DISCORD_API_URL: address.apiUrl, SERVICE_PORT: '0' };
  let text = await readFile(file, 'utf8');
  for (const [name, value] of Object.entries(own))
    text = text.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}=${value}`);
  await writeFile(file, text);
  const said = await run(`cd /opt/darkroom; ${program}${start}`);
  const [, loginToken = ''] = /^ *\d+ +NAME +100 +(lt-[0-9a-f]+)/m.exec(said) ?? [];
  return { root, run, rest, member: discord.as(MEMBER), loginToken };
}

test('the steps of docs/operations.md lead from nothing to a bot that runs, and an account', async () => {
  const { rest, loginToken } = await installed();
  expect(loginToken).not.toBe('');
  expect(await rest.get(Routes.applicationCommands(BOT))).not.toEqual([]);
});

test('what was backed up by its steps is there again on an empty machine, and after an upgrade', async () => {
  const { root, run, member, loginToken } = await installed();
  const generated = await fillIn(member, await member.invoke(CHANNEL, 'apikey generate'), loginToken);
  expect((await settled(generated, member)).content).toContain('is linked');
  const asked = messageOf(await member.invoke(CHANNEL, 'imagine', { prompt: 'a lighthouse', size: '64x64' }));
  expect((await seesOutcome(member, asked.id)).attachments).toHaveLength(1);
  // A preview, or what shows that the folder can be written to, may be there for a moment.
  const pictures = async () =>
    (await readdir(join(root, 'var/lib/darkroom/data/pictures'))).filter((name) => name.endsWith('.png'));
  const drawn = await pictures();

  await run((await stepsAfter('**Back up**')).join(''));
  expect((await stat(join(root, 'var/backups/darkroom.tar.gz'))).mode & 0o777).toBe(0o600);
  await run('systemctl stop darkroom; rm -r /var/lib/darkroom');
  expect(await run((await stepsAfter('**Restore**')).join(''))).not.toContain('✖');
  const isAllThere = async () => {
    expect((await answered(member, 'balance')).content).toContain('**99** credits');
    expect(JSON.stringify(await answered(member, 'jobs'))).toContain('a lighthouse');
    expect(await run('darkroom service task list NAME')).toContain('completed');
    expect((await pictures()).sort()).toEqual(drawn.sort());
  };
  await isAllThere();

  expect(await run((await stepsAfter('## Upgrade')).join(''))).not.toContain('✖');
  await isAllThere();
});

test('nothing is left of it after the steps that remove it', async () => {
  const { root, run } = await installed();
  const left = async () => {
    const places = ['opt', 'var/lib', 'var/backups', 'usr/local/bin', 'etc/systemd/system'];
    return (await Promise.all(places.map((place) => readdir(join(root, place))))).flat();
  };
  const [program = '', kept = ''] = await stepsAfter('## Remove it');
  await run((await stepsAfter('**Back up**')).join(''));
  await run(program);
  expect(await left()).toEqual(['darkroom', 'darkroom.tar.gz']);
  await run(kept);
  expect(await left()).toEqual([]);
});
