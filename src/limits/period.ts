/** An hour, a day or a month of the calendar in UTC. */
export type Period = 'hour' | 'day' | 'month';

/** Of `2026-11-22T08:30`, as many characters as name the period. */
const LENGTH: Readonly<Record<Period, number>> = { hour: 13, day: 10, month: 7 };

/** The period of `now`: its name, which begins with no other one's, and when it ends. Milliseconds since the epoch. */
export function periodAt(period: Period, now: number): { name: string; endsAt: number } {
  const date = new Date(now);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  const endsAt = {
    hour: Date.UTC(year, month, day, date.getUTCHours() + 1),
    day: Date.UTC(year, month, day + 1),
    month: Date.UTC(year, month + 1),
  }[period];
  return { name: `${period}:${date.toISOString().slice(0, LENGTH[period])}`, endsAt };
}
