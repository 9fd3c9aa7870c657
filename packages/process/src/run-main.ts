import { OperatorError } from './operator-error.ts';

/** What a program writes is for its own user alone: files of mode 0600, folders of 0700. */
const UMASK = 0o077;

/**
 * Runs what a program does, with a umask of 077. Where it fails, standard error gets our own words as they stand, and
 * anything else with its stack; the exit code is then 1.
 */
export async function runMain(main: () => Promise<void>): Promise<void> {
  process.umask(UMASK);
  // Whoever reads what is printed may have read enough: `| head`.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    process.stderr.write(
      `What is printed cannot be written: ${error.message}. Look at the disk it goes to.\n`,
    );
    process.exitCode = 1;
  });
  try {
    await main();
  } catch (error) {
    const ours = error instanceof OperatorError;
    process.stderr.write(`${ours ? error.message : error instanceof Error ? error.stack : error}\n`);
    process.exitCode = 1;
  }
}
