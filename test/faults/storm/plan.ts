import { createHash } from 'node:crypto';
import { type Act, drawActs } from './acts.ts';
import { DISCORD_ODDS, SERVICE_ODDS } from './odds.ts';
import { createStreams, type Random } from './random.ts';
import { drawWeather, type Weather } from './weather.ts';

const MINUTE = 60_000;

/** One life of the bot, from its beginning to its end. */
export interface Life {
  /** Whether its moments count from when it is ready, not from its beginning. */
  awaited: boolean;
  /** Real milliseconds. */
  lastsMs: number;
  acts: readonly Moment<Act>[];
  weather: readonly Moment<Weather>[];
  /** How far time leaps before its end, and while nobody lives; in milliseconds of the storm's clock. */
  leapMs: number;
  leapAfterMs: number;
  /** SIGTERM only where it is awaited. */
  end: 'SIGKILL' | 'SIGTERM';
}

/** What happens how many real milliseconds into a life. */
export interface Moment<What> {
  atMs: number;
  what: What;
}

/** All that a seed decides. */
export interface Plan {
  seed: number;
  /** Whether the image service honours `Idempotency-Key`. */
  idempotent: boolean;
  lives: readonly Life[];
  /** The same for the same plan, whatever the machine. */
  digest: string;
}

export function drawPlan({ seed, kills }: { seed: number; kills: number }): Plan {
  const streams = createStreams(seed);
  const idempotent = streams('idempotent').chance(0.5);
  const lives = Array.from({ length: kills }, (_, index): Life => {
    const life = drawLife(streams('life', index));
    const moments = <What>(concern: string, draw: (random: Random) => readonly What[]) => {
      const random = streams(concern, index);
      return draw(random).map((what) => ({ atMs: random.between(0, life.lastsMs), what }));
    };
    return {
      ...life,
      acts: moments('acts', (random) => drawActs(random, index)),
      weather: moments('weather', drawWeather),
    };
  });
  const digest = createHash('sha256')
    .update(JSON.stringify({ seed, idempotent, lives, DISCORD_ODDS, SERVICE_ODDS }))
    .digest('hex')
    .slice(0, 16);
  return { seed, idempotent, lives, digest };
}

function drawLife(random: Random): Omit<Life, 'acts' | 'weather'> {
  const awaited = random.chance(0.85);
  const orderly = random.chance(0.15);
  return {
    awaited,
    lastsMs: awaited ? random.between(100, 2_600) : random.between(0, 400),
    leapMs: random.chance(0.08) ? random.between(1, 16) * MINUTE : 0,
    leapAfterMs: random.chance(0.05) ? random.between(1, 40) * MINUTE : 0,
    end: awaited && orderly ? 'SIGTERM' : 'SIGKILL',
  };
}
