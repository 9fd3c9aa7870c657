import type { BudgetReading } from '../ledger/expenses.ts';
import type { TaskOutcome } from '../tasks/task-ended.ts';

/**
 * What the parts of the service tell of their work, in milliseconds. They know nothing of who counts it. Some of it
 * is told at every poll, so telling takes about a microsecond; it never throws.
 */
export interface Metrics {
  /** A request has been answered. `operation`: one of the few that there are. */
  request(operation: string, status: number, ms: number): void;
  /** A submission was `accepted`, or refused with an error code. */
  submission(outcome: string): void;
  /** The queue was asked for the next task. */
  claim(result: 'task' | 'none' | 'failed', ms: number): void;
  /** The database has carried out a statement or failed to. `kind`: `select`, `insert`, … */
  statement(kind: string, result: 'ok' | 'failed', ms: number): void;
  /** A task has ended; so much of the credits that were reserved for it is spent, in thousandths. */
  taskEnded(outcome: TaskOutcome, milliCredits: number): void;
  webhook(outcome: 'delivered' | 'failed' | 'gone'): void;
  /** A picture or preview was written. */
  stored(bytes: number): void;
}

/** What stands at this moment; read when somebody asks. */
export interface Readings {
  /** Of the whole database; undefined where it cannot be asked. */
  queue: readonly QueueReading[] | undefined;
  /** Of the present periods; none where there is no budget. */
  budget: readonly BudgetReading[];
  /** What `/readyz` says, by check. */
  checks: Readonly<Record<string, { state: 'ok' | 'degraded' | 'failing' }>>;
}

/** The tasks of one workflow, of all processes together. */
export interface QueueReading {
  workflow: string;
  waiting: number;
  running: number;
  /** Milliseconds since the oldest that waits was submitted; 0 where none does. */
  oldestMs: number;
}
