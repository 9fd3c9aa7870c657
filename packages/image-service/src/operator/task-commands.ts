import { type Command, Option } from 'commander';
import { toCredits } from '../ledger/credits.ts';
import { rowLimit } from './arguments.ts';
import type { RunAction } from './context.ts';
import { deleted, listed, timestamp } from './table.ts';

/** How much of a prompt a table shows. */
const PROMPT_LENGTH = 40;
const STATES = ['pending', 'processing', 'completed', 'failed'] as const;

export function taskCommands(task: Command, run: RunAction): void {
  task
    .command('list <account>')
    .description('the latest tasks of an account, newest first')
    .addOption(new Option('--state <state>', 'only those in this state').choices(STATES))
    .option('--limit <number>', 'how many', rowLimit, 20)
    .action((name: string, { state, limit }: { state?: (typeof STATES)[number]; limit: number }) =>
      run(async ({ tasks, account }) => {
        const rows = await tasks.list((await account(name)).id, { state, limit });
        return listed(
          rows.map((found) => ({
            id: found.id,
            state: found.state,
            workflow: found.workflow,
            operation: found.operation ?? null,
            prompt: shortened(found.prompt),
            size: found.width && found.height ? `${found.width}x${found.height}` : null,
            cost: toCredits(found.state === 'failed' ? (found.charged ?? 0) : found.cost),
            since: timestamp(found.createdAt),
            finished: timestamp(found.finishedAt),
            error: found.error,
          })),
          state === undefined ? `${name} has had nothing drawn.` : `${name} has no task that is ${state}.`,
        );
      }),
    );
  task
    .command('delete')
    .argument('<task>', 'its id, or the address of its picture')
    .description(
      'deletes a task with its prompt and picture, and all tasks made from that, for good; their cost stays',
    )
    .option('--force', 'also where one of them waits or is being drawn: it is cancelled', false)
    .action((idOrAddress: string, { force }: { force: boolean }) =>
      run(async ({ deleteTask }) => {
        const { id, username, made, pictures, isWiped } = await deleteTask(idOrAddress, { force });
        const row = { task: id, account: username, 'made from it': made, 'deleted pictures': pictures };
        return deleted(row, isWiped);
      }),
    );
}

function shortened(prompt: string | undefined): string | null {
  const line = prompt?.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  if (!line) return null;
  return line.length > PROMPT_LENGTH ? `${line.slice(0, PROMPT_LENGTH - 1)}…` : line;
}
