import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isatty } from 'node:tty';
import { parseEnv } from 'node:util';
import { OperatorError, ownCommand, runMain } from '@darkroom/process';
import { runProgram } from '@darkroom/process/program';
import { Option } from 'commander';
import { commands } from '../../commands/index.ts';
import { type Words, wordsIn, wordsOf } from '../operator/words/words.ts';
import { SETTINGS_FILE } from '../settings-file.ts';
import { type Ask, Stopped } from './ask.ts';
import { type EnvFile, openEnvFile } from './env-file.ts';
import { PAYERS, type Payer } from './payer.ts';
import { WAYS, type Way } from './run-by.ts';
import { createSettings, SECRETS, withoutPassword } from './settings.ts';
import { examine, setUp } from './setup.ts';
import { areSketchesChosen, sourceIn } from './source.ts';
import { askInTerminal } from './terminal.ts';
import { askNobody } from './unattended.ts';

/** Exit codes: answers are missing and nobody is there to give them; stopped by Ctrl-C. */
const MISSING = 2;
const STOPPED = 130;

/** Settings that a flag can give. A secret cannot: whoever lists processes would read it. */
const FLAGS = [
  'COMFYUI_URL',
  'SDWEBUI_URL',
  'HOSTED_MODEL',
  'HOSTED_BASE_URL',
  'IMAGE_API_URL',
  'DISCORD_GUILD_ID',
  'DISCORD_API_URL',
].map((setting) => ({
  setting,
  option: new Option(`--${setting.toLowerCase().replaceAll('_', '-')} <value>`, `sets ${setting}`),
}));

/** Of everybody who has none of their own; their pictures come last. */
const EVERYBODYS_HORDE_KEY = '0000000000';

interface Flags extends Readonly<Record<string, unknown>> {
  sketch: boolean;
  choose: boolean;
  horde: boolean;
  payer?: Payer;
  picture?: boolean;
  invite: boolean;
  try: boolean;
  run?: Way;
  check: boolean;
  json: boolean;
  language?: string;
}

/** Undefined where help was all that was asked for, which is printed. */
async function readFlags(args: readonly string[]): Promise<Flags | undefined> {
  let flags: Flags | undefined;
  const description =
    'Asks what only you can know, tries every answer at once, and ends with the bot in your server. Secrets are given in the environment (DISCORD_TOKEN, HOSTED_API_KEY, AI_HORDE_KEY, IMAGE_API_KEY, an SDWEBUI_URL with its password), never as flags.';
  const help = await runProgram(args, { name: ownCommand('setup', ''), description }, (program) => {
    for (const { option } of FLAGS) program.addOption(option);
    program
      .option('--sketch', 'pictures are sketches for now', false)
      .option('--choose', 'asks who draws, also where that is settled', false)
      .option(
        '--horde',
        'volunteers of the AI Horde draw, for everybody’s key unless AI_HORDE_KEY is set',
        false,
      )
      .addOption(new Option('--payer <who>', 'who pays for pictures of the included service').choices(PAYERS))
      .option('--picture', 'draws a test picture, also where it costs')
      .option('--no-picture', 'draws no test picture')
      .option('--no-invite', 'does not wait until the bot is in a server')
      .option('--no-try', 'does not wait for somebody to type /imagine')
      .addOption(new Option('--run <way>', 'how the bot will run').choices(WAYS))
      .option('--check', 'only tries what is set, and changes nothing', false)
      .option('--json', 'writes what it found as JSON, and asks nothing', false)
      .option('--language <code>', 'en or de; the terminal’s unless given')
      .action((given: Flags) => {
        flags = given;
      });
  });
  process.stdout.write(help);
  return flags;
}

/** `darkroom setup`. The exit code is 1 where something is not well. */
await runMain(async () => {
  const flags = await readFlags(process.argv.slice(2));
  if (flags === undefined) return;
  // What scripts read is the same whatever the terminal's language is.
  const words =
    flags.language === undefined ? wordsOf(flags.json ? {} : process.env) : wordsIn(flags.language);
  const isAttended = !flags.json && !flags.check && isatty(0) && isatty(1);
  const ask = isAttended
    ? askInTerminal(words)
    : askNobody((line) => void (flags.json || process.stdout.write(`${line}\n`)));
  const byFlag = Object.fromEntries(
    FLAGS.flatMap(({ setting, option }) => {
      const value = flags[option.attributeName()];
      return typeof value === 'string' ? [[setting, value]] : [];
    }),
  );
  if (withoutPassword(byFlag.SDWEBUI_URL ?? '') !== (byFlag.SDWEBUI_URL ?? ''))
    throw new OperatorError(words.passwordInFlag('SDWEBUI_URL'));

  try {
    const file = await openSettings(ask, words);
    const env = takeEnvironment();
    if (flags.horde) byFlag.AI_HORDE_KEY = env.AI_HORDE_KEY || EVERYBODYS_HORDE_KEY;
    const settings = createSettings({ file, flags: byFlag, environment: env, ask, words });
    if (flags.check) {
      const diagnoses = await examine({ settings, ask, words, commands });
      const overridden = settings.overridden();
      if (flags.json) print({ diagnoses, overridden });
      else if (overridden.length > 0) ask.tell(words.elsewhere(overridden));
      process.exitCode = diagnoses.every(({ isWell }) => isWell) ? 0 : 1;
      return;
    }
    const isSketched = flags.sketch || (!flags.choose && areSketchesChosen(file, settings));
    const source = flags.sketch
      ? undefined
      : (sourceIn({ get: (name) => byFlag[name] }) ?? sourceIn(settings));
    const lacksKey = ['HOSTED_API_KEY', 'HOSTED_BASE_URL'].every((name) => settings.get(name) === undefined);
    const missing = isAttended
      ? []
      : [
          ...(source === undefined && !isSketched ? [words.missingPictures] : []),
          ...(source === 'hosted' && lacksKey ? [words.missingKey] : []),
          ...(settings.get('DISCORD_TOKEN') === undefined ? [words.missingToken] : []),
        ];
    if (missing.length > 0) {
      if (flags.json) print({ missing });
      else process.stderr.write([words.missing, ...missing.map((one) => `  ${one}`), ''].join('\n'));
      process.exitCode = MISSING;
      return;
    }
    const result = await setUp(
      { settings, file, ask, words, commands },
      {
        flags: byFlag,
        sketch: isSketched,
        isChosenAnew: flags.choose,
        testPicture: flags.picture,
        isInvited: flags.invite,
        isTried: flags.try,
        payer: flags.payer,
        way: flags.run,
      },
    );
    if (flags.json) print(result);
    if (result.diagnoses.some(({ isWell }) => !isWell)) process.exitCode = 1;
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    process.stdout.write(`\n${words.stopped}\n`);
    process.exitCode = STOPPED;
  }
});

/**
 * Opens the file of settings again until it can be read, with what it puts into the environment of this process. Rejects as
 * `openEnvFile` does where nobody is there to mend it, and with `Stopped` where nobody would.
 */
async function openSettings(ask: Ask, words: Words): Promise<EnvFile> {
  while (true) {
    try {
      const file = await openEnvFile(SETTINGS_FILE, words);
      if (existsSync(SETTINGS_FILE)) process.loadEnvFile(SETTINGS_FILE);
      return file;
    } catch (error) {
      if (!(error instanceof OperatorError) || !ask.isAttended) throw error;
      const before = parseEnv(await readFile(SETTINGS_FILE, 'utf8').catch(() => ''));
      ask.wrong(error.message);
      if (!(await ask.confirm(words.file.readAgain))) throw new Stopped();
      for (const [name, value] of Object.entries(before))
        if (process.env[name] === value) delete process.env[name];
    }
  }
}

/** The environment; its secrets are taken out of this process, whose reports of a crash and children would have them. */
function takeEnvironment(): NodeJS.ProcessEnv {
  const env = { ...process.env };
  for (const name of SECRETS) delete process.env[name];
  return env;
}

function print(found: object): void {
  process.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
}
