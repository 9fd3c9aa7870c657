import { randomUUID } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Clock } from '../clock.ts';
import type { Workflow } from '../contract/limits.ts';
import type { Log } from '../log.ts';
import type { Vault } from '../vault.ts';
import { createAccounts } from './accounts/accounts.ts';
import { createKeys } from './accounts/keys.ts';
import { createApp } from './app.ts';
import { openDatabase } from './database/database.ts';
import type { Drawing, Engine } from './engines/engine.ts';
import { createFiles } from './files.ts';
import { FILES_PATH } from './http/file-route.ts';
import { createStatusAnswers } from './http/status-answer.ts';
import { createLedger } from './ledger/ledger.ts';
import { createPrice, type Price } from './ledger/price.ts';
import { SERVICE_LIMITS, type ServiceLimits } from './limits.ts';
import { createDurations } from './tasks/durations.ts';
import { createQueue } from './tasks/queue.ts';
import { createReplays } from './tasks/replays.ts';
import { createRetention } from './tasks/retention.ts';
import { createScheduler } from './tasks/scheduler.ts';
import { createSubmissions } from './tasks/submissions.ts';
import { createTasks } from './tasks/tasks.ts';

/** For answers to arrive whole while the service closes: half of what a process has for stopping. */
const LAST_ANSWERS_MS = 5_000;

export interface ServiceParts {
  /** `sqlite://path/to/file.sqlite` */
  databaseUrl: string;
  /** Folder of the finished pictures; made where it is missing. */
  filesFolder: string;
  vault: Vault;
  /** Draws every workflow, except `rr3` where that has an engine of its own. Closed with the service. */
  engine: Engine;
  rr3Engine?: Engine | undefined;
  clock: Clock;
  log: Log;
  /** What `image_url` begins with; without it the listener's address. Never the Host header, which a caller sets. */
  publicBaseUrl?: string | undefined;
  limits?: Partial<ServiceLimits> | undefined;
  price?: Price | undefined;
}

export type Service = Awaited<ReturnType<typeof createService>>;

/** The image service, whole. It draws from the start; `listen` lets callers in. */
export async function createService({
  databaseUrl,
  filesFolder,
  vault,
  engine,
  rr3Engine = engine,
  clock,
  log,
  publicBaseUrl,
  limits: changes = {},
  price = createPrice(),
}: ServiceParts) {
  const limits = { ...SERVICE_LIMITS, ...changes };
  const db = await openDatabase(databaseUrl, { clock, log });
  const accounts = createAccounts({ db, clock });
  const keys = createKeys({ db, vault, clock });
  const ledger = createLedger({ db, clock });
  const tasks = createTasks({ db, ledger, clock, limits });
  const queue = createQueue({ db, ledger, clock, limits, owner: randomUUID() });
  const files = createFiles({ db, folder: filesFolder, clock });
  const durations = createDurations({ db, clock });
  await durations.recall();
  const engineFor = (workflow: Workflow) => (workflow === 'rr3' ? rr3Engine : engine);
  const scheduler = createScheduler({ queue, files, durations, engineFor, clock, log, limits });
  const retention = createRetention({ db, files, ledger, clock, log, limits });
  const replays = createReplays({ clock });
  const warningsOf = (drawing: Omit<Drawing, 'taskId'>) =>
    engineFor(drawing.workflow).warnings?.(drawing) ?? [];
  let address = publicBaseUrl ?? 'http://127.0.0.1';
  const fileUrl = (name: string) => `${address}${FILES_PATH}/${name}`;
  const app = createApp({
    accounts,
    keys,
    ledger,
    tasks,
    files,
    submissions: createSubmissions({ db, ledger, tasks, replays, price, durations, warningsOf, clock }),
    statusAnswers: createStatusAnswers({ tasks, fileUrl, clock, limits }),
    objectionTo: async ({ prompt, workflow = 'default', model }) =>
      engineFor(workflow).objection?.({ prompt, workflow, model }),
    wake: scheduler.wake,
    drop: scheduler.drop,
    limits,
    clock,
    log,
  });
  await app.ready();
  scheduler.start();
  retention.start();

  async function closeApp(): Promise<void> {
    // Node closes idle connections once; one whose answer ends a moment later would stay for its keep-alive time.
    const falling = setInterval(() => app.server.closeIdleConnections(), 50);
    const last = setTimeout(() => app.server.closeAllConnections(), LAST_ANSWERS_MS);
    try {
      await app.close();
    } finally {
      clearInterval(falling);
      clearTimeout(last);
    }
  }

  return {
    app,
    accounts,
    keys,
    ledger,
    /** Clears away what has had its time; happens by itself every minute. */
    sweep: retention.sweep,

    /** Lets callers in. `port` 0 takes a free one. Rejects where the port is taken. */
    async listen({ host, port }: { host: string; port: number }): Promise<{ url: string }> {
      await app.listen({ host, port });
      const [bound] = app.addresses();
      if (!bound || typeof bound === 'string') throw new Error('the service listens nowhere');
      const url = `http://${reachable(bound.address)}:${bound.port}`;
      address = publicBaseUrl ?? url;
      if (publicBaseUrl === undefined && isEverywhere(bound.address)) {
        log.warn(
          { url },
          'callers on other machines cannot fetch pictures from this address: set PUBLIC_BASE_URL to one that they can reach',
        );
      }
      return { url };
    },

    /** Hands running tasks back to the queue, answers what is being asked as far as there is time, and closes everything. */
    async close(): Promise<void> {
      await Promise.all([closeApp(), scheduler.close(), retention.close()]);
      await Promise.all([...new Set([engine, rr3Engine])].map((each) => each.close()));
      await db.destroy();
    },
  };
}

/** The address under which this machine reaches a listener. */
function reachable(address: string): string {
  if (isEverywhere(address)) return '127.0.0.1';
  return isIPv6(address) ? `[${address}]` : address;
}

/** Whether a listener at this address takes callers from other machines, at whatever name they know this one by. */
const isEverywhere = (address: string): boolean => address === '0.0.0.0' || address === '::';
