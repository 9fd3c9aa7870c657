import { DAY_MS } from '@darkroom/time';

/** The number of a day in UTC, as it is stored: days since the epoch. */
export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);
/** `2030-12-31` */
export const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
