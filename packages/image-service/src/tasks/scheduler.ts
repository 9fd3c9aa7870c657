import type { Log } from '@darkroom/process';
import { type Clock, createWakeableSleep, repeat } from '@darkroom/time';
import { logUnlessUnavailable } from '../database/log-unless-unavailable.ts';
import type { ServiceLimits } from '../limits.ts';
import type { Workflows } from '../workflows/workflows.ts';
import type { Lanes } from './lanes.ts';
import type { Queue } from './queue.ts';
import type { Lane } from './queue-simulation.ts';
import type { StartedRun, StartRun } from './runs.ts';

/** How often the queue is polled when nothing in this process says that it has changed. */
const POLL_MS = 1_000;

/** Claims tasks from the queue and has them drawn, by each engine as many at once as it takes. */
export function createScheduler({
  queue,
  startRun,
  workflows,
  lanes: { laneOf, slotsOf },
  clock,
  log,
  limits,
}: {
  queue: Pick<Queue, 'claim' | 'renew' | 'unfinished' | 'recover'>;
  startRun: StartRun;
  workflows: Pick<Workflows, 'all' | 'find'>;
  lanes: Lanes;
  clock: Clock;
  log: Log;
  limits: Pick<ServiceLimits, 'leaseMs'>;
}) {
  const running = new Map<string, StartedRun>();
  const loops: Promise<void>[] = [];
  let renewing: Promise<void> | undefined;
  const closing = new AbortController();
  const closed = new AbortController();
  const queuePoll = createWakeableSleep(clock);

  const runs = () => [...running.values()].map(({ run }) => run);

  function hasRoom(lane: Lane): boolean {
    const beside = [...running.values()].filter(({ run }) => laneOf(run) === lane);
    return beside.length < slotsOf(lane);
  }

  async function claimTasks(): Promise<void> {
    while (!closing.signal.aborted) {
      const withRoom = workflows.all.filter(({ engine }) => hasRoom(engine)).map(({ name }) => name);
      const cpu = hasRoom('cpu');
      if (withRoom.length === 0 && !cpu) return;
      const claimedAt = performance.now();
      const except = runs().map(({ taskId }) => taskId);
      const run = await queue.claim({ workflows: withRoom, cpu, except });
      const workflow = run && workflows.find(run.workflow);
      if (!workflow) return;
      const started = startRun(run, workflow, claimedAt);
      running.set(run.id, started);
      void started.done.then(() => {
        running.delete(run.id);
        queuePoll.wake();
      });
    }
  }

  async function renewLeases(): Promise<void> {
    const held = [...running.values()];
    if (held.length === 0) return;
    const at = performance.now();
    const heldIds = await queue.renew(held.map(({ run }) => run));
    const unheld = held.filter(({ run }) => !heldIds.has(run.id));
    for (const { run, renewed } of held) if (heldIds.has(run.id)) renewed(at);
    if (unheld.length === 0) return;
    const unfinished = await queue.unfinished(unheld.map(({ run }) => run));
    for (const { run, stop } of unheld) stop(unfinished.has(run.taskId) ? 'unheld' : 'lost');
  }

  async function recover(): Promise<void> {
    if ((await queue.recover(runs(), closing.signal)) > 0) queuePoll.wake();
  }

  const loop = (
    work: () => Promise<void>,
    everyMs: number,
    { pause = clock, until = closing }: { pause?: Pick<Clock, 'sleep'>; until?: AbortController } = {},
  ) =>
    repeat(work, {
      everyMs,
      clock: pause,
      signal: until.signal,
      onError: logUnlessUnavailable(log, `${work.name} failed; trying again`),
    });

  return {
    start(): void {
      loops.push(loop(claimTasks, POLL_MS, { pause: queuePoll }), loop(recover, POLL_MS));
      renewing = loop(renewLeases, limits.leaseMs / 3, { until: closed });
    },

    /** Says that something was queued. */
    wake: queuePoll.wake,

    /** Stops drawing a task that has ended elsewhere. */
    drop(taskId: string): void {
      for (const { run, stop } of running.values()) if (run.taskId === taskId) stop('lost');
    },

    /** Stops drawing; the tasks go back into the queue, but for those that a stop waits for. */
    async close(): Promise<void> {
      closing.abort();
      await Promise.all(loops);
      for (const { stop } of running.values()) stop('closing');
      await Promise.all([...running.values()].map(({ done }) => done));
      closed.abort();
      await renewing;
    },
  };
}
