import { Command, CommanderError } from 'commander';
import { UserError } from '../../errors.ts';
import { accountCommands } from './account-commands.ts';
import { type Run, withBooks } from './books.ts';
import { grantCommands } from './grant-commands.ts';
import { keyCommands } from './key-commands.ts';
import { ledgerCommands } from './ledger-commands.ts';
import { table } from './table.ts';
import { tokenCommands } from './token-commands.ts';

/** What a command prints, and the exit code: 1 where it found something wrong. */
export interface Outcome {
  printed: string;
  exitCode: 0 | 1;
}

/** Runs one command of the operator. Throws `UserError` where it is not understood. */
export async function runCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Outcome> {
  let printed = '';
  let exitCode: Outcome['exitCode'] = 0;
  let complaint = '';
  const program = new Command('npm run service --')
    .description('Manages the accounts of the image service. Without a command, starts the service.')
    .option('--json', 'print JSON, for programs')
    .exitOverride()
    .showHelpAfterError()
    .configureOutput({
      writeErr: (text) => {
        complaint += text;
      },
      writeOut: (text) => {
        printed += text;
      },
    });
  const run: Run = async (work) => {
    const found = await withBooks(env, work);
    exitCode = 'wrong' in found ? 1 : 0;
    const rows = 'wrong' in found ? found.wrong : found;
    printed = program.opts<{ json?: true }>().json ? `${JSON.stringify(rows, null, 2)}\n` : table(rows);
  };
  accountCommands(program.command('account').description('who may use the service'), run);
  tokenCommands(program.command('token').description('login tokens, with which keys are made'), run);
  keyCommands(program.command('key').description('API keys'), run);
  grantCommands(program.command('grant').description('credits given to accounts'), run);
  ledgerCommands(program.command('ledger').description('the record of all credits'), run);
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw new UserError(complaint.trim());
  }
  return { printed, exitCode };
}
