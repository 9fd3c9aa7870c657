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
export interface Ground {
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
export const createBookkeeping = (ground: Ground) => ({
  accounts: createAccounts(ground),
  keys: createKeys(ground),
  ledger: createLedger(ground),
  expenses: createExpenses(ground),
  allowances: createAllowances(ground),
});

/** What is drawn, and what it is drawn from. */
export function createPictures(ground: Ground, own: { place: FilePlace; proof: string }) {
  const { workflows, metrics } = ground;
  const stored = { place: watchPlace({ ...ground, ...own }), onStored: metrics?.stored };
  const files = createFiles({ ...ground, ...stored });
  const uploads = createUploads({ ...ground, ...stored });
  const fetched = createPictureFetch();
  const drawsBoth = (one: string, other: string) =>
    workflows.find(one)?.engine === workflows.find(other)?.engine;
  const sources = createSources({ ...ground, uploads, files, pictures: fetched, drawsBoth });
  return { place: stored.place, files, uploads, fetched, sources };
}

/** From the queue to the picture. */
export function createDrawing(ground: Ground & Bookkeeping & Pictures) {
  const { workflows, metrics } = ground;
  const taskWaits = createTaskWaits(ground);
  const onEnded: OnEnded = (taskId, ended) => {
    taskWaits.ended(taskId);
    if (ended) metrics?.taskEnded(ended.outcome, ended.charged);
  };
  const queue = createQueue({ ...ground, workflows: workflows.names, onEnded });
  const lanes = createLanes(ground);
  return {
    taskWaits,
    tasks: createTasks({ ...ground, onEnded }),
    queueModels: createQueueModels({ ...ground, lanes }),
    scheduler: createScheduler({
      ...ground,
      queue: metrics ? measureQueue(queue, metrics) : queue,
      startRun: createRuns({ ...ground, queue }),
      lanes,
    }),
  };
}

/** What tells callers that their tasks have ended. */
export function createWebhooks(ground: Ground & DrawingSide, statusAnswers: StatusAnswers) {
  const webhooks = createWebhookQueue(ground);
  const secrets = createSigningSecrets(ground);
  const sender = createWebhookSender({ ...ground, allowedOrigins: ground.webhookOrigins });
  const signed = { ...ground, secrets, sender };
  return {
    webhooks,
    signingSecrets: secrets,
    sendTestEvent: createTestEvents(signed),
    dispatcher: createWebhookDispatcher({ ...signed, queue: webhooks, statusAnswers }),
  };
}

/** From what is asked for to the queue. */
export function createSubmitting(ground: Ground & Bookkeeping & DrawingSide & Webhooks) {
  const rejections = createRejections(ground);
  return {
    rejections,
    capabilities: createCapabilities({ ...ground, rejections }),
    submissions: createSubmissions({
      ...ground,
      queueWriter: createQueueWriter(ground),
      deadlineForecast: createDeadlineForecast(ground),
    }),
  };
}

/** What whoever runs the service sees of it. */
export function createProbes(ground: Ground & Bookkeeping & Pictures): ProbeRoutes {
  const { engines, expenses, budget, workflows, prometheus } = ground;
  const servers = engines.flatMap(({ name, servers = [] }) =>
    servers.map((server) => ({ ...server, name: `${name} ${server.name}` })),
  );
  const checks = createChecks({ ...ground, servers, budget: budget && expenses.readings });
  const readiness = createReadiness(checks, ground);
  const readQueue = createQueueReadings({ ...ground, workflows: workflows.names });
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
