import { randomUUID } from 'node:crypto';
import type { Clock } from '@darkroom/time';
import type { KeyHolder } from '../accounts/key-holders.ts';
import type { ServiceDatabase } from '../database/database.ts';
import { createSharedReading } from '../database/shared-reading.ts';
import type { ServiceLimits } from '../limits.ts';
import type { DurationEstimates } from './duration-estimates.ts';
import type { Lanes } from './lanes.ts';
import { MAX_WAITING, type QueuedTask, readQueue } from './queue-reading.ts';
import { type Lane, type RunningTask, simulateQueue, type WaitingTask } from './queue-simulation.ts';
import { createQueueTurns } from './queue-turns.ts';
import type { Task } from './task-queries.ts';

/** Reading and simulating the queue takes at most this part of the time. */
const READING = 1 / 20;
/** Of its expected time, what is left to a task that takes longer. */
const OVERDUE = 0.1;

export interface ModelTask extends WaitingTask {
  accountId: number;
  /** Whether there is an estimate of how long it takes. */
  known: boolean;
}

/** What a task that waits is told. */
export interface Forecast {
  /** 1 is drawn next. */
  position: number;
  /** Milliseconds until it should be finished; undefined where nobody can tell yet. */
  endsInMs: number | undefined;
}

/** What is known of a task before it is in the queue. */
export type AskedTask = Pick<QueuedTask, 'workflow' | 'lane' | 'expectedMs'>;

export type QueueModels = ReturnType<typeof createQueueModels>;
/** The queue at one moment, and what is expected of it. */
export type QueueModel = Awaited<ReturnType<QueueModels['latest']>>;

/** Models of the queue, as the database has it and as `claim` takes tasks from it: they foretell when tasks are drawn. */
export function createQueueModels({
  db,
  durationEstimates,
  lanes: { laneOf, slotsOf },
  clock,
  limits,
}: {
  db: ServiceDatabase;
  durationEstimates: DurationEstimates;
  lanes: Lanes;
  clock: Clock;
  limits: ServiceLimits;
}) {
  /** A task as it is simulated; as if it took no time where nobody knows how long it takes. */
  function modelTask(task: Omit<QueuedTask, 'startedAt' | 'turn'>): ModelTask {
    const ms = task.expectedMs ?? durationEstimates.typical(task.workflow);
    return {
      id: task.id,
      accountId: task.accountId,
      holder: task.maxRunning === null ? `account ${task.accountId}` : `key ${task.keyId}`,
      lane: laneOf(task),
      maxRunning: task.maxRunning ?? limits.running,
      ms: ms ?? 0,
      known: ms !== null,
    };
  }

  function runningTask(task: QueuedTask): RunningTask {
    const { holder, lane, ms } = modelTask(task);
    const endsInMs = (task.startedAt ?? clock.now()) + ms - clock.now();
    return { holder, lane, endsInMs: Math.max(endsInMs, OVERDUE * ms) };
  }

  const turns = createQueueTurns(db);
  const model = createSharedReading(READING, async () => {
    const readAt = performance.now();
    const queue = await readQueue(db);
    const running = queue.running.map(runningTask);
    const waiting = queue.waiting.map((task) => ({ ...modelTask(task), turn: task.turn }));
    // Each process has as many slots as this one; there are at least so many processes that all that runs has one.
    const processes = busyLanes(running).map(([lane, tasks]) => Math.ceil(tasks / (slotsOf(lane) || tasks)));
    const slots = (lane: Lane) => Math.max(1, ...processes) * slotsOf(lane);
    const ends = simulateQueue(running, waiting, slots);
    return {
      /** When it began to be read, by `performance.now`. */
      readAt,
      running,
      /** The first tasks that wait, in their order. */
      waiting,
      /** How many tasks wait in all. */
      total: waiting.length < MAX_WAITING ? waiting.length : (await turns.latest()).total,
      /** Of all processes, for the tasks of a lane. 0: nobody is known to draw. */
      slots,
      /** What the turn of a new task depends on. */
      turns: {
        drawn: Math.max(0, ...queue.running.map(({ turn }) => turn)),
        first: waiting[0]?.turn ?? null,
        /** Of each account the last turn that was read: they are in order of their turns. */
        lastOf: new Map([...queue.running, ...queue.waiting].map(({ accountId, turn }) => [accountId, turn])),
      },
      /** Of `running` and `waiting`. */
      taskIds: new Set([...queue.running, ...queue.waiting].map(({ id }) => id)),
      /** Milliseconds until each of `waiting` should be finished. */
      ends,
      /** Milliseconds until all of them should be. */
      allEndInMs: Math.max(0, ...ends.values()),
      /** Of `waiting`. */
      forecasts: new Map<string, Forecast>(
        waiting.map(({ id, known }, at) => [
          id,
          { position: at + 1, endsInMs: known ? ends.get(id) : undefined },
        ]),
      ),
    };
  });

  /** A task behind those that are looked at one by one: as if those before it were drawn as quickly as these. */
  async function forecastBehind(
    task: Task,
    { allEndInMs, waiting }: Awaited<ReturnType<typeof model.latest>>,
  ): Promise<Forecast> {
    const position = (await (await turns.latest()).countBefore(task)) + 1;
    return { position, endsInMs: allEndInMs > 0 ? (allEndInMs * position) / waiting.length : undefined };
  }

  return {
    latest: model.latest,
    refresh: model.refresh,

    /** Of a task that waited when it was read; undefined where it does not wait any more. */
    async forecastOf(task: Task): Promise<Forecast | undefined> {
      const latest = await model.latest();
      const known = latest.forecasts.get(task.id);
      if (known) return known;
      if (latest.waiting.length >= MAX_WAITING) return forecastBehind(task, latest);
      // It has come since, or has been claimed.
      return (await model.refresh()).forecasts.get(task.id);
    },

    /** A task that is not in the queue yet, and so has no turn. */
    newTask: (
      { keyId, account, maxRunning }: KeyHolder,
      { workflow, lane, expectedMs }: AskedTask,
    ): ModelTask =>
      modelTask({
        id: randomUUID(),
        accountId: account.id,
        keyId,
        maxRunning,
        workflow,
        lane,
        expectedMs,
      }),
  };
}

function busyLanes(running: readonly RunningTask[]): [Lane, number][] {
  const counts = new Map<Lane, number>();
  for (const { lane } of running) counts.set(lane, (counts.get(lane) ?? 0) + 1);
  return [...counts];
}
