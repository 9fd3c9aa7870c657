import { createReadiness, type Log, READING } from '@darkroom/process';
import type { Vault } from '@darkroom/storage';
import { type Clock, withTimeout } from '@darkroom/time';
import { createAccounts } from './accounts/accounts.ts';
import { createKeys } from './accounts/keys.ts';
import { createApp } from './app.ts';
import type { Engine } from './engines/engine.ts';
import { ENGINE_SETTINGS } from './engines/engine-names.ts';
import type { FilePlace } from './files/file-place.ts';
import { createFiles } from './files/files.ts';
import { watchPlace } from './files/watched-place.ts';
import { createHousekeeping } from './housekeeping.ts';
import { FILES_PATH } from './http/file-route.ts';
import { createListener } from './http/listener.ts';
import { createStatusAnswers } from './http/status-answer.ts';
import { createTaskAnswers } from './http/task-answers.ts';
import { createPictureFetch } from './inputs/picture-fetch.ts';
import { createSources } from './inputs/sources.ts';
import { createUploads } from './inputs/uploads.ts';
import { createAllowances } from './ledger/allowances.ts';
import type { Budget } from './ledger/budget.ts';
import { createExpenses } from './ledger/expenses.ts';
import { createLedger } from './ledger/ledger.ts';
import { createPrice, type Price } from './ledger/price.ts';
import { SERVICE_LIMITS, type ServiceLimits } from './limits.ts';
import { createChecks } from './observability/checks.ts';
import { measureQueue } from './observability/measured-queue.ts';
import type { Prometheus } from './observability/prometheus.ts';
import { createQueueReadings } from './observability/queue-readings.ts';
import { openStored } from './open-stored.ts';
import { createDeadlineForecast } from './tasks/deadline-forecast.ts';
import { createLanes } from './tasks/lanes.ts';
import { createQueue } from './tasks/queue.ts';
import { createQueueModels } from './tasks/queue-model.ts';
import { createQueueWriter } from './tasks/queue-writer.ts';
import { createRuns } from './tasks/runs.ts';
import { createScheduler } from './tasks/scheduler.ts';
import { createSubmissions } from './tasks/submissions.ts';
import type { OnEnded } from './tasks/task-ended.ts';
import { createTaskWaits } from './tasks/task-waits.ts';
import { createTasks } from './tasks/tasks.ts';
import { createWebhookDispatcher } from './webhooks/dispatcher.ts';
import { createWebhookSender } from './webhooks/send-webhook.ts';
import { createSigningSecrets } from './webhooks/signing-secrets.ts';
import { createTestEvents } from './webhooks/test-event.ts';
import { createWebhookQueue } from './webhooks/webhook-queue.ts';
import { createCapabilities } from './workflows/capabilities.ts';
import { createRejections } from './workflows/rejections.ts';
import type { WorkflowChoice } from './workflows/workflow-settings.ts';
import { createWorkflows } from './workflows/workflows.ts';

export interface ServiceOptions {
  storage: {
    /** `sqlite://path/to/file.sqlite` or `postgres://…` */
    databaseUrl: string;
    /** Where the pictures are. The service closes it. */
    place: FilePlace;
    vault: Vault;
  };
  /** In the order in which they are preferred. The service closes them. */
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

/** Members are not told how to mend it: whoever runs the service is, once. */
const SKETCHED = `sketched by rules, without AI: ${ENGINE_SETTINGS.join(' or ')} adds an engine that has a model`;

export type Service = Awaited<ReturnType<typeof createService>>;

/** Composes the image service. It draws from the start; `listen` opens it to callers. */
export async function createService({
  storage,
  engines,
  operator: { workflows: settings, pictureCost, price = createPrice(), budget } = {},
  http: { publicBaseUrl, corsOrigins = [], webhookOrigins = [], trustProxy } = {},
  limits: changedLimits = {},
  clock: givenClock,
  log,
  prometheus,
}: ServiceOptions) {
  const { vault } = storage;
  const limits = { ...SERVICE_LIMITS, ...changedLimits };
  const metrics = prometheus?.metrics;
  const workflows = createWorkflows({ engines, settings, pictureCost, budget });
  const { names } = workflows;
  const sketched = workflows.all.filter(({ engine }) => engine.name === 'sketch').map(({ name }) => name);
  if (sketched.length > 0) log.info({ workflows: sketched }, SKETCHED);
  const {
    db,
    clock,
    proof,
    durationEstimates,
    close: closeDatabase,
  } = await openStored({ ...storage, workflows: names, limits, clock: givenClock, log, prometheus });
  const accounts = createAccounts({ db, clock });
  const keys = createKeys({ db, vault, clock });
  const ledger = createLedger({ db, clock });
  const expenses = createExpenses({ db, budget, clock, log });
  const taskWaits = createTaskWaits({ db, clock, log });
  const onEnded: OnEnded = (taskId, ended) => {
    taskWaits.ended(taskId);
    if (ended) metrics?.taskEnded(ended.outcome, ended.charged);
  };
  const queue = createQueue({ db, ledger, workflows: names, clock, limits, onEnded });
  const place = watchPlace({ place: storage.place, proof, clock, log });
  const files = createFiles({ db, place, clock, onStored: metrics?.stored });
  const lanes = createLanes({ workflows, limits });
  const queueModels = createQueueModels({ db, durationEstimates, lanes, clock, limits });
  const tasks = createTasks({ db, ledger, clock, limits, onEnded });
  const scheduler = createScheduler({
    queue: metrics ? measureQueue(queue, metrics) : queue,
    startRun: createRuns({ queue, expenses, files, durationEstimates, clock, log, limits }),
    workflows,
    lanes,
    clock,
    log,
    limits,
  });
  const allowances = createAllowances({ db, clock });
  const uploads = createUploads({ db, place, clock, limits, onStored: metrics?.stored });
  const pictures = createPictureFetch();
  const drawsBoth = (one: string, other: string) =>
    workflows.find(one)?.engine === workflows.find(other)?.engine;
  const sources = createSources({ db, uploads, files, pictures, drawsBoth, clock, limits });
  const housekeeping = createHousekeeping({ db, files, uploads, ledger, allowances, clock, log, limits });
  const servers = engines.flatMap(({ name, servers = [] }) =>
    servers.map((server) => ({ ...server, name: `${name} ${server.name}` })),
  );
  const readiness = createReadiness(
    createChecks({ db, place, servers, budget: budget && expenses.readings }),
    { log, clock },
  );
  const readQueue = createQueueReadings({ db, workflows: names, clock });
  let address = publicBaseUrl ?? 'http://127.0.0.1';
  const fileUrl = (name: string) => `${address}${FILES_PATH}/${name}`;
  const statusAnswers = createStatusAnswers({ queueModels, fileUrl, clock, limits });
  const rejections = createRejections({ workflows, expenses });
  const webhooks = createWebhookQueue({ db, vault, clock, limits });
  const signingSecrets = createSigningSecrets({ db, vault, clock });
  const sender = createWebhookSender({ allowedOrigins: webhookOrigins, clock });
  const webhookDispatcher = createWebhookDispatcher({
    queue: webhooks,
    secrets: signingSecrets,
    sender,
    tasks,
    statusAnswers,
    clock,
    log,
    metrics,
  });
  const app = createApp({
    accounts,
    keys,
    ledger,
    tasks,
    files,
    uploads,
    sources,
    submissions: createSubmissions({
      ledger,
      queueWriter: createQueueWriter({ db, ledger, tasks, webhooks, clock, limits }),
      price,
      durationEstimates,
      deadlineForecast: createDeadlineForecast({ queueModels, limits }),
      workflows,
      webhookOrigins,
    }),
    statusAnswers,
    answers: createTaskAnswers({ tasks, taskWaits, statusAnswers }),
    signingSecrets,
    webhooks,
    sendTestEvent: createTestEvents({ secrets: signingSecrets, sender, clock }),
    webhookOrigins,
    rejections,
    workflows: workflows.all,
    publicPath: publicBaseUrl === undefined ? '' : new URL(publicBaseUrl).pathname.replace(/\/+$/, ''),
    capabilities: createCapabilities({ workflows, rejections, price, clock, log }),
    place,
    wake: scheduler.wake,
    drop: scheduler.drop,
    corsOrigins,
    trustProxy,
    limits,
    clock,
    log,
    readiness,
    metrics,
    metricsPage: prometheus && {
      contentType: prometheus.contentType,
      text: async () =>
        prometheus.text({
          queue: await readQueue(),
          budget: await withTimeout(READING.timeoutMs, expenses.readings).catch(() => []),
          checks: (await readiness()).checks,
        }),
    },
  });
  await app.ready();
  const listener = createListener(app);
  place.start();
  scheduler.start();
  housekeeping.start();

  return {
    app,
    accounts,
    keys,
    ledger,
    /** Deletes what has expired; runs by itself every minute. */
    sweep: housekeeping.sweep,

    /** Listens for callers. `port` 0 takes a free one. Rejects where the port is in use. */
    async listen(at: { host: string; port: number }): Promise<{ url: string }> {
      const { url, isOpenToOthers } = await listener.listen(at);
      address = publicBaseUrl ?? url;
      // They name the addresses of pictures.
      webhookDispatcher.start();
      if (publicBaseUrl === undefined && isOpenToOthers) {
        log.warn(
          { url },
          'callers on other machines cannot fetch pictures from this address: set PUBLIC_BASE_URL to one that they can reach',
        );
      }
      return { url };
    },

    /** Puts running tasks back into the queue, finishes open requests within 5 s, and closes everything. */
    async close(): Promise<void> {
      await Promise.all([
        taskWaits.close(),
        listener.close(),
        scheduler.close(),
        housekeeping.close(),
        webhookDispatcher.close(),
        pictures.close(),
      ]);
      await Promise.all(engines.map((each) => each.close()));
      await place.close();
      await closeDatabase();
    },
  };
}
