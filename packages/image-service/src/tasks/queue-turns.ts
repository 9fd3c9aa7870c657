import type { ServiceDatabase } from '../database/database.ts';
import { createSharedReading } from '../database/shared-reading.ts';
import { countTurns, findTurn } from './queue-reading.ts';
import type { Task } from './task-queries.ts';

/** Counting the whole queue takes at most this part of the time. */
const COUNTING = 1 / 100;

/** The whole queue at one moment, turn by turn: for those that are too far behind to be looked at one by one. */
export interface QueueTurns {
  total: number;
  /** How many of them are before a task that waits, too. What has come since is behind all others of its turn. */
  countBefore(task: Pick<Task, 'id' | 'turn'>): Promise<number>;
}

/**
 * Reads how many tasks each turn has, and their order only of the turns that somebody asks for: once for all who do.
 */
export const createQueueTurns = (db: ServiceDatabase) =>
  createSharedReading(COUNTING, async (): Promise<QueueTurns> => {
    const turns = new Map<number, { first: number; count: number }>();
    let total = 0;
    for (const { turn, count } of await countTurns(db, {})) {
      turns.set(turn, { first: total, count });
      total += count;
    }
    const orders = new Map<number, Promise<ReadonlyMap<string, number>>>();

    function orderOf(turn: number): Promise<ReadonlyMap<string, number>> {
      const known = orders.get(turn);
      if (known) return known;
      const order = findTurn(db, { turn }).then(
        (tasks) => new Map(tasks.map(({ id }, at) => [id, at] as const)),
      );
      orders.set(turn, order);
      order.catch(() => orders.delete(turn));
      return order;
    }

    return {
      total,
      async countBefore({ id, turn: number }) {
        const turn = turns.get(number);
        // It has come since.
        if (!turn) return [...turns].find(([other]) => other > number)?.[1].first ?? total;
        const place = (await orderOf(number)).get(id) ?? turn.count;
        // So that nobody who came before the turns were counted is told a place behind the next turn.
        return turn.first + Math.min(place, turn.count);
      },
    };
  });
