import { createPrometheusRegistry } from '@darkroom/process/prometheus';
import { TASK_OUTCOMES } from '../tasks/task-ended.ts';
import type { Metrics, Readings } from './metrics.ts';

export type Prometheus = ReturnType<typeof createPrometheus>;

/** Of seconds. A poll takes less than a millisecond, a picture of a slow reader a minute. */
const BUCKETS = {
  request: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  statement: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
};

/**
 * Counts what the service tells of its work, and writes it down as Prometheus reads it, with Node's own metrics. No
 * label names an account, a key, a task or what was asked for.
 */
export function createPrometheus() {
  const { histogram, counter, gauge, text, contentType } = createPrometheusRegistry();
  const requests = histogram(
    'image_service_request_seconds',
    'Requests without what they wait for, by operation and HTTP status.',
    BUCKETS.request,
    ['operation', 'status'],
  );
  const submissions = counter(
    'image_service_submissions_total',
    'Submissions, by what became of them: accepted, or an error code.',
    ['outcome'],
  );
  const claims = histogram(
    'image_service_claim_seconds',
    'How long it took to ask the queue for the next task, by what it gave.',
    BUCKETS.statement,
    ['result'],
  );
  const statements = histogram(
    'image_service_statement_seconds',
    'Statements of the database, with the time that they wait for its lock.',
    BUCKETS.statement,
    ['kind', 'result'],
  );
  const ended = counter(
    'image_service_tasks_ended_total',
    'Tasks that have ended, by how: completed, refused for what was asked for, or an error code.',
    ['outcome'],
  );
  const captured = counter('image_service_captured_credits_total', 'Credits that were spent on pictures.');
  const webhooks = counter('image_service_webhooks_total', 'Attempts to send a webhook, by outcome.', [
    'outcome',
  ]);
  const stored = counter('image_service_stored_bytes_total', 'Bytes of pictures and previews written.');
  const waiting = gauge('image_service_waiting_tasks', 'Tasks that wait, in the whole database.', [
    'workflow',
  ]);
  const oldest = gauge('image_service_oldest_task_seconds', 'Age of the oldest task that waits.', [
    'workflow',
  ]);
  const running = gauge('image_service_running_tasks', 'Tasks that are drawn, in the whole database.', [
    'workflow',
  ]);
  const spent = gauge('image_service_spent', 'Money that engines cost in this day and month (UTC).', [
    'period',
  ]);
  const budget = gauge('image_service_budget', 'Money that they may cost: SERVICE_BUDGET.', ['period']);
  const checks = gauge('image_service_check_ok', '1 where a check of /readyz is well, else 0.', ['check']);

  // `increase` does not see the first value of a series (prometheus/prometheus#1673): what an alert may see only once
  // begins at 0.
  for (const outcome of TASK_OUTCOMES) ended.inc({ outcome }, 0);
  for (const outcome of ['queue_full', 'pictures_unavailable', 'database_unavailable'])
    submissions.inc({ outcome }, 0);

  const metrics: Metrics = {
    request: (operation, status, ms) => requests.observe({ operation, status }, ms / 1_000),
    submission: (outcome) => submissions.inc({ outcome }),
    claim: (result, ms) => claims.observe({ result }, ms / 1_000),
    statement: (kind, result, ms) => statements.observe({ kind, result }, ms / 1_000),
    taskEnded(outcome, milliCredits) {
      ended.inc({ outcome });
      captured.inc(milliCredits / 1_000);
    },
    webhook: (outcome) => webhooks.inc({ outcome }),
    stored: (bytes) => stored.inc(bytes),
  };

  return {
    metrics,
    contentType,

    /** The text of `/metrics`; its gauges show `readings`. */
    text(readings: Readings): Promise<string> {
      // What is not known is left out, rather than shown as it was.
      for (const each of [waiting, oldest, running, spent]) each.reset();
      for (const { workflow, ...reading } of readings.queue ?? []) {
        waiting.set({ workflow }, reading.waiting);
        oldest.set({ workflow }, reading.oldestMs / 1_000);
        running.set({ workflow }, reading.running);
      }
      for (const reading of readings.budget) {
        spent.set({ period: reading.period }, reading.spent);
        budget.set({ period: reading.period }, reading.budget);
      }
      for (const [check, { state }] of Object.entries(readings.checks))
        checks.set({ check }, state === 'ok' ? 1 : 0);
      return text();
    },
  };
}
