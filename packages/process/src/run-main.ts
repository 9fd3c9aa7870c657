import { OperatorError } from './operator-error.ts';

/**
 * Runs what a program does. Where it fails, standard error gets our own words as they stand, and anything else with its
 * stack; the exit code is then 1.
 */
export async function runMain(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    const ours = error instanceof OperatorError;
    process.stderr.write(`${ours ? error.message : error instanceof Error ? error.stack : error}\n`);
    process.exitCode = 1;
  }
}
