import { ownCommand } from '@darkroom/process';
import { runProgram } from '@darkroom/process/program';
import { Option } from 'commander';
import { PAYERS, type Payer } from './payer.ts';
import { WAYS, type Way } from './run-by.ts';

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

/** What was typed after `darkroom setup`. */
export interface Flags {
  /** The settings that they give. */
  settings: Readonly<Record<string, string>>;
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
export async function readFlags(args: readonly string[]): Promise<Flags | undefined> {
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
      .action((given: Omit<Flags, 'settings'> & Readonly<Record<string, unknown>>) => {
        const settings = FLAGS.flatMap(({ setting, option }) => {
          const value = given[option.attributeName()];
          return typeof value === 'string' ? [[setting, value]] : [];
        });
        flags = { ...given, settings: Object.fromEntries(settings) };
      });
  });
  process.stdout.write(help);
  return flags;
}
