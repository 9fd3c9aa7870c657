import type { KeyHolder } from '../accounts/key-holders.ts';
import type { ApiError } from '../api-error.ts';
import type { ServiceLimits } from '../limits.ts';
import { queueFull } from '../rate-limit.ts';
import type { AskedTask, ModelTask, QueueModel, QueueModels } from './queue-model.ts';
import { simulateQueue } from './queue-simulation.ts';
import { turnAfter } from './standing.ts';

/** Of the time that a task may take, how much the queue may be expected to take: estimates err. */
const MARGIN = 0.9;

interface IncludedTask {
  task: ModelTask;
  /** Known before it is in the queue, so that it never counts twice. */
  taskId?: string;
  queuedAt?: number;
}

export type DeadlineForecast = ReturnType<typeof createDeadlineForecast>;

/** Refuses tasks that could not be drawn before their deadline, as far as that can be foretold. */
export function createDeadlineForecast({
  queueModels,
  limits,
}: {
  queueModels: QueueModels;
  limits: ServiceLimits;
}) {
  /** What was taken into account and is not in the queue as it was read last. */
  let included: IncludedTask[] = [];
  const mostMs = MARGIN * limits.taskMs;
  const includedTasks = () => included.map(({ task }) => task);

  /** At most so long: a task waits while all slots draw what is before it, or its holder's limit does. */
  function latestEnd({ waiting, total, running, slots }: QueueModel, task: ModelTask): number {
    let all = running.reduce((sum, { endsInMs }) => sum + endsInMs, 0);
    let own = running.reduce((sum, { holder, endsInMs }) => sum + (holder === task.holder ? endsInMs : 0), 0);
    const share = waiting.length > 0 ? total / waiting.length : 1;
    for (const { holder, ms } of waiting) {
      all += ms * share;
      if (holder === task.holder) own += ms * share;
    }
    for (const { holder, ms } of includedTasks()) {
      all += ms;
      if (holder === task.holder) own += ms;
    }
    return all / slots(task.lane) + own / task.maxRunning + task.ms;
  }

  function expectedEnd({ running, waiting, total, slots, turns }: QueueModel, task: ModelTask): number {
    const lastOf = new Map<number, number>();
    let { first } = turns;
    // What was included has no turn before it is in the queue: others may get there first.
    const joining = [...includedTasks(), task].map((one) => {
      const last = lastOf.get(one.accountId) ?? turns.lastOf.get(one.accountId) ?? -1;
      const turn = turnAfter(last, { drawn: turns.drawn, first });
      lastOf.set(one.accountId, turn);
      first = Math.min(first ?? turn, turn);
      return { ...one, turn };
    });
    const all = [...waiting, ...joining].sort((one, other) => one.turn - other.turn);
    const end = simulateQueue(running, all, slots).get(task.id) ?? 0;
    // Of a long queue only the beginning is known; what is behind it is drawn as quickly.
    return all.at(-1)?.id === task.id ? (end * Math.max(total, 1)) / Math.max(waiting.length, 1) : end;
  }

  /**
   * When it would end if all who wait for the same slots shared them evenly, and it waited only for its holder's own.
   */
  function endInFairShare({ running, waiting, slots }: QueueModel, task: ModelTask): number {
    const tasks = [
      ...running.map((one) => ({ ...one, ms: one.endsInMs })),
      ...waiting,
      ...includedTasks(),
      task,
    ];
    const beside = tasks.filter(({ lane }) => lane === task.lane);
    const own = beside.reduce((sum, { holder, ms }) => sum + (holder === task.holder ? ms : 0), 0);
    const holders = new Set(beside.map(({ holder }) => holder)).size;
    return own * Math.max(1 / task.maxRunning, holders / slots(task.lane));
  }

  /** Where it would end too late, also in its fair share: nobody is refused for what others are expected to take. */
  function refusalOf(model: QueueModel, task: ModelTask, endsInMs: number): ApiError | undefined {
    if (endsInMs <= mostMs || endInFairShare(model, task) <= mostMs) return undefined;
    return queueFull(
      'So much is waiting that this picture could not be drawn in time. Submit it again later.',
      endsInMs - mostMs,
    );
  }

  function roomInMs({ waiting, ends }: QueueModel, { holder }: ModelTask): number | undefined {
    const begins = waiting.flatMap((task) => {
      const end = task.holder === holder && task.known ? ends.get(task.id) : undefined;
      return end === undefined ? [] : [end - task.ms];
    });
    return begins.length > 0 ? Math.min(...begins) : undefined;
  }

  /**
   * A task as it is simulated, and the queue as it was read last. Undefined where nobody knows how long it takes, or
   * who draws it.
   */
  async function foreseen(
    holder: KeyHolder,
    asked: AskedTask,
  ): Promise<{ task: ModelTask; model: QueueModel } | undefined> {
    const task = queueModels.newTask(holder, asked);
    if (!task.known) return undefined;
    const model = await queueModels.latest();
    included = included.filter(
      ({ taskId, queuedAt = Infinity }) =>
        queuedAt > model.readAt && !(taskId !== undefined && model.taskIds.has(taskId)),
    );
    if (model.slots(task.lane) === 0) return undefined;
    // One that takes too long by itself may still try, where nothing is before it.
    return { task: { ...task, ms: Math.min(task.ms, mostMs) }, model };
  }

  return {
    /**
     * Whether a task could be drawn in time, and in how many milliseconds it should be finished; undefined where
     * nobody can tell.
     */
    async foresee(holder: KeyHolder, asked: AskedTask) {
      const found = await foreseen(holder, asked);
      if (!found) return { refusal: undefined, roomInMs: () => undefined, endsInMs: undefined };
      const { model, task } = found;
      const endsInMs = expectedEnd(model, task);
      return { refusal: refusalOf(model, task, endsInMs), roomInMs: () => roomInMs(model, task), endsInMs };
    },

    /** Takes a task into account, if it can be drawn in time; else says when to come back. */
    async include(holder: KeyHolder, asked: AskedTask) {
      const found = await foreseen(holder, asked);
      const refusal =
        found && latestEnd(found.model, found.task) > mostMs
          ? refusalOf(found.model, found.task, expectedEnd(found.model, found.task))
          : undefined;
      const entry: IncludedTask | undefined = found && !refusal ? { task: found.task } : undefined;
      if (entry) included.push(entry);
      return {
        /** Why it could not be drawn in time. */
        refusal,

        /**
         * In how many milliseconds the first task of its holder that waits should be begun, which makes room;
         * undefined where nobody can tell.
         */
        roomInMs: () => found && roomInMs(found.model, found.task),

        /** Says under which id the task is about to be written into the queue. */
        queueAs(taskId: string): void {
          if (entry) entry.taskId = taskId;
        },

        queued(): void {
          if (entry) entry.queuedAt = performance.now();
        },

        /** Says that nothing came of the submission. */
        withdraw(): void {
          included = included.filter((other) => other !== entry);
        },
      };
    },
  };
}
