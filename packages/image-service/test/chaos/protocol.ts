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

export const VAULT_KEY = '5'.repeat(64);

/** The machine's time, also where `Date` leaps. */
export const trueTime = (): number => performance.timeOrigin + performance.now();
