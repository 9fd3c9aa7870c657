import { OperatorError, ownCommand } from '@darkroom/process';
import { runProgram } from '@darkroom/process/program';
import { Option } from 'commander';
import type { Words } from '../operator/words/words.ts';
import { PAYERS, type Payer } from './payer.ts';
import { WAYS, type Way } from './run-by.ts';

/** Settings that a flag can give. A secret cannot: whoever lists processes would read it. */
const GIVEN_BY_FLAG = [
  'COMFYUI_URL',
  'SDWEBUI_URL',
  'HOSTED_MODEL',
  'HOSTED_BASE_URL',
  'IMAGE_API_URL',
  'DISCORD_GUILD_ID',
  'DISCORD_API_URL',
];

/** Who draws: a flag of one of these says that none of the others does. */
const EXCLUSIVE_FLAGS = [
  ['sketch'],
  ['horde'],
  ['comfyuiUrl'],
  ['sdwebuiUrl'],
  ['hostedModel', 'hostedBaseUrl'],
  ['imageApiUrl'],
];

/** What was typed after `darkroom setup`. */
export interface Flags {
  /**
   * The settings that they give: a source among them is meant, whatever else is set. An empty value, as of a variable
   * that a script has not set, gives none.
   */
  settings: Readonly<Record<string, string>>;
  /** Sketches are enough, so that nobody is asked. */
  sketch: boolean;
  /** Whether somebody would rather choose again than go on with the source that is set. */
  choose: boolean;
  horde: boolean;
  payer?: Payer;
  /** Whether a picture is drawn to see that it works; where it costs, somebody is asked, unless it is given. */
  picture?: boolean;
  /** Whether to wait until the bot is in a server. */
  invite: boolean;
  try: boolean;
  run?: Way;
  check: boolean;
  json: boolean;
  language?: string;
}

/**
 * Undefined where help was all that was asked for, which is printed. Throws `OperatorError` where the arguments make
 * no sense. Both are in `words`.
 */
export async function readFlags(args: readonly string[], words: Words): Promise<Flags | undefined> {
  const { help } = words;
  const settings: Record<string, string> = {};
  let flags: Flags | undefined;
  const printed = await runProgram(
    args,
    { name: ownCommand('setup', ''), description: help.description },
    (program) => {
      program
        .usage(help.usage)
        .helpOption('-h, --help', help.help)
        .configureHelp({
          styleTitle: (title) => (title === 'Usage:' ? help.usageTitle : help.optionsTitle),
          optionDescription: ({ description, argChoices }) =>
            argChoices ? `${description} (${argChoices.join(', ')})` : description,
        });
      for (const setting of GIVEN_BY_FLAG) {
        const flag = setting.toLowerCase().replaceAll('_', '-');
        const option = new Option(`--${flag} <value>`, help.sets(setting));
        program.addOption(
          option.argParser((value) => {
            if (value.trim() === '') return undefined;
            settings[setting] = value;
            return value;
          }),
        );
      }
      program
        .option('--sketch', help.sketch, false)
        .option('--choose', help.choose, false)
        .option('--horde', help.horde, false)
        .addOption(new Option('--payer <who>', help.payer).choices(PAYERS))
        .option('--picture', help.picture)
        .option('--no-picture', help.noPicture)
        .option('--no-invite', help.noInvite)
        .option('--no-try', help.noTry)
        .addOption(new Option('--run <way>', help.run).choices(WAYS))
        .option('--check', help.check, false)
        .option('--json', help.json, false)
        .addOption(new Option('--language <code>', help.language).choices(['en', 'de']))
        .action((given: Omit<Flags, 'settings'>) => {
          flags = { ...given, settings };
        });
      for (const option of program.options) {
        const own = EXCLUSIVE_FLAGS.find((names) => names.includes(option.attributeName()));
        if (own) option.conflicts(EXCLUSIVE_FLAGS.filter((names) => names !== own).flat());
      }
    },
  ).catch((error: unknown) => {
    throw error instanceof OperatorError ? new OperatorError(words.said(error.message)) : error;
  });
  process.stdout.write(printed);
  return flags;
}
