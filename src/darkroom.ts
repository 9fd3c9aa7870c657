#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { messageOf, nearest, OperatorError, ownCommand, runMain } from '@darkroom/process';
import { addressedHere } from './container-host.ts';
import { noSettingsIn, SETTINGS_FILE, settingsIn, tooLateIn } from './settings-file.ts';

/** The programs, by the word after `darkroom`. Each is an entry point: what it gets are the arguments that follow. */
const PROGRAMS = {
  start: {
    does: 'the bot on Discord; the playground where no DISCORD_TOKEN is set',
    run: () => import('./main.ts'),
  },
  demo: { does: 'one picture without a browser', run: () => import('./playground/demo/main.ts') },
  setup: {
    does: 'asks what only you can know, and puts the bot on Discord',
    run: () => import('./setup/main.ts'),
  },
  doctor: { does: 'tests what usually breaks', run: () => import('./operator/doctor/main.ts') },
  'deploy-commands': {
    does: 'registers the commands with Discord, or removes them',
    run: () => import('../deploy-commands.ts'),
  },
  store: {
    does: 'copies, backs up and restores what the bot keeps',
    run: () => import('./operator/store-main.ts'),
  },
  vault: {
    does: 'checks and renews the secret that seals it',
    run: () => import('./operator/vault-main.ts'),
  },
  service: { does: 'the image service, and its accounts', run: () => import('@darkroom/image-service/main') },
} as const;

/** They read no arguments. */
const TAKE_NONE: readonly string[] = ['start', 'doctor'];

const isProgram = (name: string): name is keyof typeof PROGRAMS => Object.hasOwn(PROGRAMS, name);

const HELP = [
  'darkroom PROGRAM [ARGUMENTS]',
  '',
  ...Object.entries(PROGRAMS).map(([name, { does }]) => `  ${name.padEnd(17)}${does}`),
  '',
  `Settings are read from the file ${SETTINGS_FILE} in the folder DARKROOM_HOME, and what is kept lies below it, in data/.`,
  'Unless it is set, that is the folder that you are in.',
].join('\n');

/** Says how a program that takes no arguments is typed. Throws `OperatorError` where it was given any. */
async function tellUsage(name: keyof typeof PROGRAMS, args: readonly string[]): Promise<void> {
  const { runProgram } = await import('@darkroom/process/program');
  const description = PROGRAMS[name].does;
  const usage = { name: ownCommand(name), description };
  process.stdout.write(await runProgram(args, usage, (program) => program.action(() => program.help())));
}

/**
 * Goes to `home`, so that every relative path of a setting begins there. Throws `OperatorError` where there is none.
 */
function enter(home: string): void {
  const folder = resolve(home);
  try {
    process.chdir(folder);
  } catch (error) {
    throw new OperatorError(
      `DARKROOM_HOME names ${folder}, which cannot be entered: ${messageOf(error)}. Make that folder, or name another one.`,
    );
  }
}

/**
 * Reads the settings of `home`; what the environment sets itself comes first. Says on standard error which have no
 * effect, and which lines are none, by their numbers: what they hold may be a secret. Throws `OperatorError` where it
 * cannot read them.
 */
async function readSettings(): Promise<void> {
  if (!existsSync(SETTINGS_FILE)) return;
  try {
    const text = readFileSync(SETTINGS_FILE, 'utf8');
    const settings = settingsIn(text);
    for (const name of tooLateIn(settings, process.env)) {
      const { wordsOf } = await import('./operator/words/words.ts');
      const { file } = wordsOf(process.env);
      process.stderr.write(`${file.readByNode(name, resolve(SETTINGS_FILE))}\n`);
    }
    Object.assign(process.env, { ...settings, ...process.env });
    const wrong = noSettingsIn(text).map((line) => `line ${line}`);
    if (wrong.length > 0)
      process.stderr.write(
        `No setting, and not read, in ${resolve(SETTINGS_FILE)}: ${wrong.join(', ')}. Expected NAME=value, or # and a comment.\n`,
      );
  } catch (error) {
    throw new OperatorError(
      `The settings in ${resolve(SETTINGS_FILE)} cannot be read: ${messageOf(error)}. Run this as the user whom they belong to.`,
    );
  }
}

await runMain(async () => {
  const [name = 'help'] = process.argv.splice(2, 1);
  if (['help', '--help', '-h'].includes(name)) {
    process.stdout.write(`${HELP}\n`);
    return;
  }
  if (!isProgram(name)) {
    const meant = nearest(name, Object.keys(PROGRAMS));
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
    throw new OperatorError(`There is no program ${name}.${hint}\n\n${HELP}`);
  }
  const args = process.argv.slice(2);
  if (args.length > 0 && TAKE_NONE.includes(name)) return tellUsage(name, args);
  enter(process.env.DARKROOM_HOME || '.');
  // Set-up reads them itself: it asks until they can be read.
  if (name !== 'setup') {
    await readSettings();
    Object.assign(process.env, await addressedHere(process.env));
  }
  await PROGRAMS[name].run();
});
