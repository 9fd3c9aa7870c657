import { backoffMs, type Clock } from '@darkroom/time';
import { createFairOrder, type Waiting } from './fair-order.ts';
import { RETRY_WAITS } from './poll-timing.ts';

/**
 * How many tasks each member may have at the service that it has not begun, as long as it has had nobody wait: what
 * one `/imagine` asks for at most.
 */
const FIRST_TASKS = 4;

/**
 * So many tasks in a row that were said to wait, and were completed without having begun: the service says of none that
 * it begins, and what it says of a wait means nothing.
 */
const NEVER_BEGUN = 3;

/** However long the service asks to be left alone, it is asked again after so long. */
const LONGEST_PAUSE_MS = 5 * 60_000;

/** When those that wait hear at which position: soon, and then again and again. */
const FIRST_TELL_MS = 200;
const TELL_INTERVAL_MS = 2_000;

/** A task of some member, to be submitted with some key. */
export interface Turn extends Waiting {
  apiKey: string;
  /** Whether others than this member may use the key, so that no one may fill the service's queue. */
  shared: boolean;
}

interface TurnOptions {
  signal: AbortSignal;
  /** Until when it waits, in milliseconds since the epoch. */
  waitsUntil: number;
  /** No turn is free at once. */
  onWait(): void;
  /** How many of the same key go before it, itself included; heard again and again while it waits. */
  onPosition(position: number): void;
  /** Its turn was refused: it goes before all others. */
  again?: boolean;
}

/** No turn has come in time: others were before it, or the service took nothing. */
export class NoTurnError extends Error {
  override readonly name = 'NoTurnError';
}

interface Queued extends Turn, TurnOptions {
  begin(): void;
  leave(why: unknown): void;
}

/** What is known of a key, as long as a task of it waits or runs. */
const createKeyState = (apiKey: string) => ({
  apiKey,
  /** As of a `Turn`. */
  shared: false,
  order: createFairOrder<Queued>(),
  /** How many tasks at the service are in each state, as far as it has said. */
  tasks: { submitted: 0, pending: 0, begun: 0 },
  /** How many tasks each member has, here or at the service. */
  members: new Map<string, number>(),
  /** The service has had a task wait for others, or has refused one. */
  isFull: false,
  /** Once it is full: how many tasks may be there that it has not begun. Grows by one for each that did not wait. */
  mostNotBegun: 1,
  refusedInRow: 0,
  /** How many of the waits that the service has asked for are not over. */
  pauses: 0,
  telling: false,
});

type Key = ReturnType<typeof createKeyState>;
type TaskState = keyof Key['tasks'];

export type HeldTurn = ReturnType<ReturnType<typeof createKeyTurns>['hold']>;

/**
 * Who may submit next, where several members' tasks are paid by one key: servers take turns, and in them members.
 * Only so much is at the service that it has always something to do; the rest waits here, because there everything of
 * one key is one queue. Why, and how much that is: docs/decisions/fair-turns.md.
 */
export function createKeyTurns({ clock, random }: { clock: Clock; random: () => number }) {
  const keys = new Map<string, Key>();
  let neverBegunInRow = 0;

  const memberOf = ({ guild, member }: Turn) => `${guild}:${member}`;

  function enter(turn: Turn): Key {
    const key = keys.get(turn.apiKey) ?? createKeyState(turn.apiKey);
    keys.set(turn.apiKey, key);
    key.shared ||= turn.shared;
    key.members.set(memberOf(turn), (key.members.get(memberOf(turn)) ?? 0) + 1);
    return key;
  }

  function exit(key: Key, turn: Turn): void {
    const left = (key.members.get(memberOf(turn)) ?? 0) - 1;
    if (left > 0) key.members.set(memberOf(turn), left);
    else key.members.delete(memberOf(turn));
    giveTurns(key);
  }

  /** Whether another task of the key may go to the service. */
  function hasRoom({ shared, tasks, members, isFull, mostNotBegun, refusedInRow, pauses }: Key): boolean {
    if (pauses > 0) return false;
    // One alone finds out whether tasks are taken again.
    if (refusedInRow > 0) return tasks.submitted === 0;
    const notBegun = tasks.submitted + tasks.pending;
    if (isFull && notBegun >= Math.max(mostNotBegun, Math.ceil(tasks.begun / 2))) return false;
    return !shared || notBegun < Math.max(FIRST_TASKS * members.size, tasks.begun);
  }

  /** Gives the turns that there is room for. A key of which nothing is left is forgotten. */
  function giveTurns(key: Key): void {
    while (key.order.size > 0 && hasRoom(key)) key.order.take()?.begin();
    if (key.members.size === 0 && key.pauses === 0) keys.delete(key.apiKey);
  }

  function pause(key: Key, ms: number): void {
    key.pauses += 1;
    void clock.sleep(Math.min(ms, LONGEST_PAUSE_MS)).then(() => {
      key.pauses -= 1;
      giveTurns(key);
    });
  }

  /** The turn of a task, from before it is submitted until it has ended. */
  function hold(key: Key, turn: Turn) {
    let state: TaskState | undefined = 'submitted';
    let didNotWait = false;
    /** Longer than a moment, by what the service says. */
    let waited = false;
    key.tasks.submitted += 1;

    function become(next: TaskState | undefined): boolean {
      if (state === undefined || next === state) return false;
      key.tasks[state] -= 1;
      state = next;
      if (state !== undefined) key.tasks[state] += 1;
      return true;
    }

    /** The task has ended, or is followed no longer. */
    function end(): void {
      if (didNotWait && state !== undefined) key.mostNotBegun += 1;
      if (become(undefined)) exit(key, turn);
    }

    return {
      /** The service has taken the task, and takes no other for `pauseMs`. Returns whether refusals went before. */
      accepted(pauseMs = 0): boolean {
        const wasRefused = key.refusedInRow > 0;
        didNotWait = true;
        key.refusedInRow = 0;
        if (pauseMs > 0) pause(key, pauseMs);
        giveTurns(key);
        return wasRefused;
      },
      /** The service takes no more for now; the turn is over. Returns whether this is the first refusal in a row. */
      refused(retryAfterMs: number | undefined): boolean {
        key.isFull = true;
        key.mostNotBegun = 1;
        key.refusedInRow += 1;
        const isFirst = key.refusedInRow === 1;
        pause(key, backoffMs({ ...RETRY_WAITS, attempt: key.refusedInRow, random, retryAfterMs }));
        end();
        return isFirst;
      },
      /** Whether the service has begun with the task, by its latest answer. */
      seen(next: 'pending' | 'begun'): void {
        if (next === 'begun') neverBegunInRow = 0;
        // Many a service has a task wait for a moment; one that still waits when it is asked again waits for others.
        waited ||= next === 'pending' && state === 'pending';
        if (next === 'pending' && waited && neverBegunInRow < NEVER_BEGUN) {
          key.isFull = true;
          key.mostNotBegun = 1;
          didNotWait = false;
        }
        if (become(next)) giveTurns(key);
      },
      /** There is a picture. Before `end`. */
      completed(): void {
        if (!waited || state !== 'pending') return;
        neverBegunInRow += 1;
        didNotWait ||= neverBegunInRow >= NEVER_BEGUN;
      },
      end,
    };
  }

  async function tellPositions(key: Key): Promise<void> {
    key.telling = true;
    for (let ms = FIRST_TELL_MS; key.order.size > 0; ms = TELL_INTERVAL_MS) {
      await clock.sleep(ms);
      for (const [index, queued] of key.order.inOrder().entries()) {
        if (clock.now() < queued.waitsUntil) queued.onPosition(index + 1);
        else queued.leave(new NoTurnError('no turn came in time'));
      }
    }
    key.telling = false;
  }

  return {
    /**
     * Resolves when the turn has come: at once where there is room. Rejects with `NoTurnError` where none has come in
     * time, or with the reason of the signal.
     */
    async wait(turn: Turn, options: TurnOptions): Promise<ReturnType<typeof hold>> {
      const { signal, onWait, again } = options;
      signal.throwIfAborted();
      const key = enter(turn);
      if (key.order.size === 0 && hasRoom(key)) return hold(key, turn);
      onWait();
      return new Promise((resolve, reject) => {
        const abort = () => queued.leave(signal.reason);
        const queued: Queued = {
          ...turn,
          ...options,
          begin() {
            signal.removeEventListener('abort', abort);
            resolve(hold(key, turn));
          },
          leave(why) {
            signal.removeEventListener('abort', abort);
            key.order.delete(queued);
            reject(why);
            exit(key, turn);
          },
        };
        signal.addEventListener('abort', abort, { once: true });
        if (again) key.order.putBack(queued);
        else key.order.add(queued);
        if (!key.telling) void tellPositions(key);
      });
    },

    /** For a task that the service may have already. */
    hold: (turn: Turn) => hold(enter(turn), turn),

    waiting: (): number => [...keys.values()].reduce((sum, { order }) => sum + order.size, 0),
  };
}
