import { createHash } from 'node:crypto';

/** Pseudo-random numbers that follow from a seed. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** Whole, from `min` to `max`, both included. */
  between(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
}

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

/** Mulberry32 by Tommy Ettinger, in the public domain. */
function createRandom(seed: number): Random {
  let state = seed;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: (items) => items[between(0, items.length - 1)] ?? items[0],
  };
}
