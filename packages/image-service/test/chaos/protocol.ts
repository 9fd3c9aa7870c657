import type { VaultKeys } from '@darkroom/storage';

/** What the run tells a service process, over IPC. */
export type Order =
  /** Its clock leaps by so many milliseconds. */
  | { kind: 'leap'; ms: number }
  /** Whether its disk is full from now on. */
  | { kind: 'disk'; full: boolean };

/** The arguments of a service process. */
export interface ServiceArguments {
  databaseUrl: string;
  folder: string;
  /** Where the engine writes down what it draws: one `Drawn` as JSON in each line. */
  record: string;
  /** Of the vault. */
  secretKeys: VaultKeys;
  /** To which the ends of tasks are sent. */
  webhookOrigin: string;
}

/** A drawing began, or its run lost its lease. */
export interface Drawn {
  what: 'begun' | 'lost';
  taskId: string;
  /** Milliseconds since the epoch, by a clock that does not leap. */
  at: number;
}

/** How long a process holds a task, in milliseconds. */
export const LEASE_MS = 3_000;

/** The secret before the run's rotation, and after it. */
export const SECRETS = ['5'.repeat(64), '6'.repeat(64)] as const;

/** The machine's time, also where `Date` leaps. */
export const trueTime = (): number => performance.timeOrigin + performance.now();
