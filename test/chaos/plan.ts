import { createHash } from 'node:crypto';
import { createStreams, type Random } from '@darkroom/testing';
import { MINUTE_MS } from '@darkroom/time';
import { drawActions, type UserAction } from './actions.ts';
import { type Disruption, drawDisruptions } from './disruptions.ts';
import { DISCORD_FAULTS, SERVICE_FAULTS } from './faults.ts';

/** The run of one bot process. */
interface Lifetime {
  /** Whether time counts from when the bot is ready, not from when it is started. */
  awaited: boolean;
  /** Real milliseconds. */
  lastsMs: number;
  actions: readonly Scheduled<UserAction>[];
  disruptions: readonly Scheduled<Disruption>[];
  /**
   * Whether it is the first with a new secret; in real milliseconds, when everything is sealed anew. Only where it
   * runs alone.
   */
  sealedAnewAtMs: number | undefined;
  /** How far the clock is advanced before its end, and between it and the next; in milliseconds of that clock. */
  advanceMs: number;
  advanceAfterMs: number;
  /** SIGTERM only where `awaited`. */
  end: 'SIGKILL' | 'SIGTERM';
}

/** `atMs`: real milliseconds after the lifetime began. */
interface Scheduled<Event> {
  atMs: number;
  event: Event;
}

/** Everything that a seed decides. */
interface Plan {
  seed: number;
  /** Whether the image service supports `Idempotency-Key`. */
  idempotent: boolean;
  lifetimes: readonly Lifetime[];
  /** A hash of the plan, the same on every machine. */
  digest: string;
}

/** How much longer a process lives where there are several: until it has its share, and a while after that. */
const SHARING = 3;

export function drawPlan({
  seed,
  kills,
  processes = 1,
  rolling = false,
}: {
  seed: number;
  kills: number;
  processes?: number;
  /** Whether every process is stopped in good order, and none is killed. */
  rolling?: boolean;
}): Plan {
  const streams = createStreams(seed);
  const idempotent = streams('idempotent').chance(0.5);
  const lifetimes = Array.from({ length: kills }, (_, index): Lifetime => {
    const drawn = drawLifetime(streams('lifetime', index), rolling);
    const lifetime = processes > 1 ? { ...drawn, lastsMs: SHARING * drawn.lastsMs } : drawn;
    const schedule = <Event>(concern: string, draw: (random: Random) => readonly Event[]) => {
      const random = streams(concern, index);
      return draw(random).map((event) => ({ atMs: random.between(0, lifetime.lastsMs), event }));
    };
    const rotation = streams('rotation', index);
    return {
      ...lifetime,
      sealedAnewAtMs:
        processes === 1 && rotation.chance(0.25) ? rotation.between(0, lifetime.lastsMs) : undefined,
      actions: schedule('actions', (random) => drawActions(random, index)),
      disruptions: schedule('disruptions', drawDisruptions),
    };
  });
  const digest = createHash('sha256')
    .update(JSON.stringify({ seed, idempotent, lifetimes, DISCORD_FAULTS, SERVICE_FAULTS }))
    .digest('hex')
    .slice(0, 16);
  return { seed, idempotent, lifetimes, digest };
}

function drawLifetime(
  random: Random,
  rolling: boolean,
): Omit<Lifetime, 'actions' | 'disruptions' | 'sealedAnewAtMs'> {
  const awaited = random.chance(0.85) || rolling;
  const stopped = random.chance(0.15) || rolling;
  return {
    awaited,
    lastsMs: awaited ? random.between(100, 2_600) : random.between(0, 400),
    advanceMs: random.chance(0.08) ? random.between(1, 16) * MINUTE_MS : 0,
    advanceAfterMs: random.chance(0.05) ? random.between(1, 40) * MINUTE_MS : 0,
    end: awaited && stopped ? 'SIGTERM' : 'SIGKILL',
  };
}
