import { z } from 'zod';

/**
 * What a request has taken from one counter, as its job keeps it until its tasks have ended.
 * - `request` one for the request, until the job is over
 * - `picture` one for each picture, of which those that were not drawn are given back
 * - `credit` what each picture was expected to cost, until it is known
 */
export const reservation = z.object({
  key: z.string(),
  per: z.enum(['request', 'picture', 'credit']),
  amount: z.number(),
  /** What the counter may hold at most. Rows of earlier versions do not say. */
  limit: z.number().optional(),
  /** When its period ends, and the counter is forgotten, in milliseconds since the epoch. */
  expires: z.number(),
});
export type Reservation = z.output<typeof reservation>;

/** What is limited: a member, a server, or what a key that several members share pays for one of them, or for all. */
export type Limited = 'member' | 'guild' | 'share' | 'key';

export interface LimitedReservation extends Reservation {
  limited: Limited;
  limit: number;
}

/** Nothing was written and nothing taken, because one limit is reached. */
export class LimitReachedError extends Error {
  override readonly name = 'LimitReachedError';
  readonly reservation: LimitedReservation;

  constructor(reservation: LimitedReservation) {
    super(`the limit of ${reservation.limit} at ${reservation.key} is reached`);
    this.reservation = reservation;
  }
}
