import { gradient, type Oklch } from '../colour.ts';
import { COLOURS } from '../lexicon/colours.ts';
import type { Mood } from '../lexicon/conditions.ts';
import { between } from '../random.ts';
import type { Scene } from '../scene.ts';

/** From the ground to the accents. */
type Hues = readonly [Oklch, Oklch, ...Oklch[]];

const LIVELY: Partial<Record<Mood, number>> = {
  calm: 0.1,
  plain: 0.2,
  pastel: 0.25,
  cozy: 0.3,
  dreamy: 0.35,
  cold: 0.4,
  spooky: 0.7,
  cheerful: 0.75,
  epic: 0.9,
  electric: 0.95,
};
const WEATHERED = { clear: 0, cloudy: 0, fog: -0.2, snow: -0.1, rain: 0.1, storm: 0.4 } as const;

/** What shapes without a subject are made of, the mood of a text: `energy`, how much moves, from 0 to 1. */
export function tonesOf(scene: Scene) {
  const { moods, weather, streams } = scene;
  const random = streams('tones');
  const said = moods.flatMap((mood) => LIVELY[mood] ?? []);
  const own = between(random, 0.3, 0.75);
  const mean = said.length > 0 ? said.reduce((sum, value) => sum + value, 0) / said.length : own;
  const energy = Math.min(1, Math.max(0, mean + WEATHERED[weather]));
  const turn = between(random, 18, 55) * (random() < 0.5 ? -1 : 1);
  const hues = huesOf(scene, turn);
  return { hues, tone: gradient(hues.map((hue, index) => [index / (hues.length - 1), hue])), energy };
}

/** Those that were asked for where some were. */
function huesOf({ palette, colours }: Scene, turn: number): Hues {
  const [first, second, ...others] = colours.map((name): Oklch => COLOURS[name]);
  if (first && second) return [first, second, ...others];
  if (first) return [first, [Math.min(0.92, first[0] + 0.22), first[1] * 0.75, first[2] + turn * 0.5]];
  const vivid = ([l, c, h]: Oklch, by: number): Oklch => [
    Math.min(0.94, Math.max(0.3, l)),
    c < 0.03 ? c : Math.min(0.2, c * 1.25 + 0.02),
    h + by,
  ];
  const { zenith, middle, horizon, glow, haze } = palette;
  return [
    vivid(zenith, 0),
    vivid(middle, turn * 0.4),
    vivid(haze, turn),
    vivid(horizon, 0),
    vivid(glow, turn * 0.3),
  ];
}
