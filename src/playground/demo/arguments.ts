import { parseArgs } from 'node:util';
import { WORKFLOWS } from '@darkroom/image-api';
import { messageOf, nearest, OperatorError, ownCommand } from '@darkroom/process';
import {
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandOption,
  ApplicationCommandOptionType as Option,
} from 'discord-api-types/v10';
import type { OptionValue, OptionValues } from 'local-discord';
import { PRESETS } from '../../limits/size.ts';

export interface DemoArguments {
  /** Values of `/imagine`. */
  options: OptionValues;
  /** File of the picture; the name that the bot gave it unless given. */
  out: string | undefined;
}

/** Options that a command-line flag can set. */
type FlagOption = Extract<
  APIApplicationCommandBasicOption,
  { type: Option.String | Option.Integer | Option.Number }
>;

const isFlagOption = (option: APIApplicationCommandOption): option is FlagOption =>
  option.type === Option.String || option.type === Option.Integer || option.type === Option.Number;

/** The prompt stands by itself, and the demo's server keeps no graphs. */
const NO_FLAGS: readonly string[] = ['prompt', 'graph_name'];

const flagName = ({ name }: { name: string }) => name.replaceAll('_', '-');

function usage(options: readonly FlagOption[]): string {
  const flags: [string, string][] = [
    ...options.map((option): [string, string] => [`--${flagName(option)} VALUE`, option.description]),
    ['--out FILE', 'Where to write the picture'],
    ['--help', 'Show this'],
  ];
  const width = Math.max(...flags.map(([flag]) => flag.length));
  return [
    `Usage: ${ownCommand('demo', '"a red fox in the snow" [flags]')}`,
    '',
    ...flags.map(([flag, about]) => `  ${flag.padEnd(width)}  ${about}`),
    '',
    `Sizes: ${Object.keys(PRESETS).join(', ').toLowerCase()}`,
    `Workflows: ${WORKFLOWS.join(', ')}`,
  ].join('\n');
}

function readValue(option: FlagOption, text: string, help: string): OptionValue {
  if (option.type === Option.String) return text;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) {
    throw new OperatorError(`--${flagName(option)} is a number, not ${text}.\n\n${help}`);
  }
  return value;
}

/**
 * The command line of the demo: the words of the prompt, and a flag for each other option of the command. With
 * `--help`, how to use it.
 * @throws {OperatorError} with what is wrong, and how to use it
 */
export function readDemoArguments(
  args: readonly string[],
  commandOptions: readonly APIApplicationCommandOption[],
): DemoArguments | { help: string } {
  const flagOptions = commandOptions.filter(isFlagOption).filter(({ name }) => !NO_FLAGS.includes(name));
  const help = usage(flagOptions);
  const { values, positionals, helpRequested } = parse(args, flagOptions, help);
  if (helpRequested) return { help };
  const prompt = positionals.join(' ').trim();
  if (prompt === '') throw new OperatorError(`Say what to draw: there is no prompt.\n\n${help}`);
  const options: Record<string, OptionValue> = { prompt };
  for (const option of flagOptions) {
    const text = values[flagName(option)];
    if (text !== undefined) options[option.name] = readValue(option, text, help);
  }
  return { options, out: values.out };
}

function parse(args: readonly string[], flagOptions: readonly FlagOption[], help: string) {
  const names = [...flagOptions.map(flagName), 'out'];
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
        help: { type: 'boolean', short: 'h' },
      },
    });
    const { help: requested, ...others } = values;
    // Every other option above is a string, once.
    return {
      values: others as Record<string, string | undefined>,
      positionals,
      helpRequested: requested === true,
    };
  } catch (error) {
    const [, flag] = /'(--?[^' ]+)/.exec(messageOf(error)) ?? [];
    throw new OperatorError(`${explain(flag, names) ?? messageOf(error)}\n\n${help}`);
  }
}

/** What is wrong with a flag, in our words; Node's speak of its own options. */
function explain(flag: string | undefined, names: readonly string[]): string | undefined {
  if (flag === undefined) return undefined;
  const name = flag.replace(/^-+/, '');
  if (names.includes(name)) return `${flag} takes a value.`;
  const meant = nearest(name, names);
  return `There is no ${flag}.${meant === undefined ? '' : ` Did you mean --${meant}?`}`;
}
