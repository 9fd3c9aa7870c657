import { createReadiness, type Log, READING } from '@darkroom/process';
import type { Vault } from '@darkroom/storage';
import { type Clock, withTimeout } from '@darkroom/time';
import { createAccounts } from './accounts/accounts.ts';
import { createKeys } from './accounts/keys.ts';
import type { ServiceDatabase } from './database/database.ts';
import type { Engine } from './engines/engine.ts';
import type { FilePlace } from './files/file-place.ts';
import { createFiles } from './files/files.ts';
import { watchPlace } from './files/watched-place.ts';
import type { ProbeRoutes } from './http/probe-routes.ts';
import type { StatusAnswers } from './http/status-answer.ts';
import { createPictureFetch } from './inputs/picture-fetch.ts';
import { createSources } from './inputs/sources.ts';
import { createUploads } from './inputs/uploads.ts';
import { createAllowances } from './ledger/allowances.ts';
import type { Budget } from './ledger/budget.ts';
import { createExpenses } from './ledger/expenses.ts';
import { createLedger } from './ledger/ledger.ts';
import type { Price } from './ledger/price.ts';
import type { ServiceLimits } from './limits.ts';
import { createChecks } from './observability/checks.ts';
import { measureQueue } from './observability/measured-queue.ts';
import type { Metrics } from './observability/metrics.ts';
import type { Prometheus } from './observability/prometheus.ts';
import { createQueueReadings } from './observability/queue-readings.ts';
import { createDeadlineForecast } from './tasks/deadline-forecast.ts';
import type { DurationEstimates } from './tasks/duration-estimates.ts';
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
import type { Workflows } from './workflows/workflows.ts';

/** What every part of the service works with. */
export interface Dependencies {
  db: ServiceDatabase;
  vault: Vault;
  clock: Clock;
  log: Log;
  limits: ServiceLimits;
  engines: readonly Engine[];
  workflows: Workflows;
  price: Price;
  budget: Budget | undefined;
  durationEstimates: DurationEstimates;
  webhookOrigins: readonly string[];
  prometheus: Prometheus | undefined;
  metrics: Metrics | undefined;
}

type Bookkeeping = ReturnType<typeof createBookkeeping>;
type Pictures = ReturnType<typeof createPictures>;
type DrawingSide = ReturnType<typeof createDrawing>;
type Webhooks = ReturnType<typeof createWebhooks>;

/** Who may have something drawn, and what is paid for it. */
export const createBookkeeping = (dependencies: Dependencies) => ({
  accounts: createAccounts(dependencies),
  keys: createKeys(dependencies),
  ledger: createLedger(dependencies),
  expenses: createExpenses(dependencies),
  allowances: createAllowances(dependencies),
});

/** What is drawn, and what it is drawn from. */
export function createPictures(dependencies: Dependencies, own: { place: FilePlace; proof: string }) {
  const { workflows, metrics } = dependencies;
  const stored = { place: watchPlace({ ...dependencies, ...own }), onStored: metrics?.stored };
  const files = createFiles({ ...dependencies, ...stored });
  const uploads = createUploads({ ...dependencies, ...stored });
  const fetched = createPictureFetch();
  const drawsBoth = (one: string, other: string) =>
    workflows.find(one)?.engine === workflows.find(other)?.engine;
  const sources = createSources({ ...dependencies, uploads, files, pictures: fetched, drawsBoth });
  return { place: stored.place, files, uploads, fetched, sources };
}

/** From the queue to the picture. */
export function createDrawing(dependencies: Dependencies & Bookkeeping & Pictures) {
  const { workflows, metrics } = dependencies;
  const taskWaits = createTaskWaits(dependencies);
  const onEnded: OnEnded = (taskId, ended) => {
    taskWaits.ended(taskId);
    if (ended) metrics?.taskEnded(ended.outcome, ended.charged);
  };
  const queue = createQueue({ ...dependencies, workflows: workflows.names, onEnded });
  const lanes = createLanes(dependencies);
  return {
    taskWaits,
    tasks: createTasks({ ...dependencies, onEnded }),
    queueModels: createQueueModels({ ...dependencies, lanes }),
    scheduler: createScheduler({
      ...dependencies,
      queue: metrics ? measureQueue(queue, metrics) : queue,
      startRun: createRuns({ ...dependencies, queue }),
      lanes,
    }),
  };
}

/** What tells callers that their tasks have ended. */
export function createWebhooks(dependencies: Dependencies & DrawingSide, statusAnswers: StatusAnswers) {
  const webhooks = createWebhookQueue(dependencies);
  const secrets = createSigningSecrets(dependencies);
  const sender = createWebhookSender({ ...dependencies, allowedOrigins: dependencies.webhookOrigins });
  const signed = { ...dependencies, secrets, sender };
  return {
    webhooks,
    signingSecrets: secrets,
    sendTestEvent: createTestEvents(signed),
    dispatcher: createWebhookDispatcher({ ...signed, queue: webhooks, statusAnswers }),
  };
}

/** From what is asked for to the queue. */
export function createSubmitting(dependencies: Dependencies & Bookkeeping & DrawingSide & Webhooks) {
  const rejections = createRejections(dependencies);
  return {
    rejections,
    capabilities: createCapabilities({ ...dependencies, rejections }),
    submissions: createSubmissions({
      ...dependencies,
      queueWriter: createQueueWriter(dependencies),
      deadlineForecast: createDeadlineForecast(dependencies),
    }),
  };
}

/** What whoever runs the service sees of it. */
export function createProbes(dependencies: Dependencies & Bookkeeping & Pictures): ProbeRoutes {
  const { engines, expenses, budget, workflows, prometheus } = dependencies;
  const servers = engines.flatMap(({ name, servers = [] }) =>
    servers.map((server) => ({ ...server, name: `${name} ${server.name}` })),
  );
  const checks = createChecks({ ...dependencies, servers, budget: budget && expenses.readings });
  const readiness = createReadiness(checks, dependencies);
  const readQueue = createQueueReadings({ ...dependencies, workflows: workflows.names });
  return {
    readiness,
    metricsPage: prometheus && {
      contentType: prometheus.contentType,
      text: async () =>
        prometheus.text({
          queue: await readQueue(),
          budget: await withTimeout(READING.timeoutMs, expenses.readings).catch(() => []),
          checks: (await readiness()).checks,
        }),
    },
  };
}
