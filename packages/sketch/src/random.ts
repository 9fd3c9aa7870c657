import { createHash } from 'node:crypto';

/** Numbers in [0, 1) that follow from where the stream began. */
export type Random = () => number;

/** Opens the stream of that name, from its beginning each time, so that one element never shifts another's. */
export type Streams = (name: string) => Random;

/** Streams that follow from `material` alone. */
export function createStreams(material: string): Streams {
  return (name) => {
    const digest = createHash('sha256').update(`${name}\n${material}`).digest();
    return sfc32(
      digest.readUInt32LE(0),
      digest.readUInt32LE(4),
      digest.readUInt32LE(8),
      digest.readUInt32LE(12),
    );
  };
}

/** What another variation changes, by the first word of a stream's name; what is where stays. */
const VARIED: ReadonlySet<string | undefined> = new Set(
  'light palette actor rider clouds puffs stars aurora flock tones'.split(' '),
);

/** The streams of `material`, with those that another `variation` changes taken from both. 0: of `material` alone. */
export function createVariedStreams(material: string, variation: number): Streams {
  const kept = createStreams(material);
  const varied = variation === 0 ? kept : createStreams(`${material}\n${variation}`);
  return (name) => (VARIED.has(name.split(' ')[0]) ? varied : kept)(name);
}

/** Chris Doty-Humphrey's Small Fast Counting generator, 32 bit. */
function sfc32(seedA: number, seedB: number, seedC: number, counter: number): Random {
  let a = seedA;
  let b = seedB;
  let c = seedC;
  let d = counter;
  return () => {
    const sum = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return (sum >>> 0) / 4_294_967_296;
  };
}

export function between(random: Random, low: number, high: number): number {
  return low + (high - low) * random();
}

export function pick<const C extends readonly [unknown, ...unknown[]]>(
  random: Random,
  choices: C,
): C[number] {
  return choices[Math.floor(random() * choices.length)] ?? choices[0];
}

export function chance(random: Random, probability: number): boolean {
  return random() < probability;
}
