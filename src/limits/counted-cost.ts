import { toThousandths } from '@darkroom/image-api/contract';
import type { Take } from '../storage/counters.ts';
import type { Reservation } from './reservation.ts';

/** What a request of unknown cost is counted with: enough that nothing passes a budget that is used up. */
export const LEAST_COST = 0.001;

/** The most that one picture is taken to cost, in credits: as much as any budget can be. */
export const MOST_COST = 1_000_000;

/** A cost is believed up to this many times that of the last picture like it. */
const BELIEVED = 20;

/** What is believed of a cost, by what was expected. */
export const believedCost = (cost: number, expected: number): number =>
  Math.min(cost, expected > LEAST_COST ? BELIEVED * expected : MOST_COST);

/**
 * What one picture counts with in a budget. Nobody sets one that a single picture passes: a cost like that is taken
 * for a fault of the service, and leaves half of the budget.
 */
export function countedCost(
  cost: number,
  { expected, limit = MOST_COST }: { expected: number; limit?: number | undefined },
): number {
  const believed = believedCost(cost, expected);
  return believed > limit ? limit / 2 : believed;
}

/** What each of some pictures was expected to cost, by what was taken for all of them, and the budget for them. */
export const expectedIn = ({ amount, limit }: Pick<Reservation, 'amount' | 'limit'>, pictures: number) => ({
  expected: amount / pictures,
  limit,
});

/** What has become of one picture that was asked for. */
interface SettledTask {
  /** Whether it is certain that none was drawn. */
  notDrawn: boolean;
  /** What it cost, in credits, where the image service has said so. */
  cost?: number | undefined;
  /** Likewise, at which price it was accepted. */
  mayHaveCost?: number | undefined;
}

/** What a request gives back, or takes in addition, once all of its tasks have ended. */
export function settlementOf(
  reservations: readonly Reservation[],
  tasks: readonly SettledTask[],
  now: number,
): Take[] {
  const notDrawn = tasks.filter((task) => task.notDrawn).length;
  return reservations.flatMap((reservation) => {
    const { key, per, amount, expires } = reservation;
    const given = expectedIn(reservation, tasks.length);
    const change = {
      request: -amount,
      picture: -(notDrawn * amount) / tasks.length,
      credit: toThousandths(sum(tasks.map((task) => creditsOf(task, given))) - amount),
    }[per];
    return change === 0 ? [] : [{ key, amount: change, ttl: Math.max(1, expires - now) }];
  });
}

/** Where nobody knows what a picture cost, it is the price at which it was accepted, or what was expected. */
const creditsOf = (
  { notDrawn, cost, mayHaveCost }: SettledTask,
  given: ReturnType<typeof expectedIn>,
): number => (notDrawn ? 0 : countedCost(cost ?? mayHaveCost ?? given.expected, given));

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
