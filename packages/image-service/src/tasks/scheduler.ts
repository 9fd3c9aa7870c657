import { WORKFLOWS, type Workflow } from '@darkroom/image-api';
import type { Log } from '@darkroom/process';
import { DatabaseUnavailable } from '@darkroom/storage';
import { type Clock, createWakeableSleep, raceAbort } from '@darkroom/time';
import { DrawingError, type Engine, type StopReason } from '../engines/engine.ts';
import type { Files } from '../files/files.ts';
import type { ServiceLimits } from '../limits.ts';
import type { DurationEstimates } from './duration-estimates.ts';
import { createProgressWriter } from './progress-writer.ts';
import type { ClaimedTask, Queue } from './queue.ts';
import { type Failure, TIMED_OUT } from './tasks.ts';

/** How often the queue is polled when nothing in this process says that it has changed. */
const POLL_MS = 1_000;

/** Of an engine's error message. */
const MAX_MESSAGE_LENGTH = 2_000;

/** Claims tasks from the queue and has them drawn, by each engine as many at once as `limits.slots`. */
export function createScheduler({
  queue,
  files,
  durationEstimates,
  engineFor,
  clock,
  log,
  limits,
}: {
  queue: Queue;
  files: Files;
  durationEstimates: DurationEstimates;
  engineFor(workflow: Workflow): Engine;
  clock: Clock;
  log: Log;
  limits: ServiceLimits;
}) {
  const running = new Map<string, { engine: Engine; stop(reason: StopReason): void; done: Promise<void> }>();
  const loops: Promise<void>[] = [];
  const closing = new AbortController();
  const queuePoll = createWakeableSleep(clock);

  async function draw(task: ClaimedTask, engine: Engine, signal: AbortSignal): Promise<void> {
    const progress = createProgressWriter({ task, queue, files, clock });
    const startedAt = clock.now();
    try {
      const drawn = engine.draw(task.drawing, { signal, onProgress: progress.update });
      const picture = await raceAbort(signal, drawn);
      const name = await files.name(task.id, 'picture', picture.contentType);
      await files.write(name, picture.bytes);
      if (await queue.complete(task, name, clock.now() + limits.pictureMs)) {
        durationEstimates.learn(task.drawing, clock.now() - startedAt);
        log.info({ taskId: task.id, ms: clock.now() - startedAt }, 'task completed');
      }
    } catch (error) {
      await handleFailure(task, signal, error);
    } finally {
      await progress.close();
    }
  }

  async function handleFailure(task: ClaimedTask, signal: AbortSignal, error: unknown): Promise<void> {
    const stop: StopReason | undefined = signal.aborted ? signal.reason : undefined;
    if (stop === 'lost') return;
    if (stop === 'closing' || error instanceof DatabaseUnavailable) return queue.requeue(task);
    const expected = stop === 'deadline' || error instanceof DrawingError;
    log[expected ? 'warn' : 'error']({ taskId: task.id, err: error }, 'task failed');
    await queue.fail(task, stop === 'deadline' ? TIMED_OUT : failureOf(error));
  }

  function start(task: ClaimedTask): void {
    const controller = new AbortController();
    const ended = new AbortController();
    const stop = (reason: StopReason) => controller.abort(reason);
    const engine = engineFor(task.drawing.workflow);
    const done = draw(task, engine, controller.signal)
      .catch((error: unknown) => log.error({ taskId: task.id, err: error }, 'a task could not be ended'))
      .finally(() => {
        running.delete(task.id);
        ended.abort();
        queuePoll.wake();
      });
    running.set(task.id, { engine, stop, done });
    clock.sleep(task.deadlineAt - clock.now(), ended.signal).then(
      () => stop('deadline'),
      () => undefined,
    );
  }

  function hasRoom(workflow: Workflow): boolean {
    const engine = engineFor(workflow);
    const drawing = [...running.values()].filter((task) => task.engine === engine);
    return drawing.length < limits.slots;
  }

  async function claimTasks(): Promise<void> {
    while (!closing.signal.aborted) {
      const workflows = WORKFLOWS.filter(hasRoom);
      const task = workflows.length > 0 ? await queue.claim(workflows) : undefined;
      if (!task) return;
      start(task);
    }
  }

  async function renewLeases(): Promise<void> {
    const ids = [...running.keys()];
    if (ids.length === 0) return;
    const held = await queue.renew(ids);
    for (const id of ids) if (!held.has(id)) running.get(id)?.stop('lost');
  }

  async function recover(): Promise<void> {
    if ((await queue.recover()) > 0) queuePoll.wake();
  }

  /** Calls `work` again and again until the scheduler closes. `sleep` rejects when it does. */
  async function loop(work: () => Promise<void>, sleep: () => Promise<void>): Promise<void> {
    while (!closing.signal.aborted) {
      await work().catch((error: unknown) => {
        if (error instanceof DatabaseUnavailable) return;
        log.error({ err: error }, `${work.name} failed; trying again`);
      });
      await sleep().catch(() => undefined);
    }
  }

  return {
    start(): void {
      const { signal } = closing;
      loops.push(
        loop(claimTasks, () => queuePoll.sleep(POLL_MS, signal)),
        loop(recover, () => clock.sleep(POLL_MS, signal)),
        loop(renewLeases, () => clock.sleep(limits.leaseMs / 3, signal)),
      );
    },

    /** Says that something was queued. */
    wake: queuePoll.wake,

    /** Stops drawing a task that has ended elsewhere. */
    drop: (taskId: string): void => running.get(taskId)?.stop('lost'),

    /** Stops drawing; the tasks go back into the queue. */
    async close(): Promise<void> {
      closing.abort();
      await Promise.all(loops);
      for (const { stop } of running.values()) stop('closing');
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}

/** The message of a `DrawingError` is for the account's owner; that of any other error is not. */
const failureOf = (error: unknown): Failure => ({
  error: (error instanceof DrawingError && oneLine(error.message)) || TIMED_OUT.error,
  errorCode: 'drawing_failed',
});

/** Cut to a length, on one line, without control characters: PostgreSQL cannot store U+0000 in a text. */
const oneLine = (message: string): string =>
  message
    .slice(0, MAX_MESSAGE_LENGTH)
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
