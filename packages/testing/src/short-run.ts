/** Later versions have no such option. */
const hasInterruptBudget = Number(process.versions.v8.split('.')[0]) < 12;

/**
 * Options of Node for a process that runs for seconds or minutes, as those of tests do: V8 optimizes what runs for long
 * only, since much of what it optimizes by itself would not have run again. An eighth less to do for a start of the
 * bot, a fifteenth for tests.
 */
export const SHORT_RUN: readonly string[] = hasInterruptBudget ? ['--interrupt-budget=1000000'] : [];
