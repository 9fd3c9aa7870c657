/** Later versions have no such option. */
const hasInterruptBudget = Number(process.versions.v8.split('.')[0]) < 12;

/**
 * Options of Node for a process that runs for seconds or minutes, as those of tests do: V8 optimizes what runs for long
 * only, since much of what it optimizes by itself would not have run again. An eighth less to do for a start of the
 * bot, a fifteenth for tests. What lives as long as a test is collected while it is young, and what was loaded for all
 * of them is hardly ever looked through: another thirteenth less for a start, a seventh for tests.
 */
export const SHORT_RUN: readonly string[] = [
  '--min-semi-space-size=32',
  '--max-semi-space-size=64',
  '--initial-old-space-size=200',
  ...(hasInterruptBudget ? ['--interrupt-budget=1000000'] : []),
];
