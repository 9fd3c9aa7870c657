import { blend, type Oklch } from './colour.ts';
import type { Mood } from './lexicon/conditions.ts';
import type { Sky } from './skies.ts';

/** What a mood does to each colour of a sky. */
export const MOODS: Record<Mood, (colour: Oklch, name: keyof Sky) => Oklch> = {
  calm: ([l, c, h]) => [l, c * 0.9, h],
  dark: ([l, c, h], name) => [name === 'glow' ? l : l * 0.78, c * 0.9, h],
  spooky: ([l, c, h], name) => blend([name === 'glow' ? l : l * 0.8, c, h], [l * 0.8, 0.11, 150], 0.45),
  cheerful: ([l, c, h]) => [Math.min(0.98, l * 1.03), c * 1.2, h],
  dreamy: ([l, c, h]) => blend([Math.min(0.98, l + 0.03), c, h], [l, 0.11, 325], 0.4),
  epic: ([l, c, h], name) => [name === 'zenith' || name === 'land' ? l * 0.88 : l, c * 1.15, h],
  cozy: ([l, c, h]) => blend([l, c, h], [l, 0.1, 60], 0.25),
  cold: ([l, c, h]) => blend([l, c, h], [l, 0.07, 240], 0.5),
  pastel: ([l, c, h]) => [0.45 + l * 0.54, c * 0.7, h],
  vintage: ([l, c, h]) => blend([0.08 + l * 0.86, c * 0.55, h], [l, 0.06, 75], 0.4),
  electric: ([l, c, h], name) =>
    blend(
      [l, c, h],
      [name === 'zenith' ? 0.2 : l, 0.2, name === 'horizon' || name === 'glow' ? 350 : 285],
      0.65,
    ),
  plain: ([l, c, h]) => [l, c * 0.06, h],
  colourless: ([l, , h]) => [l, 0, h],
};
