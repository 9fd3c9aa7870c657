import { type Clock, DAY_MS } from '@darkroom/time';

const DISCORD_EPOCH = 1_420_070_400_000;
const PER_MILLISECOND = 4096;
/** Ids below this have fewer than 17 digits. */
const EARLIEST = DISCORD_EPOCH + 30 * DAY_MS;

/** Ids that only grow, also where the clock stands still or is set back. */
export function createSnowflakes({ clock }: { clock: Clock }) {
  let millisecond = 0;
  let count = 0;

  return {
    next(): string {
      const now = Math.max(clock.now(), EARLIEST);
      if (now > millisecond) {
        millisecond = now;
        count = 0;
      } else if (++count === PER_MILLISECOND) {
        millisecond++;
        count = 0;
      }
      return String((BigInt(Math.floor(millisecond - DISCORD_EPOCH)) << 22n) | BigInt(count));
    },
    /** No id given from now on is smaller than `id`: for ids that come from an earlier process. */
    startAfter(id: string): void {
      millisecond = Math.max(millisecond, createdAt(id) + 1);
    },
  };
}

export type Snowflakes = ReturnType<typeof createSnowflakes>;

/** Milliseconds since the epoch at which `id` was made. */
export function createdAt(id: string): number {
  return Number(BigInt(id) >> 22n) + DISCORD_EPOCH;
}

/** Order of ids is order of time; ids of 17 to 19 digits do not compare as text. */
export function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

/** Whether a text can be an id: an unsigned number of 64 bits. */
export function isSnowflake(text: string): boolean {
  return /^\d{1,20}$/.test(text);
}
