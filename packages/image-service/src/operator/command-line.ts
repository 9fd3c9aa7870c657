import { type Confirm, confirmOnTerminal, ownCommand } from '@darkroom/process';
import { runProgram } from '@darkroom/process/program';
import { loadServiceConfig } from '../config.ts';
import { accountCommands } from './account-commands.ts';
import { allowanceCommands } from './allowance-commands.ts';
import { backupCommands } from './backup-commands.ts';
import type { RunAction } from './context.ts';
import { grantCommands } from './grant-commands.ts';
import { keyCommands } from './key-commands.ts';
import { ledgerCommands } from './ledger-commands.ts';
import { type CommandResult, table } from './table.ts';
import { taskCommands } from './task-commands.ts';
import { tokenCommands } from './token-commands.ts';
import { usageCommand } from './usage-command.ts';
import { vaultCommands } from './vault-commands.ts';
import { webhookCommands } from './webhook-commands.ts';

/**
 * Runs one command of the operator; resolves with what it prints, and the exit code: 1 where it found something wrong.
 * Throws `OperatorError` where it is not understood.
 */
export async function runCommand(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  confirm: Confirm = confirmOnTerminal,
): Promise<{ printed: string; exitCode: 0 | 1 }> {
  let exitCode: 0 | 1 = 0;
  const description = 'Manages the accounts of the image service. Without a command, starts the service.';
  const printed = await runProgram(args, { name: ownCommand('service', ''), description }, (program, say) => {
    program.option('--json', 'print JSON, for programs');
    const print = (result: CommandResult): void => {
      const { rows, said = '', isWrong = false } = 'rows' in result ? result : { rows: result };
      exitCode = isWrong ? 1 : 0;
      say(program.opts<{ json?: true }>().json ? JSON.stringify(rows, null, 2) : table(rows, said));
    };
    const run: RunAction = async (action, { creates } = { creates: false }) => {
      const { withOperatorContext } = await import('./context.ts');
      print(await withOperatorContext({ env, confirm }, action, { creates }));
    };
    accountCommands(program.command('account').description('who may use the service'), run);
    tokenCommands(program.command('token').description('login tokens, with which keys are made'), run);
    keyCommands(program.command('key').description('API keys'), run);
    grantCommands(program.command('grant').description('credits given to accounts'), run);
    allowanceCommands(program.command('allowance').description('credits given again and again'), run);
    ledgerCommands(program.command('ledger').description('the record of all credits'), run);
    taskCommands(program.command('task').description('what accounts have had drawn'), run);
    usageCommand(program, run);
    webhookCommands(
      program.command('webhook').description('what became of webhooks, and how they are signed'),
      run,
    );
    vaultCommands(
      program.command('vault').description('what SECRET_KEY has sealed'),
      async (action, options) => {
        const { withVaultContext } = await import('./context.ts');
        print(await withVaultContext(env, action, options));
      },
      confirm,
    );
    backupCommands(program, async (action) => print(await action(loadServiceConfig(env))));
  });
  return { printed, exitCode };
}
