import type { Clock } from '../../clock.ts';
import { WORKFLOWS, type Workflow } from '../../contract/limits.ts';
import { unlessAborted } from '../../deadline.ts';
import type { Log } from '../../log.ts';
import { DatabaseUnavailable } from '../database/postgres.ts';
import { DrawingError, type Engine, type Stop } from '../engines/engine.ts';
import type { Files } from '../files.ts';
import type { ServiceLimits } from '../limits.ts';
import type { Durations } from './durations.ts';
import { createProgressReport } from './progress-report.ts';
import type { ClaimedTask, Queue } from './queue.ts';
import { type Failure, TIMED_OUT } from './tasks.ts';

/** How often the queue is looked at when nothing in this process says that it changed. */
const POLL_MS = 1_000;

/** Characters that are kept of an engine's words. */
const MAX_WORDS = 2_000;

/** Draws what is in the queue, with each engine as many tasks at once as it has slots. */
export function createScheduler({
  queue,
  files,
  durations,
  engineFor,
  clock,
  log,
  limits,
}: {
  queue: Queue;
  files: Files;
  durations: Durations;
  engineFor(workflow: Workflow): Engine;
  clock: Clock;
  log: Log;
  limits: ServiceLimits;
}) {
  const running = new Map<string, { engine: Engine; stop(reason: Stop): void; done: Promise<void> }>();
  const loops: Promise<void>[] = [];
  const closing = new AbortController();
  let nap = new AbortController();
  const wake = () => nap.abort();

  async function develop(task: ClaimedTask, engine: Engine, signal: AbortSignal): Promise<void> {
    const report = createProgressReport({ task, queue, files, clock });
    const startedAt = clock.now();
    try {
      const drawn = engine.draw(task.drawing, { signal, onDevelopment: report.see });
      const picture = await unlessAborted(signal, drawn);
      const name = await files.name(task.id, 'picture', picture.contentType);
      await files.write(name, picture.bytes);
      if (await queue.complete(task, name, clock.now() + limits.pictureMs)) {
        durations.learn(task.drawing, clock.now() - startedAt);
        log.info({ taskId: task.id, ms: clock.now() - startedAt }, 'task completed');
      }
    } catch (error) {
      await conclude(task, signal, error);
    } finally {
      await report.close();
    }
  }

  async function conclude(task: ClaimedTask, signal: AbortSignal, error: unknown): Promise<void> {
    const stop: Stop | undefined = signal.aborted ? signal.reason : undefined;
    if (stop === 'lost') return;
    if (stop === 'closing' || error instanceof DatabaseUnavailable) return queue.handBack(task);
    const expected = stop === 'deadline' || error instanceof DrawingError;
    log[expected ? 'warn' : 'error']({ taskId: task.id, err: error }, 'task failed');
    await queue.fail(task, stop === 'deadline' ? TIMED_OUT : failureOf(error));
  }

  function begin(task: ClaimedTask): void {
    const controller = new AbortController();
    const ended = new AbortController();
    const stop = (reason: Stop) => controller.abort(reason);
    const engine = engineFor(task.drawing.workflow);
    const done = develop(task, engine, controller.signal)
      .catch((error: unknown) => log.error({ taskId: task.id, err: error }, 'a task could not be concluded'))
      .finally(() => {
        running.delete(task.id);
        ended.abort();
        wake();
      });
    running.set(task.id, { engine, stop, done });
    clock.sleep(task.deadlineAt - clock.now(), ended.signal).then(
      () => stop('deadline'),
      () => undefined,
    );
  }

  function hasRoom(workflow: Workflow): boolean {
    const engine = engineFor(workflow);
    const drawn = [...running.values()].filter((task) => task.engine === engine);
    return drawn.length < limits.slots;
  }

  async function fill(): Promise<void> {
    while (!closing.signal.aborted) {
      const workflows = WORKFLOWS.filter(hasRoom);
      const task = workflows.length > 0 ? await queue.claim(workflows) : undefined;
      if (!task) return;
      begin(task);
    }
  }

  async function renewLeases(): Promise<void> {
    const ids = [...running.keys()];
    if (ids.length === 0) return;
    const held = await queue.renew(ids);
    for (const id of ids) if (!held.has(id)) running.get(id)?.stop('lost');
  }

  async function recover(): Promise<void> {
    if ((await queue.recover()) > 0) wake();
  }

  async function attempt(work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => {
      if (error instanceof DatabaseUnavailable) return;
      log.error({ err: error }, `${work.name} failed; trying again`);
    });
  }
  const rest = (ms: number, signal: AbortSignal) => clock.sleep(ms, signal).catch(() => undefined);

  async function keepFilled(): Promise<void> {
    while (!closing.signal.aborted) {
      // Armed before looking, so that what is queued meanwhile is not slept over.
      nap = new AbortController();
      await attempt(fill);
      await rest(POLL_MS, nap.signal);
    }
  }

  async function repeat(work: () => Promise<void>, everyMs: number): Promise<void> {
    while (!closing.signal.aborted) {
      await attempt(work);
      await rest(everyMs, closing.signal);
    }
  }

  return {
    start(): void {
      loops.push(keepFilled(), repeat(recover, POLL_MS), repeat(renewLeases, limits.leaseMs / 3));
    },

    /** Something was queued. */
    wake,

    /** A task was ended elsewhere: if it is being drawn here, that is in vain. */
    drop: (taskId: string): void => running.get(taskId)?.stop('lost'),

    /** Stops drawing; what is being drawn goes back into the queue. */
    async close(): Promise<void> {
      closing.abort();
      wake();
      await Promise.all(loops);
      for (const { stop } of running.values()) stop('closing');
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}

/** An engine's own words where it has some for the account's owner; nothing of its insides otherwise. */
const failureOf = (error: unknown): Failure => ({
  error: (error instanceof DrawingError && fitToKeep(error.message)) || TIMED_OUT.error,
  errorCode: 'drawing_failed',
});

/** Of a length for a person, on one line, and free of control characters: PostgreSQL keeps no U+0000 in a text. */
const fitToKeep = (words: string): string =>
  words
    .slice(0, MAX_WORDS)
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
