import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { OperatorError } from './operator-error.ts';

/**
 * Runs a program of commands, which `declare` adds to it; what they `say` is printed line by line. Resolves with all
 * that is printed. Throws `OperatorError` where the arguments make no sense, and as the commands do.
 */
export async function runProgram(
  args: readonly string[],
  { name, description }: { name: string; description: string },
  declare: (program: Command, say: (sentence: string) => void) => void,
): Promise<string> {
  let printed = '';
  let errors = '';
  const program = new Command(name)
    .description(description)
    .exitOverride()
    .showHelpAfterError()
    .configureOutput({
      writeErr: (text) => {
        errors += text;
      },
      writeOut: (text) => {
        printed += text;
      },
    });
  declare(program, (sentence) => {
    printed += `${sentence}\n`;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw new OperatorError(errors.trim());
  }
  return printed;
}

/** Reads an argument that is a whole number from `min` to `max`, for commander to say where it is none. */
export const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    const number = Number(text);
    if (/^\d{1,15}$/.test(text) && number >= min && number <= max) return number;
    throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`);
  };
