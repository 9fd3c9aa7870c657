import { WORKFLOWS, type Workflow } from '@darkroom/image-api';
import type { Log } from '@darkroom/process';
import { DatabaseUnavailable } from '@darkroom/storage';
import { type Clock, createWakeableSleep } from '@darkroom/time';
import type { Engine } from '../engines/engine.ts';
import type { Files } from '../files/files.ts';
import type { ServiceLimits } from '../limits.ts';
import type { DurationEstimates } from './duration-estimates.ts';
import type { Queue } from './queue.ts';
import { createRuns, type StartedRun } from './run.ts';

/** How often the queue is polled when nothing in this process says that it has changed. */
const POLL_MS = 1_000;

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

  function hasRoom(workflow: Workflow): boolean {
    const engine = engineFor(workflow);
    const drawing = [...running.values()].filter((started) => started.engine === engine);
    return drawing.length < limits.slots;
  }

  async function claimTasks(): Promise<void> {
    while (!closing.signal.aborted) {
      const workflows = WORKFLOWS.filter(hasRoom);
      if (workflows.length === 0) return;
      const claimedAt = performance.now();
      const run = await queue.claim({ workflows, except: runs().map(({ taskId }) => taskId) });
      if (!run) return;
      const started = startRun(run, engineFor(run.drawing.workflow), claimedAt);
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
