import { setTimeout as delay } from 'node:timers/promises';
import type { VaultKeys } from '@darkroom/storage';
import { startDatabaseProxy } from './database-proxy.ts';
import type { Disruption } from './disruptions.ts';
import type { ServiceArguments } from './protocol.ts';
import { type ServiceProcess, startService } from './service-process.ts';

/** Between two resets of the connections. */
const RESET_GAP_MS = 200;
const START_AGAIN_MS = 200;

/**
 * The place of one process, with a way of its own to the database: whenever the process ends, another one is started.
 */
export async function createSlot({
  log,
  secretKeys,
  ...given
}: Omit<ServiceArguments, 'secretKeys'> & { log: string; secretKeys(): VaultKeys }) {
  const proxy = await startDatabaseProxy(new URL(given.databaseUrl));
  let process: ServiceProcess | undefined;

  async function start(): Promise<void> {
    while (!process) {
      process = await startService({ ...given, secretKeys: secretKeys(), databaseUrl: proxy.url }, log);
      if (!process) await delay(START_AGAIN_MS);
    }
  }

  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const ending = process;
    process = undefined;
    await ending?.end(signal);
  }

  async function disrupt(disruption: Disruption): Promise<void> {
    switch (disruption.kind) {
      case 'kill':
      case 'stop':
        await end(disruption.kind === 'kill' ? 'SIGKILL' : 'SIGTERM');
        return start();
      case 'suspend':
        process?.signal('SIGSTOP');
        await delay(disruption.ms);
        return process?.signal('SIGCONT');
      case 'leap':
        return process?.tell(disruption);
      case 'full disk':
        process?.tell({ kind: 'disk', full: true });
        await delay(disruption.ms);
        return process?.tell({ kind: 'disk', full: false });
      case 'reset':
        for (let time = 0; time < disruption.times; time++) {
          proxy.begin('reset');
          proxy.recover();
          await delay(RESET_GAP_MS);
        }
        return;
      default:
        proxy.begin(disruption.kind);
        await delay(disruption.ms);
        return proxy.recover();
    }
  }

  return {
    start,
    disrupt,
    /** Where its process listens, if one runs. */
    url: () => process?.url,
    async close(): Promise<void> {
      await end('SIGKILL');
      await proxy.close();
    },
  };
}
