import { toThousandths } from '@darkroom/image-api/contract';
import type { Take } from '../storage/counters.ts';
import { countedCost, expectedIn } from './counted-cost.ts';
import type { Reservation } from './reservation.ts';

/** What has become of one picture that was asked for. */
interface SettledTask {
  /** Whether it is certain that none was drawn. */
  notDrawn: boolean;
  /** What it cost, in credits, where the image service has said so. */
  cost?: number | undefined;
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

/** Where nobody knows what a picture cost, it is what was expected. */
const creditsOf = ({ notDrawn, cost }: SettledTask, given: ReturnType<typeof expectedIn>): number =>
  notDrawn ? 0 : countedCost(cost ?? given.expected, given);

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
