import { type ImageClient, ServiceError } from '@darkroom/image-api';
import { HOUR_MS, type RetryPolicy, retry } from '@darkroom/time';
import { guildOrMember, type Job, withTask } from './job.ts';
import { DEADLINE_MS } from './job-request.ts';
import { constantFields, failTask, type JobTask, knownCost } from './job-task.ts';
import { replaceKey } from './replaced-key.ts';
import { reportFailure } from './report-failure.ts';
import type { Run } from './run.ts';
import { type HeldTurn, NoTurnError, type Turn } from './service-calls/key-turns.ts';
import { RETRY_WAITS } from './service-calls/poll-timing.ts';
import { taskSubmission } from './task-submission.ts';

type QueuedTask = Awaited<ReturnType<ImageClient['submit']>>;

/** How often one task is submitted with the same idempotency key, where the service supports that. */
const MAX_SUBMISSIONS = 6;

/** How long after its request a task waits for its turn at most. */
const LONGEST_WAIT_MS = 2 * HOUR_MS;

/** How a submission that certainly never left is repeated; somebody waits. */
const RETRY_UNSENT: RetryPolicy = {
  budgetMs: 20_000,
  lastAttemptAtEnd: true,
  firstMs: 1_000,
  maxMs: 5_000,
  isRetryable: (error) => error instanceof ServiceError && error.kind === 'unreachable',
};

/** Its time is over before it could be sent: the machine slept. */
class TooLateError extends Error {}

export function turnOf(job: Job, apiKey: string): Turn {
  const { payer, member, createdAt: askedAt } = job;
  return { apiKey, shared: payer.kind !== 'member', guild: guildOrMember(job), member: member.id, askedAt };
}

/**
 * Submits a task when its turn has come, again and again while the service has too much to do, and again with the
 * same idempotency key where that is supported. `submitting`: an attempt of an earlier run may have been accepted,
 * which no later failure disproves. Resolves with the task as it is then, and with its turn once the service has it.
 * Rejects with the reason of `stopping`.
 */
export async function submitTask(
  run: Run,
  index: number,
  task: JobTask & { state: 'planned' | 'submitting' },
  apiKey: string,
): Promise<{ task: JobTask; turn?: HeldTurn }> {
  const { service, clock, log } = run.deps;
  const { idempotency, keyTurns, rateLimiter } = service;
  const { stopping, abandoned, cancelled } = run.signals;
  const { idempotencyKey } = task;
  const planned: JobTask = { state: 'planned', ...constantFields(task) };
  const turn = turnOf(run.job(), apiKey);
  const waitsUntil = run.job().createdAt + LONGEST_WAIT_MS;
  const signal = AbortSignal.any([stopping, cancelled]);
  let idempotencySupported = false;
  let mayBeAccepted = task.state === 'submitting';
  let waited = false;
  let pauseMs = 0;

  async function waitForTurn({ again }: { again: boolean }): Promise<HeldTurn> {
    const held = await keyTurns.wait(turn, {
      signal,
      waitsUntil,
      again,
      onWait() {
        if (!waited) void run.tryWrite((job) => extended(job, waitsUntil));
        waited = true;
      },
      onPosition: (turnPosition) => run.observe(index, { turnPosition }),
    });
    if (waited) run.observe(index, { turnPosition: undefined });
    return held;
  }

  async function send(): Promise<QueuedTask> {
    // Whoever asked waits no longer, and the service may have forgotten the key of an earlier attempt.
    if (clock.now() >= run.job().deadlineAt) throw new TooLateError();
    const submitting: JobTask = {
      state: 'submitting',
      ...constantFields(task),
      service: service.name,
      idempotencySupported,
    };
    await run.write((before) => {
      const job = withTask(index, submitting)(before);
      return waited ? extended(job, clock.now() + DEADLINE_MS) : job;
    });
    return service.images.submit(taskSubmission(run.job(), task), {
      apiKey,
      idempotencyKey,
      signal: abandoned,
      once: true,
      onRateLimit({ remaining, resetMs }) {
        pauseMs = remaining === 0 ? resetMs : 0;
      },
    });
  }

  const onRetry = (error: unknown) =>
    run.observe(index, { trouble: error instanceof ServiceError ? error.kind : undefined });

  /** Each attempt passes the limit of its server. */
  function sendUntilItLeaves(): Promise<QueuedTask> {
    const attempt = () => rateLimiter.run(turn.guild, 'submit', send, { signal });
    return retry(attempt, { policy: RETRY_UNSENT, clock, signal, onRetry });
  }

  /** Again with the same idempotency key, as long as an attempt may have been accepted. */
  function sendUntilCertain(): Promise<QueuedTask> {
    let lastError: unknown;
    async function attempt(): Promise<QueuedTask> {
      // Another response may have shown since that the service does not support idempotency keys.
      if (lastError !== undefined && !idempotency.isSupported()) throw lastError;
      idempotencySupported = idempotency.isSupported();
      try {
        return await sendUntilItLeaves();
      } catch (error) {
        lastError = error;
        mayBeAccepted ||= error instanceof ServiceError && error.unclear;
        throw error;
      }
    }
    const policy: RetryPolicy = {
      ...RETRY_WAITS,
      maxAttempts: MAX_SUBMISSIONS,
      budgetMs: run.job().deadlineAt - clock.now(),
      isRetryable: (error) =>
        mayBeAccepted &&
        idempotencySupported &&
        idempotency.isSupported() &&
        error instanceof ServiceError &&
        error.retryable,
    };
    return retry(attempt, { policy, clock, signal, onRetry });
  }

  let held: HeldTurn | undefined;
  try {
    held = mayBeAccepted ? keyTurns.hold(turn) : await waitForTurn({ again: false });
    for (;;) {
      try {
        const { taskId, cost } = await sendUntilCertain();
        log.info({ job: run.id, taskId }, 'the image service has accepted a task');
        if (held.accepted(pauseMs))
          log.info({ job: run.id }, 'the image service takes tasks of this key again');
        return {
          task: {
            state: 'following',
            ...constantFields(task),
            service: service.name,
            taskId,
            acceptedAt: clock.now(),
            ...knownCost(cost),
          },
          turn: held,
        };
      } catch (error) {
        if (mayBeAccepted || !(error instanceof ServiceError && error.kind === 'busy')) throw error;
        if (held.refused(error.retryAfterMs))
          log.warn({ err: error, job: run.id }, 'the image service takes no task of this key for now');
        run.observe(index, { engineUnavailable: error.code === 'engine_unavailable' });
        // Nothing has happened, and the wait may be long: a process that ends meanwhile leaves no doubt.
        await run.tryWrite(withTask(index, planned));
        held = await waitForTurn({ again: true });
      }
    }
  } catch (error) {
    held?.end();
    // An answer that came while stopping is written down like any other.
    if (!(error instanceof ServiceError)) stopping.throwIfAborted();
    if (cancelled.aborted) return { task: failTask(task, { kind: mayBeAccepted ? 'left' : 'withdrawn' }) };
    if (error instanceof NoTurnError) return { task: failTask(task, { kind: 'no-turn' }) };
    if (error instanceof TooLateError) {
      return { task: failTask(task, { kind: mayBeAccepted ? 'unclear' : 'restarted' }) };
    }
    // A refused key has made no task.
    if (!mayBeAccepted && (await replaceKey(run, apiKey, error))) return { task: planned };
    const failure = reportFailure(error, log, { job: run.id });
    return { task: failTask(task, mayBeAccepted ? { ...failure, kind: 'unclear' } : failure) };
  }
}

/** May be submitted until `until` at least. */
const extended = <Deadlined extends { deadlineAt: number }>(job: Deadlined, until: number): Deadlined => ({
  ...job,
  deadlineAt: Math.max(job.deadlineAt, until),
});
