import { parseArgs } from 'node:util';
import {
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandOption,
  ApplicationCommandOptionType as Option,
} from 'discord-api-types/v10';
import { messageOf, UserError } from '../../errors.ts';
import type { OptionValue, OptionValues } from '../../local-discord/hand/hand.ts';

export interface DemoArguments {
  /** Values of `/imagine`. */
  options: OptionValues;
  /** File of the picture; the name that the bot gave it unless given. */
  out: string | undefined;
}

/** What a flag can say: texts and numbers. */
type Flaggable = Extract<
  APIApplicationCommandBasicOption,
  { type: Option.String | Option.Integer | Option.Number }
>;

const isFlaggable = (option: APIApplicationCommandOption): option is Flaggable =>
  option.type === Option.String || option.type === Option.Integer || option.type === Option.Number;

const flagName = ({ name }: { name: string }) => name.replaceAll('_', '-');

function usage(options: readonly Flaggable[]): string {
  const flags: [string, string][] = [
    ...options.map((option): [string, string] => [`--${flagName(option)} VALUE`, option.description]),
    ['--out FILE', 'Where to write the picture'],
    ['--help', 'Show this'],
  ];
  const width = Math.max(...flags.map(([flag]) => flag.length));
  return [
    'Usage: npm run demo -- "a red fox in the snow" [flags]',
    '',
    ...flags.map(([flag, about]) => `  ${flag.padEnd(width)}  ${about}`),
  ].join('\n');
}

function readValue(option: Flaggable, text: string, help: string): OptionValue {
  if (option.type === Option.String) return text;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) {
    throw new UserError(`--${flagName(option)} is a number, not ${text}.\n\n${help}`);
  }
  return value;
}

/**
 * The command line of the demo: the words of the prompt, and a flag for each other option of the command. With `--help`,
 * how to use it.
 * @throws {UserError} with what is wrong, and how to use it
 */
export function readDemoArguments(
  args: readonly string[],
  commandOptions: readonly APIApplicationCommandOption[],
): DemoArguments | { help: string } {
  const flaggable = commandOptions.filter(isFlaggable).filter(({ name }) => name !== 'prompt');
  const help = usage(flaggable);
  const { values, positionals, asksForHelp } = read(args, flaggable, help);
  if (asksForHelp) return { help };
  const prompt = positionals.join(' ').trim();
  if (prompt === '') throw new UserError(`Say what to draw: there is no prompt.\n\n${help}`);
  const options: Record<string, OptionValue> = { prompt };
  for (const option of flaggable) {
    const text = values[flagName(option)];
    if (text !== undefined) options[option.name] = readValue(option, text, help);
  }
  return { options, out: values.out };
}

function read(args: readonly string[], flaggable: readonly Flaggable[], help: string) {
  const names = [...flaggable.map(flagName), 'out'];
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
        help: { type: 'boolean', short: 'h' },
      },
    });
    const { help: asked, ...others } = values;
    // Every other option above is a string, once.
    return { values: others as Record<string, string | undefined>, positionals, asksForHelp: asked === true };
  } catch (error) {
    throw new UserError(`${messageOf(error)}\n\n${help}`);
  }
}
