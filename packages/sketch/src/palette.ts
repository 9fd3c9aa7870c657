import { blend, lit, mix, type Oklch, type Rgb, rgb } from './colour.ts';
import { COLOURS, type ColourName } from './lexicon/colours.ts';
import type { Mood, Season, Time, Weather } from './lexicon/conditions.ts';
import type { Place } from './lexicon/places.ts';
import { MOODS } from './moods.ts';
import { between, pick, type Random } from './random.ts';
import { LIGHTS, MARTIAN, type Palette, SKIES, type Sky } from './skies.ts';

const LAND_IN: Record<Season, Oklch | undefined> = {
  spring: [0.6, 0.14, 135],
  summer: undefined,
  autumn: [0.55, 0.13, 52],
  winter: [0.86, 0.02, 250],
};

/** Inside, day and night. */
const LAMP: Rgb = [1, 0.92, 0.8];

const each = (palette: Palette, change: (colour: Oklch, name: keyof Sky) => Oklch): Palette => ({
  zenith: change(palette.zenith, 'zenith'),
  middle: change(palette.middle, 'middle'),
  horizon: change(palette.horizon, 'horizon'),
  glow: change(palette.glow, 'glow'),
  haze: change(palette.haze, 'haze'),
  land: change(palette.land, 'land'),
  light: palette.light,
});

const DULL: Record<Weather, { chroma: number; lightness: number; cover: number }> = {
  clear: { chroma: 1, lightness: 0, cover: 0 },
  cloudy: { chroma: 0.75, lightness: -0.02, cover: 0.35 },
  rain: { chroma: 0.6, lightness: -0.08, cover: 0.6 },
  storm: { chroma: 0.7, lightness: -0.16, cover: 0.6 },
  snow: { chroma: 0.6, lightness: 0.02, cover: 0.35 },
  fog: { chroma: 0.45, lightness: -0.02, cover: 0.55 },
};

interface PaletteWish {
  place: Place;
  time: Time;
  weather: Weather;
  season: Season;
  moods: readonly Mood[];
  colours: readonly ColourName[];
  /** Degrees by which words without a meaning turn every hue. */
  turn: number;
}

/** The colours of a scene: a sky of its time, changed by weather, season, moods and the colours that were named. */
export function createPalette(wish: PaletteWish, random: Random): Palette {
  const base = pick(random, SKIES[wish.time]);
  const drift = between(random, -9, 9) + wish.turn;
  const dull = DULL[wish.weather];
  const indoors = wish.place === 'table' ? 0.7 : 0;
  let palette: Palette = { ...base, light: mix(LIGHTS[wish.time], LAMP, indoors) };
  palette = each(palette, ([l, c, h], name) =>
    name === 'glow' ? [l, c, h + drift / 2] : [l + dull.lightness * (l - 0.1), c * dull.chroma, h + drift],
  );
  if (wish.place === 'mars') {
    // The dust lies low at night and leaves the sky to the stars.
    const dusty = (name: keyof Sky) => wish.time !== 'night' || name === 'land' || name === 'haze';
    palette = each(palette, (colour, name) =>
      dusty(name) ? blend(colour, [colour[0], ...MARTIAN[name]], 0.9) : colour,
    );
  }
  const veil = blend(palette.middle, palette.haze, 0.5);
  palette = {
    ...palette,
    zenith: blend(palette.zenith, [veil[0] * 0.9, veil[1] * 0.7, veil[2]], dull.cover),
    horizon: blend(palette.horizon, [veil[0], 0.02, veil[2]], dull.cover * 0.6),
    light: lit(palette.light, mix([1, 1, 1], [0.82, 0.86, 0.92], dull.cover)),
  };
  const seasonal = LAND_IN[wish.season];
  if (seasonal) {
    const share = wish.season === 'winter' ? 0.35 : 0.45;
    palette = {
      ...palette,
      land: blend(palette.land, [palette.land[0] * 1.1, seasonal[1], seasonal[2]], share),
    };
  }
  for (const mood of wish.moods) palette = each(palette, MOODS[mood]);
  return coloured(palette, wish.colours);
}

/** Asked-for colours take over the sky: the first from above, the second from the horizon. */
function coloured(palette: Palette, names: readonly ColourName[]): Palette {
  const first = names[0] && COLOURS[names[0]];
  if (!first) return palette;
  const second = (names[1] && COLOURS[names[1]]) ?? first;
  const towards = (colour: Oklch, wish: Oklch, share: number): Oklch => {
    const aim: Oklch = [colour[0] + (wish[0] - colour[0]) * 0.35, Math.max(wish[1] * 0.9, 0.01), wish[2]];
    return blend(colour, aim, share);
  };
  return {
    ...palette,
    zenith: towards(palette.zenith, first, 0.85),
    middle: towards(palette.middle, first, 0.7),
    horizon: towards(palette.horizon, second, 0.75),
    haze: towards(palette.haze, second, 0.65),
    land: towards(palette.land, first, 0.4),
    glow: towards(palette.glow, second, 0.3),
  };
}

/** The colour of land that lies `distance` (0 near, 1 at the horizon) away. */
export function distant(palette: Palette, surface: Oklch, distance: number): Rgb {
  return mix(lit(rgb(surface), palette.light), rgb(palette.haze), distance);
}
