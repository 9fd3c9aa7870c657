import { WORKFLOWS } from '@darkroom/image-api';
import { ownCommand } from '@darkroom/process';
import { runProgram } from '@darkroom/process/program';
import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandOption,
  ApplicationCommandOptionType as Type,
} from 'discord-api-types/v10';
import type { OptionValue, OptionValues } from 'local-discord';
import { PRESETS } from '../../limits/size.ts';

export interface DemoArguments {
  options: OptionValues;
  /** File of the picture; the name that the bot gave it unless given. */
  out: string | undefined;
}

/** Options that a command-line flag can set. */
type FlagOption = Extract<
  APIApplicationCommandBasicOption,
  { type: Type.String | Type.Integer | Type.Number }
>;

const isFlagOption = (option: APIApplicationCommandOption): option is FlagOption =>
  option.type === Type.String || option.type === Type.Integer || option.type === Type.Number;

/** The prompt stands by itself, and the demo's server keeps no graphs. */
const NO_FLAGS: readonly string[] = ['prompt', 'graph_name'];

function readNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('It is not a number.');
  return value;
}

/**
 * The command line of the demo: the words of the prompt, and a flag for each other option of the command. With
 * `--help`, how to use it. Rejects with an `OperatorError` that says what is wrong, and how to use it.
 */
export async function readDemoArguments(
  args: readonly string[],
  commandOptions: readonly APIApplicationCommandOption[],
): Promise<DemoArguments | { help: string }> {
  const flags = commandOptions.filter(isFlagOption).filter(({ name }) => !NO_FLAGS.includes(name));
  const options: Record<string, OptionValue> = {};
  let demo: DemoArguments | undefined;
  const help = await runProgram(
    args,
    { name: ownCommand('demo', ''), description: 'Draws one picture without a browser.' },
    (program) => {
      program.usage('"a red fox in the snow" [options]').argument('[prompt...]');
      for (const { name, description, type } of flags) {
        const flag = new Option(`--${name.replaceAll('_', '-')} <value>`, description);
        program.addOption(
          flag.argParser((text) => {
            options[name] = type === Type.String ? text : readNumber(text);
          }),
        );
      }
      program
        .option('--out <file>', 'Where to write the picture')
        .addHelpText(
          'after',
          `\nSizes: ${Object.keys(PRESETS).join(', ').toLowerCase()}\nWorkflows: ${WORKFLOWS.join(', ')}`,
        )
        .action((words: readonly string[], { out }: { out?: string }, command: Command) => {
          const prompt = words.join(' ').trim();
          if (prompt === '') command.error('Say what to draw: there is no prompt.');
          demo = { options: { prompt, ...options }, out };
        });
    },
  );
  return demo ?? { help };
}
