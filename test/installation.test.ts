import { chmod, cp, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startCommand } from '@darkroom/testing';
import { Routes } from 'discord.js';
import { expect, onTestFinished, test } from 'vitest';
import { BOT, startLocalDiscord } from '../packages/local-discord/test/support/local-discord.ts';

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url));

/** What the steps write to. */
const PLACES = /\/(?:opt|var\/lib|usr\/local\/bin|etc\/systemd\/system)(?=\/)/g;

/** What needs root, a network or a running systemd. A clone is a link to what is built here. */
const STAND_INS: Readonly<Record<string, string>> = {
  'apt-get': '',
  useradd: '',
  git: '',
  npm: '',
  install: `while [ $# -gt 0 ]; do case $1 in -o|-g) shift 2;; *) kept="\${kept-} $1"; shift;; esac; done
    exec /usr/bin/install $kept`,
  runuser: 'shift 3; exec "$@"',
  systemctl: `[ "$1" = enable ] || exit 0
    unit=$ROOT/etc/systemd/system/$3.service
    env $(sed -n 's/^Environment=//p' "$unit") $(sed -n 's/^ExecStart=//p' "$unit") >"$ROOT/log" 2>&1 &
    echo $! >"$ROOT/pid"
    for _ in $(seq 600); do
      ! grep -q 'the bot is on Discord' "$ROOT/log" || exit 0
      sleep 0.1
    done
    cat "$ROOT/log"; exit 1`,
};

/** The commands of the numbered steps, in their order. */
async function steps(): Promise<string[]> {
  const page = await readFile(join(REPOSITORY, 'docs/operations.md'), 'utf8');
  const [, section = ''] = /\*\*From nothing to running([\s\S]*?)\*\*With Docker\*\*/.exec(page) ?? [];
  return [...section.matchAll(/^ {3}```sh\n([\s\S]*?)^ {3}```$/gm)].map(([, commands = '']) => commands);
}

/** An empty machine in a folder. */
async function machine() {
  const root = await mkdtemp(join(tmpdir(), 'darkroom-machine-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const there = (text: string) =>
    text.replaceAll(PLACES, (place) => `${root}${place}`).replaceAll('/usr/bin/node', process.execPath);
  const clone = join(root, 'opt/darkroom');
  for (const folder of ['opt/darkroom', 'var/lib', 'usr/local/bin', 'etc/systemd/system', 'bin', 'home'])
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
      const shell = startCommand(['/bin/sh', '-euc', there(commands)], env, { cwd: clone });
      const { code } = await shell.ended;
      expect(code, shell.output()).toBe(0);
      return shell.output();
    },
  };
}

test('the steps of docs/operations.md lead from nothing to a bot that runs, an account, and a backup', async () => {
  const { discord, address, rest, close } = await startLocalDiscord();
  onTestFinished(close);
  const { root, run } = await machine();
  onTestFinished(() => run('[ ! -f "$ROOT/pid" ] || kill -KILL "$(cat "$ROOT/pid")"').then(() => undefined));
  const [packages = '', code = '', settings = '', program = '', start = ''] = await steps();
  await run(packages + code + settings);
  const file = join(root, 'var/lib/darkroom/.env');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const own = { DISCORD_TOKEN: discord.token(), DISCORD_API_URL: address.apiUrl, SERVICE_PORT: '0' };
  let text = await readFile(file, 'utf8');
  for (const [name, value] of Object.entries(own))
    text = text.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}=${value}`);
  await writeFile(file, text);
  const said = await run(program + start);
  expect(said).toMatch(/^ *\d+ +NAME +100 +lt-[0-9a-f]+/m);
  expect(await rest.get(Routes.applicationCommands(BOT))).not.toEqual([]);
  await run(
    'darkroom store backup data/bot.backup; darkroom service backup data/service.backup --pictures data/copied',
  );
  expect((await stat(join(root, 'var/lib/darkroom/data/bot.backup'))).mode & 0o777).toBe(0o600);
});
