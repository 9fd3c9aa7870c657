export { createFakeClock, type FakeClock } from './fake-clock.ts';
export { type ClockOrigin, createFastClock, type FastClock } from './fast-clock.ts';
