import type { AccountHeaders } from './bench-service.ts';
import { forkFile } from './forked.ts';
import type { Memory } from './memory.ts';

/** What `upload-service-process.ts` is asked. */
export interface UploadServiceQuestion {
  ask: 'address' | 'begun' | 'memory';
}

export interface UploadServiceAddress {
  url: string;
  accounts: readonly AccountHeaders[];
  tasks: readonly { id: string; headers: AccountHeaders }[];
}

/**
 * The image service in a process of its own; it edits pictures, and fails. `waiting`: how many tasks it has from the
 * start; with any, nothing is drawn and they wait.
 */
export async function startUploadService({
  accounts = 1,
  waiting = 0,
  env,
}: {
  accounts?: number;
  waiting?: number;
  env?: Readonly<Record<string, string>>;
} = {}) {
  const child = forkFile(new URL('./upload-service-process.js', import.meta.url), {
    args: [String(accounts), String(waiting)],
    execArgv: ['--expose-gc'],
    env: { PATH: process.env.PATH, ...env },
  });
  const ask = <Answer>(what: UploadServiceQuestion['ask']) =>
    child.ask<Answer>({ ask: what } satisfies UploadServiceQuestion);
  return {
    pid: child.pid,
    ...(await ask<UploadServiceAddress>('address')),
    /** How many drawings it was asked for. */
    begun: () => ask<number>('begun'),
    /** Collects garbage. */
    memory: () => ask<Memory>('memory'),
    stop: () => child.stop('SIGTERM'),
  };
}
