import type { Log } from '@darkroom/process';
import { DatabaseUnavailable } from '@darkroom/storage';
import { type Clock, createWakeableSleep, repeat } from '@darkroom/time';
import type { Engine } from '../engines/engine.ts';
import type { Files } from '../files/files.ts';
import type { ServiceLimits } from '../limits.ts';
import type { OfferedWorkflow, Workflows } from '../workflows/workflows.ts';
import type { DurationEstimates } from './duration-estimates.ts';
import type { Queue } from './queue.ts';
import { createRuns, type StartedRun } from './run.ts';

/** How often the queue is polled when nothing in this process says that it has changed. */
const POLL_MS = 1_000;

/** Claims tasks from the queue and has them drawn, by each engine as many at once as it takes. */
export function createScheduler({
  queue,
  files,
  durationEstimates,
  workflows,
  slotsOf,
  clock,
  log,
  limits,
}: {
  queue: Queue;
  files: Files;
  durationEstimates: DurationEstimates;
  workflows: Pick<Workflows, 'all' | 'find'>;
  /** How many tasks of an engine are drawn at once. */
  slotsOf(engine: Engine): number;
  clock: Clock;
  log: Log;
  limits: ServiceLimits;
}) {
  const running = new Map<string, StartedRun>();
  const loops: Promise<void>[] = [];
  const closing = new AbortController();
  const queuePoll = createWakeableSleep(clock);
  const startRun = createRuns({
    queue,
    files,
    durationEstimates,
    clock,
    log,
    limits,
    closing: closing.signal,
  });

  const runs = () => [...running.values()].map(({ run }) => run);

  function hasRoom({ engine }: OfferedWorkflow): boolean {
    const drawing = [...running.values()].filter((started) => started.engine === engine);
    return drawing.length < slotsOf(engine);
  }

  async function claimTasks(): Promise<void> {
    while (!closing.signal.aborted) {
      const withRoom = workflows.all.filter(hasRoom).map(({ name }) => name);
      if (withRoom.length === 0) return;
      const claimedAt = performance.now();
      const run = await queue.claim({ workflows: withRoom, except: runs().map(({ taskId }) => taskId) });
      const engine = run && workflows.find(run.workflow)?.engine;
      if (!engine) return;
      const started = startRun(run, engine, claimedAt);
      running.set(run.id, started);
      void started.done.then(() => {
        running.delete(run.id);
        queuePoll.wake();
      });
    }
  }

  async function renewLeases(): Promise<void> {
    const renewing = [...running.values()];
    if (renewing.length === 0) return;
    const at = performance.now();
    const held = await queue.renew(renewing.map(({ run }) => run));
    for (const { run, renewed, stop } of renewing) {
      if (held.has(run.id)) renewed(at);
      else stop('lost');
    }
  }

  async function recover(): Promise<void> {
    if ((await queue.recover(runs())) > 0) queuePoll.wake();
  }

  const loop = (work: () => Promise<void>, everyMs: number, pause: Pick<Clock, 'sleep'> = clock) =>
    repeat(work, {
      everyMs,
      clock: pause,
      signal: closing.signal,
      onError(error) {
        if (!(error instanceof DatabaseUnavailable))
          log.error({ err: error }, `${work.name} failed; trying again`);
      },
    });

  return {
    start(): void {
      loops.push(
        loop(claimTasks, POLL_MS, queuePoll),
        loop(recover, POLL_MS),
        loop(renewLeases, limits.leaseMs / 3),
      );
    },

    /** Says that something was queued. */
    wake: queuePoll.wake,

    /** Stops drawing a task that has ended elsewhere. */
    drop(taskId: string): void {
      for (const { run, stop } of running.values()) if (run.taskId === taskId) stop('lost');
    },

    /** Stops drawing; the tasks go back into the queue. */
    async close(): Promise<void> {
      closing.abort();
      await Promise.all(loops);
      for (const { stop } of running.values()) stop('closing');
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}
