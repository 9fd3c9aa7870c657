import { createPrometheusRegistry } from '@darkroom/process/prometheus';
import { type Metrics, type Readings, STORE_OPERATIONS } from './metrics.ts';

/** Of seconds. Discord waits 3 for a first answer, a task is polled every 2 to 3, a store answers in milliseconds. */
const BUCKETS = {
  answer: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 3],
  lag: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  delivery: [0.25, 0.5, 1, 2, 3, 5, 10, 30, 60, 300, 1_200],
  call: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  store: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
};

/**
 * Counts what the bot tells of its work, and writes it down as Prometheus reads it: every metric of the bot, and Node's
 * own. No label names a server, a channel, a member or a job: those are without number, and none of an observer's
 * business.
 */
export function createPrometheus() {
  const { histogram, counter, gauge, text, contentType } = createPrometheusRegistry();

  const firstAnswer = histogram(
    'darkroom_first_answer_seconds',
    'From the arrival of an interaction to the acknowledged first answer.',
    BUCKETS.answer,
  );
  const unanswered = counter('darkroom_unanswered_interactions_total', 'Interactions without an answer.');
  const pollLag = histogram(
    'darkroom_poll_lag_seconds',
    'From the moment when a poll was due to its beginning.',
    BUCKETS.lag,
  );
  const delivery = histogram(
    'darkroom_picture_delivery_seconds',
    'From the answer that the last picture of a job is completed to its message in the chat.',
    BUCKETS.delivery,
  );
  const jobs = counter('darkroom_jobs_ended_total', 'Runs of jobs that have ended, by how.', ['state']);
  const edits = counter(
    'darkroom_progress_edits_total',
    'Edits that show progress, by what became of them.',
    ['result'],
  );
  const discord = histogram(
    'darkroom_discord_request_seconds',
    'Requests to Discord, by the HTTP status of the answer; none: there was no answer.',
    BUCKETS.call,
    ['status'],
  );
  const service = histogram('darkroom_service_call_seconds', 'Calls to the image service.', BUCKETS.call, [
    'operation',
    'result',
  ]);
  const store = histogram('darkroom_store_call_seconds', 'Calls to the store.', BUCKETS.store, [
    'operation',
    'result',
  ]);

  // `increase` does not see the first value of a series (prometheus/prometheus#1673): what an alert may see only once
  // begins at 0.
  for (const state of ['delivered', 'failed']) jobs.inc({ state }, 0);
  service.zero({ operation: 'submit', result: 'busy' });
  for (const operation of STORE_OPERATIONS) store.zero({ operation, result: 'failed' });

  const runningJobs = gauge('darkroom_running_jobs', 'Jobs that this process follows.');
  const oldestJob = gauge('darkroom_oldest_job_seconds', 'Age of the oldest job that this process follows.');
  const waitingCalls = gauge(
    'darkroom_waiting_calls',
    "Calls to the image service that wait for their server's turn.",
  );
  const waitingTurns = gauge(
    'darkroom_waiting_turns',
    'Tasks that wait until those of others with the same key have had their turns.',
  );
  const stalled = gauge(
    'darkroom_poller_stalled_seconds',
    'For how long polls have been due without any of them beginning.',
  );
  const served = gauge('darkroom_shards_served', 'Shards that this process serves.');
  const connected = gauge(
    'darkroom_shards_connected',
    'Shards that this process serves and that are connected to Discord.',
  );
  const identifies = gauge(
    'darkroom_identifies_left',
    'How often the bot may still identify at Discord today, as this process knows; NaN until it does.',
  );

  return {
    contentType,
    metrics: {
      firstAnswer: (ms) => firstAnswer.observe(ms / 1_000),
      unanswered: () => unanswered.inc(),
      poll: (lateMs) => pollLag.observe(lateMs / 1_000),
      delivered: (ms) => delivery.observe(ms / 1_000),
      jobEnded: (state) => jobs.inc({ state }),
      progressEdit: (result) => edits.inc({ result }),
      discordRequest: (status, ms) => discord.observe({ status }, ms / 1_000),
      serviceCall: (operation, result, ms) => service.observe({ operation, result }, ms / 1_000),
      storeCall: (operation, result, ms) => store.observe({ operation, result }, ms / 1_000),
    } satisfies Metrics,
    /** The text of `/metrics`; its gauges show `readings`. */
    text(readings: Readings): Promise<string> {
      runningJobs.set(readings.runningJobs);
      oldestJob.set(readings.oldestJobMs / 1_000);
      waitingCalls.set(readings.waitingCalls);
      waitingTurns.set(readings.waitingTurns);
      stalled.set(readings.stalledMs / 1_000);
      served.set(readings.shards.served);
      connected.set(readings.shards.connected);
      identifies.set(readings.identifiesLeft ?? Number.NaN);
      return text();
    },
  };
}
