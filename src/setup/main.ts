import { isatty } from 'node:tty';
import { OperatorError, runMain } from '@darkroom/process';
import { Command, CommanderError, Option } from 'commander';
import { commands } from '../../commands/index.ts';
import { SETTINGS_FILE } from '../settings-file.ts';
import { Stopped } from './ask.ts';
import { openEnvFile } from './env-file.ts';
import { sourceIn } from './pictures.ts';
import { WAYS, type Way } from './run-by.ts';
import { createSettings } from './settings.ts';
import { examine, setUp } from './setup.ts';
import { askInTerminal } from './terminal.ts';
import { askNobody } from './unattended.ts';
import { wordsIn } from './words/words.ts';

/** Exit codes: answers are missing and nobody is there to give them; stopped by Ctrl-C. */
const MISSING = 2;
const STOPPED = 130;

/** Settings that a flag can give. A secret cannot: whoever lists processes would read it. */
const FLAGS = [
  'COMFYUI_URL',
  'HOSTED_MODEL',
  'HOSTED_BASE_URL',
  'IMAGE_API_URL',
  'DISCORD_GUILD_ID',
  'DISCORD_API_URL',
] as const;
const flagOf = (setting: string): string => setting.toLowerCase().replaceAll('_', '-');

interface Flags extends Readonly<Record<string, unknown>> {
  sketch: boolean;
  picture?: boolean;
  invite: boolean;
  try: boolean;
  run?: Way;
  check: boolean;
  json: boolean;
  language?: string;
}

function readFlags(args: readonly string[]): Flags | undefined {
  const program = new Command('darkroom setup')
    .description(
      'Asks what only you can know, tries every answer at once, and ends with the bot in your server. Secrets are given in the environment (DISCORD_TOKEN, HOSTED_API_KEY, AI_HORDE_KEY, IMAGE_API_KEY, SDWEBUI_URL), never as flags.',
    )
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  for (const setting of FLAGS) program.option(`--${flagOf(setting)} <value>`, `sets ${setting}`);
  program
    .option('--sketch', 'pictures are sketches for now', false)
    .option('--picture', 'draws a test picture, also where it costs')
    .option('--no-picture', 'draws no test picture')
    .option('--no-invite', 'does not wait until the bot is in a server')
    .option('--no-try', 'does not wait for somebody to type /imagine')
    .addOption(new Option('--run <way>', 'how the bot will run').choices(WAYS))
    .option('--check', 'only tries what is set, and changes nothing', false)
    .option('--json', 'writes what it found as JSON, and asks nothing', false)
    .option('--language <code>', 'en or de; the terminal’s unless given');
  try {
    return program.parse([...args], { from: 'user' }).opts<Flags>();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return undefined;
    throw new OperatorError(`${error.message.replace(/^error: /, '')}\nThere is help: darkroom setup --help`);
  }
}

/** `npm run setup`. The exit code is 1 where something is not well. */
await runMain(async () => {
  const flags = readFlags(process.argv.slice(2));
  if (flags === undefined) return;
  const env = process.env;
  const words = wordsIn(flags.language ?? (env.LC_ALL || env.LC_MESSAGES || env.LANG));
  const isAttended = !flags.json && !flags.check && isatty(0) && isatty(1);
  const ask = isAttended
    ? askInTerminal(words)
    : askNobody((line) => void (flags.json || process.stdout.write(`${line}\n`)));
  const file = await openEnvFile(SETTINGS_FILE);
  const byFlag = Object.fromEntries(
    FLAGS.flatMap((setting) => {
      const value = flags[camel(flagOf(setting))];
      return typeof value === 'string' ? [[setting, value]] : [];
    }),
  );
  const settings = createSettings({ file, given: { ...env, ...byFlag }, ask, words });

  try {
    if (flags.check) {
      const diagnoses = await examine({ settings, ask, words, commands });
      if (flags.json) print({ diagnoses });
      process.exitCode = diagnoses.every(({ isWell }) => isWell) ? 0 : 1;
      return;
    }
    const missing = isAttended
      ? []
      : [
          ...(flags.sketch || sourceIn(settings) !== undefined ? [] : [words.missingPictures]),
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
        sketch: flags.sketch,
        testPicture: flags.picture,
        isInvited: flags.invite,
        isTried: flags.try,
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

function print(found: object): void {
  process.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
}

/** As commander names what a flag gave. */
function camel(flag: string): string {
  return flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
