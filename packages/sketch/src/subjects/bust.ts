import type { Oklch } from '../colour.ts';
import type { Trait } from '../lexicon/traits.ts';
import { chance, pick, type Random } from '../random.ts';
import { type Features, face } from './face.ts';
import { type Draw, fill, type Likeness, line, oval, pair, type Shades, shades, WHITE } from './figure.ts';
import {
  BOB,
  BUN,
  CROPPED,
  CURLS,
  type Hairdo,
  LONG,
  MIDDLE,
  PLAIT,
  RECEDED,
  SHAVEN,
  TOUSLED,
} from './hairdos.ts';

const BLACK: Oklch = [0.27, 0.02, 280];
const BROWN: Oklch = [0.33, 0.045, 42];
const CHESTNUT: Oklch = [0.44, 0.08, 46];

/** Skins, each with the hair that is seen with it. */
const COMPLEXIONS = [
  { skin: [0.87, 0.05, 62], hairs: [CHESTNUT, [0.76, 0.11, 80], [0.54, 0.14, 42], BROWN] },
  { skin: [0.82, 0.065, 60], hairs: [CHESTNUT, BROWN, [0.68, 0.1, 75], BLACK] },
  { skin: [0.74, 0.075, 58], hairs: [BROWN, BLACK, CHESTNUT] },
  { skin: [0.62, 0.078, 54], hairs: [BLACK, BROWN] },
  { skin: [0.49, 0.065, 48], hairs: [BLACK, BROWN] },
] as const satisfies readonly { skin: Oklch; hairs: readonly [Oklch, ...Oklch[]] }[];
const EYES: readonly [Oklch, ...Oklch[]] = [
  [0.45, 0.08, 55],
  [0.6, 0.1, 240],
  [0.58, 0.09, 150],
  [0.5, 0.06, 80],
];
const CLOTHES: readonly [Oklch, ...Oklch[]] = [
  [0.5, 0.14, 28],
  [0.46, 0.1, 255],
  [0.74, 0.13, 78],
  [0.5, 0.09, 165],
  [0.44, 0.1, 320],
  [0.88, 0.03, 85],
];
/** Hair as it grows, for the colours that a word gives too boldly. */
const NATURAL: readonly (readonly [hue: number, grown: Oklch])[] = [
  [27, [0.53, 0.15, 38]],
  [85, [0.78, 0.12, 82]],
  [100, [0.82, 0.12, 90]],
  [52, [0.6, 0.14, 50]],
];

/** A portrait: head and shoulders, the lower edge left to the picture. */
export const bust: Draw = (random, coat, likeness) => {
  const { traits } = likeness;
  const female =
    traits.has('female') || (!traits.has('male') && !traits.has('bearded') && chance(random, 0.5));
  const old = traits.has('old');
  const young = traits.has('young') && !old;
  const complexion = pick(random, COMPLEXIONS);
  const skin = shades(complexion.skin);
  const hair = shades(hairOf(likeness, old, pick(random, complexion.hairs), random));
  const features: Features = {
    skin,
    blush: complexion.skin[0] > 0.65 ? 0.24 : 0.12,
    hair,
    female,
    old,
    young,
    eyes: likeness.eyes ?? pick(random, EYES),
    bearded: !female && !young && (traits.has('bearded') || chance(random, old ? 0.65 : 0.35)),
    spectacled: traits.has('spectacled') || (old && chance(random, 0.45)),
    freckled: traits.has('freckled') || (!old && chance(random, young ? 0.6 : 0.3)),
  };
  const hairdo = hairdoOf(features, traits.has('bald'), random);
  return {
    body:
      hairdo.back(hair) +
      fill(skin.dark, 'M41.4 54H58.6C58.4 66 59.6 72 64 77L50 90L36 77C40.4 72 41.6 66 41.4 54Z') +
      fill(
        skin.base,
        'M41.4 62C45 67.6 53 68.6 57.4 66C57.8 71 59 74 62 76L50 88L36.6 77C40.4 73 41.4 68 41.4 62Z',
      ) +
      `<g transform="translate(0 -3)">${clothes(shades(coat ?? pick(random, CLOTHES)), random)}</g>` +
      face(features) +
      hairdo.front(hair) +
      (traits.has('royal') ? crown() : ''),
  };
};

/** In a pointed hat; old and bearded, where it is no witch. */
export const wizardBust: Draw = (random, coat, likeness) => {
  const tones = shades(coat ?? [0.42, 0.13, 285]);
  const own: readonly Trait[] = likeness.traits.has('female') ? [] : ['male', 'old', 'bearded'];
  const traits = new Set([...likeness.traits, ...own]);
  const { body } = bust(random, coat ?? [0.42, 0.13, 285], { ...likeness, traits });
  const hat =
    fill(tones.dark, 'M14 22C26 15 74 15 86 22C78 30 62 27 50 27C38 27 22 30 14 22Z') +
    fill(
      tones.base,
      'M29 20C35 8 42 -6 54 -13C62 -17 72 -14 76 -6C69 -8 64 -6 63 -1C63 7 67 14 71 20C60 25 40 25 29 20Z',
    ) +
    fill(
      tones.dark,
      'M57 23C60 10 58 -4 63 -14C70 -15 74 -11 76 -6C69 -8 64 -6 63 -1C63 7 67 14 71 20C67 22 62 23 57 23Z',
      'opacity="0.6"',
    ) +
    fill('#e8b64c', 'M31.6 15C42 19.6 58 19.6 68.6 15L71 20C60 25 40 25 29 20Z') +
    line(tones.dark, 0.8, 'M29 20C40 25 60 25 71 20');
  return { body: `<g transform="translate(4 12) scale(0.92)">${body}${hat}</g>` };
};

function hairOf({ hair, traits }: Likeness, old: boolean, born: Oklch, random: Random): Oklch {
  const usual = old
    ? pick(random, [
        [0.88, 0.01, 260],
        [0.76, 0.012, 250],
        [0.94, 0.01, 90],
      ] as const)
    : born;
  if (!hair) return usual;
  return (traits.has('old') ? undefined : NATURAL.find(([hue]) => hue === hair[2])?.[1]) ?? hair;
}

function hairdoOf({ female, old, young }: Features, bald: boolean, random: Random): Hairdo {
  if (bald) return old ? RECEDED : SHAVEN;
  if (female && old) return pick(random, [BUN, BOB, BUN]);
  if (female && young) return pick(random, [PLAIT, BOB, LONG]);
  if (female) return pick(random, [LONG, MIDDLE, BOB, CURLS, BUN, LONG]);
  if (old) return pick(random, [RECEDED, CROPPED, RECEDED]);
  return pick(random, [CROPPED, TOUSLED, CROPPED]);
}

function clothes(cloth: Shades, random: Random): string {
  const shoulders =
    'M3 122C4 94 16 83 35 78C40 76.4 41.4 75 42 73L50 83L58 73C58.6 75 60 76.4 65 78C84 83 96 94 97 122Z';
  const shade = 'M62 79C67 88 67 106 65 122H97C96 94 84 83 65 78Z';
  const trim = pick(random, ['collar', 'scarf', 'shirt'] as const);
  const over = {
    collar: fill(
      cloth.light,
      'M37 75C40 82 46 88 50 89C54 88 60 82 63 75L66.4 79C62 88 55 93.4 50 94C45 93.4 38 88 33.6 79Z',
    ),
    scarf:
      fill(cloth.light, 'M34 74C40 80 60 80 66 74C69 78 69 84 66 87C58 92 42 92 34 87C31 84 31 78 34 74Z') +
      line(cloth.dark, 1, 'M35 79C42 84 58 84 65 79M35 83.6C42 88 58 88 65 83.6') +
      fill(cloth.light, 'M56 87C60 94 60 106 58 122H70C70 106 68 92 64 86Z'),
    shirt:
      fill(WHITE, 'M40 75L50 96L60 75L50 86Z') +
      pair(fill(WHITE, 'M40.4 73L34.6 78.6L43 89L50 84Z') + line('#d8d0c6', 0.8, 'M34.6 78.6L43 89L50 84')),
  }[trim];
  return (
    fill(cloth.base, shoulders) +
    fill(cloth.dark, shade, 'opacity="0.6"') +
    line(cloth.dark, 1.1, 'M20 122C22 108 22 101 20 94M80 122C78 108 78 101 80 94') +
    over
  );
}

function crown(): string {
  return (
    fill('#e6b23f', 'M32.4 18L29.6 2L40 10L50 -1L60 10L70.4 2L67.6 18C58 13.4 42 13.4 32.4 18Z') +
    fill('#c48f2a', 'M32.4 18C42 13.4 58 13.4 67.6 18L67 21.6C58 17 42 17 33 21.6Z') +
    oval('#c8434b', 50, 11.4, 2.2, 2.6) +
    pair(oval('#3f7fc0', 39.6, 13.2, 1.6, 2) + oval('#f6dc8c', 29.6, 1.6, 1.6)) +
    oval('#f6dc8c', 50, -1.4, 1.8)
  );
}
