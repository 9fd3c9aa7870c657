import { fork } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Order, ServiceArguments } from './protocol.ts';

const PROGRAM = fileURLToPath(new URL('./service.js', import.meta.url));

export interface ServiceProcess {
  /** Where it listens. */
  url: string;
  tell(order: Order): void;
  signal(signal: NodeJS.Signals): void;
  /** Sends a signal that ends it, and waits until it has ended. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
}

/**
 * Starts a process whose log is appended to `log`; undefined where it ends before it listens, as without a database.
 */
export async function startService(
  given: ServiceArguments,
  log: string,
): Promise<ServiceProcess | undefined> {
  const file = await open(log, 'a');
  const child = fork(PROGRAM, [JSON.stringify(given)], { stdio: ['ignore', file.fd, file.fd, 'ipc'] });
  await file.close();
  const ended = once(child, 'exit');
  const url = await Promise.race([once(child, 'message').then(([message]) => String(message)), ended]);
  if (typeof url !== 'string') return undefined;
  return {
    url,
    tell(order) {
      // One that has ended needs to be told nothing.
      if (child.connected) child.send(order, () => undefined);
    },
    signal: (signal) => void child.kill(signal),
    async end(signal) {
      child.kill(signal);
      await ended;
    },
  };
}
