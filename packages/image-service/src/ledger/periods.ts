import { DAY_MS, HOUR_MS } from '@darkroom/time';

/** How long a period is, in milliseconds. They begin with every hour and day of UTC. */
export const PERIODS_MS = { hour: HOUR_MS, day: DAY_MS } as const;
export type Period = keyof typeof PERIODS_MS;
