import { OperatorError } from '@darkroom/process';
import { Command, CommanderError } from 'commander';
import { accountCommands } from './account-commands.ts';
import { type RunAction, withOperatorContext } from './context.ts';
import { grantCommands } from './grant-commands.ts';
import { keyCommands } from './key-commands.ts';
import { ledgerCommands } from './ledger-commands.ts';
import { table } from './table.ts';
import { tokenCommands } from './token-commands.ts';

/** What a command prints, and the exit code: 1 where it found something wrong. */
export interface CommandOutput {
  printed: string;
  exitCode: 0 | 1;
}

/** Runs one command of the operator. Throws `OperatorError` where it is not understood. */
export async function runCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<CommandOutput> {
  let printed = '';
  let exitCode: CommandOutput['exitCode'] = 0;
  let errors = '';
  // npm names the script that it runs.
  const startedAs = env.npm_lifecycle_event === 'service' ? 'npm run service --' : 'image-service';
  const program = new Command(startedAs)
    .description('Manages the accounts of the image service. Without a command, starts the service.')
    .option('--json', 'print JSON, for programs')
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
  const run: RunAction = async (action) => {
    const result = await withOperatorContext(env, action);
    exitCode = 'wrong' in result ? 1 : 0;
    const rows = 'wrong' in result ? result.wrong : result;
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
    if (error.exitCode !== 0) throw new OperatorError(errors.trim());
  }
  return { printed, exitCode };
}
