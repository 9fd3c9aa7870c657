export { backoffMs } from './backoff.ts';
export { type Clock, refdClock, systemClock } from './clock.ts';
export { type RetryOptions, type RetryPolicy, retry, retryWaitMs } from './retry.ts';
export { isTimeout, raceAbort, type TimeoutOptions, withTimeout } from './timeout.ts';
export { createTimetable, type Timetable } from './timetable.ts';
export { createWakeableSleep, type WakeableSleep } from './wakeable-sleep.ts';
