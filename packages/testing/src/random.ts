import { createHash } from 'node:crypto';

export type Random = ReturnType<typeof createRandom>;

/** A stream of numbers for each concern: drawing from one changes nothing in another. */
export type Streams = (...concern: readonly (string | number)[]) => Random;

export function createStreams(seed: number): Streams {
  const streams = new Map<string, Random>();
  return (...concern) => {
    const name = [seed, ...concern].join('/');
    const stream =
      streams.get(name) ?? createRandom(createHash('sha256').update(name).digest().readUInt32LE());
    streams.set(name, stream);
    return stream;
  };
}

/** Pseudo-random numbers that follow from a seed: Mulberry32 by Tommy Ettinger, in the public domain. */
function createRandom(seed: number) {
  let state = seed;
  /** In [0, 1). */
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  /** Whole, from `min` to `max`, both included. */
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    between,
    chance: (probability: number): boolean => next() < probability,
    pick: <Item>(items: readonly [Item, ...Item[]]): Item => items[between(0, items.length - 1)] ?? items[0],
  };
}
