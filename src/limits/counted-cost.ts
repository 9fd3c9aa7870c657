import type { Reservation } from './reservation.ts';

/** What a request of unknown cost is counted with: enough that nothing passes a budget that is used up. */
export const LEAST_COST = 0.001;

/** The most that one picture is taken to cost, in credits: as much as any budget can be. */
export const MOST_COST = 1_000_000;

/** So many times what the last picture like it has cost is believed. */
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
