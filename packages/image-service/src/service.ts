import { type Cleanup, createCleanup, type Log } from '@darkroom/process';
import type { Vault } from '@darkroom/storage';
import type { Clock } from '@darkroom/time';
import { createApp } from './app.ts';
import type { Engine } from './engines/engine.ts';
import { ENGINE_SETTINGS } from './engines/engine-names.ts';
import type { FilePlace } from './files/file-place.ts';
import { createHousekeeping } from './housekeeping.ts';
import { FILES_PATH } from './http/file-route.ts';
import { createListener } from './http/listener.ts';
import { createStatusAnswers } from './http/status-answer.ts';
import { createTaskAnswers } from './http/task-answers.ts';
import type { Budget } from './ledger/budget.ts';
import { createPrice, type Price } from './ledger/price.ts';
import { SERVICE_LIMITS, type ServiceLimits } from './limits.ts';
import type { Prometheus } from './observability/prometheus.ts';
import { openStored } from './open-stored.ts';
import {
  createBookkeeping,
  createDrawing,
  createPictures,
  createProbes,
  createSubmitting,
  createWebhooks,
  type Dependencies,
} from './parts.ts';
import type { WorkflowChoice } from './workflows/workflow-settings.ts';
import { createWorkflows, type Workflows } from './workflows/workflows.ts';

export interface ServiceOptions {
  storage: {
    /** `sqlite://path/to/file.sqlite` or `postgres://…` */
    databaseUrl: string;
    /** Where the pictures are. The service closes it, also where it does not start. */
    place: FilePlace;
    vault: Vault;
  };
  /** In the order in which they are preferred. The service closes them, also where it does not start. */
  engines: readonly Engine[];
  /** What the operator says about what is offered. */
  operator?: {
    /** See `createWorkflows`. */
    workflows?: Readonly<Record<string, WorkflowChoice>> | undefined;
    pictureCost?: number | undefined;
    price?: Price | undefined;
    /** See `createExpenses`. */
    budget?: Budget | undefined;
  };
  /** Whose time counts for whatever is stored; the database's unless given. */
  clock?: Clock | undefined;
  log: Log;
  /** Who may call it from where, and whom it calls. */
  http?: {
    /**
     * What `image_url` begins with, and below whose path callers reach the service; without it the listener's address.
     * Never the Host header, which a caller sets.
     */
    publicBaseUrl?: string | undefined;
    /** Origins whose pages may call the service from a browser; `*` stands for any. None unless given. */
    corsOrigins?: readonly string[] | undefined;
    /** Origins that webhooks may be sent to though they are on this machine, in a private network or not https. */
    webhookOrigins?: readonly string[] | undefined;
    /** How many proxies stand before the service, or their addresses: what these say tells callers apart then. */
    trustProxy?: number | readonly string[] | undefined;
  };
  limits?: Partial<ServiceLimits> | undefined;
  /** Counts what happens, and shows it at `/metrics`. Without it nobody counts. */
  prometheus?: Prometheus | undefined;
}

const SKETCHED = `sketched by rules, without AI: ${ENGINE_SETTINGS.join(' or ')} adds an engine that has a model`;

export type Service = Awaited<ReturnType<typeof createService>>;

/**
 * Composes the image service. It draws from the start; `listen` opens it to callers. Where it rejects, nothing stays
 * open.
 */
export async function createService(options: ServiceOptions) {
  const cleanup = createCleanup(options.log);
  try {
    return await compose(options, cleanup);
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}

/** `cleanup` closes whatever this has opened, and what the service closes of what it is given. */
async function compose(
  {
    storage,
    engines,
    operator: { workflows: settings, pictureCost, price = createPrice(), budget } = {},
    http: { publicBaseUrl, corsOrigins = [], webhookOrigins = [], trustProxy } = {},
    limits: changedLimits = {},
    clock,
    log,
    prometheus,
  }: ServiceOptions,
  cleanup: Cleanup,
) {
  cleanup.add(storage.place.close);
  for (const { close } of engines) cleanup.add(close);
  const limits = { ...SERVICE_LIMITS, ...changedLimits };
  const workflows = createWorkflows({ engines, settings, pictureCost, budget });
  tellSketched(workflows, log);
  const { proof, ...stored } = await openStored(
    { ...storage, workflows: workflows.names, limits, clock, log, prometheus },
    cleanup,
  );

  const dependencies: Dependencies = {
    ...stored,
    vault: storage.vault,
    log,
    limits,
    engines,
    workflows,
    price,
    budget,
    webhookOrigins,
    prometheus,
    metrics: prometheus?.metrics,
  };
  const bookkeeping = createBookkeeping(dependencies);
  const pictures = createPictures(dependencies, { place: storage.place, proof });
  const drawing = createDrawing({ ...dependencies, ...bookkeeping, ...pictures });
  let address = publicBaseUrl ?? 'http://127.0.0.1';
  const fileUrl = (name: string) => `${address}${FILES_PATH}/${name}`;
  const statusAnswers = createStatusAnswers({ ...dependencies, ...drawing, fileUrl });
  const webhooks = createWebhooks({ ...dependencies, ...drawing }, statusAnswers);
  const parts = { ...dependencies, ...bookkeeping, ...pictures, ...drawing, ...webhooks };
  const housekeeping = createHousekeeping(parts);
  const { place, fetched, taskWaits, scheduler, dispatcher } = parts;
  const closings = [place, fetched, taskWaits, scheduler, dispatcher, housekeeping].map(({ close }) => close);
  // Together: each of them may take some seconds.
  cleanup.add(() => Promise.all(closings.map((close) => close())));

  const app = createApp({
    ...parts,
    ...createSubmitting(parts),
    ...createProbes(parts),
    statusAnswers,
    answers: createTaskAnswers({ ...parts, statusAnswers }),
    workflows: workflows.all,
    publicPath: publicBaseUrl === undefined ? '' : new URL(publicBaseUrl).pathname.replace(/\/+$/, ''),
    wake: scheduler.wake,
    drop: scheduler.drop,
    corsOrigins,
    trustProxy,
  });
  const listener = createListener(app);
  closings.push(listener.close);
  await app.ready();
  place.start();
  scheduler.start();
  housekeeping.start();

  return {
    app,
    accounts: bookkeeping.accounts,
    keys: bookkeeping.keys,
    ledger: bookkeeping.ledger,
    /** Deletes what has expired; runs by itself every minute. */
    sweep: housekeeping.sweep,

    /** Listens for callers. `port` 0 takes a free one. Rejects where the port is in use. */
    async listen(at: { host: string; port: number }): Promise<{ url: string }> {
      const { url, isOpenToOthers } = await listener.listen(at);
      address = publicBaseUrl ?? url;
      // They name the addresses of pictures.
      dispatcher.start();
      if (publicBaseUrl === undefined && isOpenToOthers) {
        log.warn(
          { url },
          'callers on other machines cannot fetch pictures from this address: set PUBLIC_BASE_URL to one that they can reach',
        );
      }
      return { url };
    },

    /** Puts running tasks back into the queue, finishes open requests within 5 s, and closes everything. */
    close: cleanup.run,
  };
}

/** Members are not told how to mend it: whoever runs the service is, once. */
function tellSketched({ all }: Pick<Workflows, 'all'>, log: Log): void {
  const sketched = all.filter(({ engine }) => engine.name === 'sketch').map(({ name }) => name);
  if (sketched.length > 0) log.info({ workflows: sketched }, SKETCHED);
}
