export { type Cleanup, createCleanup } from './cleanup.ts';
export { type Environment, readEnvironment, setting } from './environment.ts';
export { createLog, type Log, type LogOptions, standardOutput } from './log.ts';
export { misspeltSettings, tellMisspelt } from './misspelt.ts';
export { messageOf, OperatorError } from './operator-error.ts';
export { portError } from './port-error.ts';
export { runMain } from './run-main.ts';
export { runUntilSignal } from './signals.ts';
