import { z } from 'zod';

const count = z.int().min(1).max(1_000_000).optional();

/** How much may be asked for; what is left out is not limited. Hours, days and months are the calendar's, in UTC. */
export const limitSet = z.object({
  /** Requests of one member that are not over. */
  openRequests: count,
  /** Pictures of one member. */
  memberHour: count,
  memberDay: count,
  /** Pictures of one server. */
  guildHour: count,
  guildDay: count,
  /** Pictures that a shared key pays for. */
  keyDay: count,
  keyMonth: count,
  /** Credits that it pays, where the image service tells what a picture costs. */
  keyCreditsDay: count,
  keyCreditsMonth: count,
});
export const LIMIT_NAMES = limitSet.keyof().options;

export type LimitSet = z.output<typeof limitSet>;
