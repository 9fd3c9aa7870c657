import type { Store } from '../storage/store.ts';
import type { LimitSet } from './limit-set.ts';
import type { LimitedRequest, Limits } from './limits.ts';
import type { LimitedReservation } from './reservation.ts';

/** How many pictures may still be asked for, until when that holds. */
export interface Allowance {
  left: number;
  /** Milliseconds since the epoch. */
  endsAt: number;
}

/** The least that is left of the limits that a request would have to keep; undefined where nothing limits it. */
export async function allowanceOf(
  request: Omit<LimitedRequest, 'count'>,
  guild: LimitSet,
  { limits, store }: { limits: Pick<Limits, 'reservationsOf'>; store: Pick<Store, 'counted'> },
): Promise<Allowance | undefined> {
  const reservations = limits.reservationsOf({ ...request, count: 1 }, guild).filter(isOfPictures);
  const used = await store.counted(reservations.map(({ key }) => key));
  const allowances = reservations.map(({ limit, endsAt }, nth) => ({
    left: Math.max(0, limit - (used[nth] ?? 0)),
    endsAt,
  }));
  return allowances.toSorted((one, other) => one.left - other.left || other.endsAt - one.endsAt)[0];
}

const isOfPictures = (
  reservation: LimitedReservation,
): reservation is LimitedReservation & { endsAt: number } =>
  reservation.per === 'picture' && reservation.endsAt !== undefined;
