import type { Oklch, Rgb } from './colour.ts';
import type { Time } from './lexicon/conditions.ts';

/** The colours that hold one picture together. */
export interface Palette {
  zenith: Oklch;
  middle: Oklch;
  horizon: Oklch;
  /** Sun or moon and its bloom. */
  glow: Oklch;
  /** What distance turns into. */
  haze: Oklch;
  /** The nearest, darkest land. */
  land: Oklch;
  /** Falls on everything that is not itself a light. */
  light: Rgb;
}

export type Sky = Omit<Palette, 'light'>;

export const SKIES: Record<Time, readonly [Sky, ...Sky[]]> = {
  dawn: [
    sky(
      [0.58, 0.1, 275],
      [0.78, 0.09, 350],
      [0.93, 0.08, 70],
      [0.98, 0.07, 85],
      [0.85, 0.06, 40],
      [0.33, 0.06, 285],
    ),
    sky(
      [0.66, 0.08, 235],
      [0.85, 0.06, 60],
      [0.94, 0.07, 80],
      [0.99, 0.06, 90],
      [0.88, 0.05, 60],
      [0.36, 0.06, 220],
    ),
    sky(
      [0.55, 0.09, 300],
      [0.77, 0.11, 10],
      [0.92, 0.09, 50],
      [0.98, 0.07, 70],
      [0.84, 0.08, 20],
      [0.31, 0.07, 310],
    ),
  ],
  day: [
    sky(
      [0.58, 0.13, 252],
      [0.75, 0.1, 238],
      [0.93, 0.04, 215],
      [0.99, 0.04, 100],
      [0.87, 0.05, 230],
      [0.44, 0.1, 150],
    ),
    sky(
      [0.62, 0.11, 235],
      [0.8, 0.08, 220],
      [0.95, 0.04, 150],
      [0.99, 0.05, 105],
      [0.89, 0.04, 200],
      [0.42, 0.09, 165],
    ),
    sky(
      [0.65, 0.12, 245],
      [0.82, 0.07, 230],
      [0.95, 0.05, 85],
      [0.99, 0.05, 95],
      [0.9, 0.04, 90],
      [0.43, 0.09, 135],
    ),
  ],
  golden: [
    sky(
      [0.6, 0.09, 245],
      [0.82, 0.07, 85],
      [0.92, 0.12, 82],
      [0.99, 0.09, 95],
      [0.88, 0.1, 78],
      [0.36, 0.07, 95],
    ),
    sky(
      [0.66, 0.09, 200],
      [0.86, 0.09, 90],
      [0.91, 0.14, 75],
      [0.99, 0.09, 95],
      [0.87, 0.11, 70],
      [0.34, 0.07, 60],
    ),
  ],
  sunset: [
    sky(
      [0.34, 0.13, 290],
      [0.6, 0.19, 10],
      [0.85, 0.16, 65],
      [0.97, 0.12, 88],
      [0.72, 0.15, 38],
      [0.21, 0.08, 315],
    ),
    sky(
      [0.44, 0.09, 235],
      [0.72, 0.1, 50],
      [0.84, 0.17, 58],
      [0.97, 0.13, 85],
      [0.76, 0.13, 50],
      [0.22, 0.06, 260],
    ),
    sky(
      [0.42, 0.15, 320],
      [0.68, 0.18, 20],
      [0.88, 0.14, 80],
      [0.98, 0.11, 92],
      [0.78, 0.14, 35],
      [0.24, 0.09, 345],
    ),
  ],
  dusk: [
    sky(
      [0.22, 0.09, 280],
      [0.42, 0.14, 305],
      [0.74, 0.14, 30],
      [0.94, 0.09, 75],
      [0.52, 0.12, 325],
      [0.15, 0.06, 285],
    ),
    sky(
      [0.25, 0.08, 250],
      [0.46, 0.09, 240],
      [0.78, 0.11, 65],
      [0.95, 0.09, 80],
      [0.52, 0.09, 250],
      [0.16, 0.05, 250],
    ),
  ],
  night: [
    sky(
      [0.15, 0.06, 272],
      [0.26, 0.1, 265],
      [0.45, 0.1, 245],
      [0.96, 0.04, 95],
      [0.4, 0.09, 250],
      [0.13, 0.04, 265],
    ),
    sky(
      [0.15, 0.07, 295],
      [0.27, 0.12, 290],
      [0.46, 0.12, 320],
      [0.96, 0.05, 80],
      [0.4, 0.1, 300],
      [0.13, 0.05, 290],
    ),
    sky(
      [0.16, 0.05, 230],
      [0.29, 0.08, 215],
      [0.5, 0.09, 190],
      [0.97, 0.04, 110],
      [0.42, 0.08, 205],
      [0.13, 0.035, 220],
    ),
  ],
};

/** Chroma and hue of the dusty air of Mars: butterscotch above, pale and bluish only around the sun. */
export const MARTIAN: Record<keyof Sky, readonly [chroma: number, hue: number]> = {
  zenith: [0.07, 45],
  middle: [0.07, 55],
  horizon: [0.075, 68],
  glow: [0.03, 220],
  haze: [0.085, 50],
  land: [0.1, 35],
};

/** By what daylight colours are multiplied at each time. */
export const LIGHTS: Record<Time, Rgb> = {
  dawn: [1, 0.9, 0.88],
  day: [1, 1, 1],
  golden: [1.06, 0.94, 0.78],
  sunset: [0.94, 0.7, 0.66],
  dusk: [0.8, 0.66, 0.84],
  night: [0.45, 0.52, 0.76],
};

function sky(zenith: Oklch, middle: Oklch, horizon: Oklch, glow: Oklch, haze: Oklch, land: Oklch): Sky {
  return { zenith, middle, horizon, glow, haze, land };
}
