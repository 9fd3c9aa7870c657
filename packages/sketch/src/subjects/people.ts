import { css, rgb } from '../colour.ts';
import { chance, pick } from '../random.ts';
import { box, type Draw, fill, INK, limb, line, oval, shades, WHITE } from './figure.ts';

const SKIN = ['#f0c7a4', '#c98f66', '#8a5a3e', '#e2ae86'] as const;
const HAIR = ['#3a2a2c', '#6d3f27', '#c98f4a', '#20202c'] as const;

/** Seen from the side; only who is on the way somewhere has a pack and a staff. */
export const person: Draw = (random, coat, likeness) => {
  const tones = shades(
    coat ??
      pick(random, [
        [0.55, 0.17, 30],
        [0.5, 0.12, 255],
        [0.72, 0.14, 80],
        [0.5, 0.09, 165],
      ] as const),
  );
  const skin = pick(random, SKIN);
  const { traits } = likeness;
  const grown = pick(random, HAIR);
  const grey = '#d9d6d4';
  const hair = likeness.hair ? css(rgb(likeness.hair)) : traits.has('old') ? grey : grown;
  const female = chance(random, traits.has('female') ? 1 : traits.has('male') ? 0 : 0.5);
  const walking = traits.has('walking');
  const young = traits.has('young') && !traits.has('old');
  const skirt = traits.has('female') && !walking;
  const leg = (x: number, sway: number, colour: string) =>
    fill(
      colour,
      limb([x, 60, skirt ? 3.4 : 4.6], [x + sway * 0.4, 78, skirt ? 2.6 : 3.6], [x + sway, 94, 2.3]),
    ) + fill('#4a3129', limb([x + sway, 94.5, 3], [x + sway - 4, 97.4, 2.4]));
  const sway = walking ? 1 : 0.3;
  const arm = walking
    ? limb([48, 31, 3.8], [44, 44, 3.2], [36, 53, 2.4])
    : limb([48, 31, 3.8], [46, 44, 3.2], [43, 55, 2.4]);
  const head =
    box(skin, 46.6, 18, 6, 8) +
    oval(skin, 48.4, 14, 6.6, 7.4) +
    fill(skin, 'M42.2 14L40.4 16.8L43 17.4Z') +
    oval(INK, 44.6, 13.6, 0.75, 0.95) +
    (traits.has('bearded') || (traits.has('old') && !female)
      ? fill(hair, 'M42.4 16.6C42 21 43 25.4 46.4 26.6C50 25 52.4 21.4 53 17.4C50 19.6 46 19 42.4 16.6Z')
      : '') +
    fill(
      hair,
      female
        ? 'M42.6 11C44 5 54 4.6 56.4 11C58 18 58 27 60 33C55 33 52 28 51.4 20C50 15 46 13 42.6 11Z'
        : 'M42.6 11C44 5 54 4.6 56.4 11C57 15 56 18.6 54.4 21C52.8 18 52 14.6 50 13.4C48 12.4 45 12 42.6 11Z',
    ) +
    (traits.has('royal')
      ? fill('#e6b23f', 'M42 9.6L41 1.6L45.4 5.2L49.4 0L53.4 5.2L57.8 1.6L56.6 9.6C52 7.4 46.4 7.4 42 9.6Z')
      : '');
  const scarf =
    fill('#d24a3f', 'M43 23.6C48 26.6 54 26.4 57.4 23.6L58.6 27.6C53 30.6 46 30.4 42 27.6Z') +
    fill('#b93d36', limb([57, 26, 1.6], [64, 29, 2.4], [72, 27, 1.6], [78, 30, 0.5]));
  return {
    body:
      leg(53, 6 * sway, skirt ? skin : '#2c3350') +
      leg(48, -5 * sway, skirt ? skin : '#39426a') +
      (walking
        ? fill('#8a6136', 'M56 28C66 27 70 34 69 46C68 54 62 56 56 54Z') +
          fill('#a87a48', 'M57 42H69V52C66 55 60 55 57 53Z')
        : '') +
      fill(tones.base, 'M42 26C48 22 55 23 58 28C61 40 60 52 60 63C54 67 44 66 41 62C40 48 39 34 42 26Z') +
      fill(tones.dark, 'M52 24C58 25 59 30 60 40V63C57 65.4 55 65.6 52 65.6Z', 'opacity="0.55"') +
      (skirt
        ? fill(
            tones.base,
            'M41.4 50C45 47.4 55 47.4 60 50C63 60 66 70 67.4 80C59 84 42 84 34 80C36 70 38.6 60 41.4 50Z',
          ) +
          fill(
            tones.dark,
            'M52 49C56 48.6 58 49 60 50C63 60 66 70 67.4 80C63 82 58 82.8 53 83C54 71 54 60 52 49Z',
            'opacity="0.55"',
          )
        : '') +
      fill(tones.light, arm) +
      (walking
        ? oval(skin, 34.8, 54, 2.4) + line('#7a5a3c', 1.5, 'M33.6 40L31 98')
        : oval(skin, 42.6, 57, 2.3)) +
      (young ? `<g transform="translate(50 26) scale(1.3) translate(-50 -26)">${head}</g>` : head) +
      (walking ? scarf : ''),
  };
};

export const wizard: Draw = (_random, coat) => {
  const tones = shades(coat ?? [0.42, 0.13, 285]);
  return {
    body:
      line('#7a5436', 2.4, 'M24 24L28 99') +
      fill(tones.base, 'M42 36C50 32 58 34 62 40C68 58 72 80 74 99H30C32 78 36 54 42 36Z') +
      fill(tones.dark, 'M54 35C60 36 62 39 64 44C70 62 73 82 74 99H58C59 76 57 54 54 35Z') +
      fill(tones.light, limb([46, 44, 4.6], [36, 54, 4.4], [30, 56, 6])) +
      oval('#e2b48c', 27.4, 56, 2.8) +
      oval('#e2b48c', 49, 29, 7.4, 8) +
      fill('#e9e6e2', 'M41 30C42 42 45 56 49 64C54 56 57 42 57 30C53 36 45 36 41 30Z') +
      fill(
        tones.base,
        'M30 25C38 20 44 8 56 -6C60 -8 66 -6 70 0C64 -1 62 2 61 6C60 14 62 20 68 25C58 30 40 30 30 25Z',
      ) +
      fill('#e8b64c', 'M39.6 18.4C46 21.4 54 21.6 60.6 18.4L62 22C54 25.4 44 25.4 37.6 22Z') +
      oval(INK, 45.6, 29.6, 1) +
      oval(INK, 51.6, 29.6, 1),
    glow: oval('#ffe9a3', 24, 20, 3.4) + oval('#ffd25e', 24, 20, 7, 7, 'opacity="0.35"'),
  };
};

export const knight: Draw = (_random, coat) => {
  const tones = shades(coat ?? [0.7, 0.02, 250]);
  const leg = (x: number, colour: string) =>
    fill(colour, limb([x, 62, 5], [x, 80, 4], [x, 94, 3.6])) +
    fill(tones.deep, limb([x, 96, 3.4], [x - 4, 97.4, 2.4]));
  return {
    body:
      fill('#a8323a', 'M56 30C68 40 74 66 78 92C70 96 60 94 56 90Z') +
      leg(55, tones.dark) +
      leg(45, tones.base) +
      fill(tones.base, 'M38 32C44 27 56 27 62 32C63 44 61 56 60 66C54 70 46 70 40 66C39 56 37 44 38 32Z') +
      fill('#a8323a', 'M42 48H58L60 70C54 74 46 74 40 70Z') +
      line('#e8b64c', 1.4, 'M50 50V70M43 58H57') +
      oval(tones.light, 37, 33, 6, 5) +
      oval(tones.dark, 63, 33, 6, 5) +
      fill(tones.base, limb([36, 36, 4], [32, 50, 3.6], [28, 58, 3.2])) +
      line('#f2f4f8', 2.6, 'M27 60L22 8') +
      line('#c9913c', 2.8, 'M22 58L33 56.4') +
      fill('#35507e', 'M58 44C66 46 72 44 76 42C78 58 74 70 66 76C60 70 57 58 58 44Z') +
      line('#e8b64c', 1.6, 'M67 46V72M60 55H75') +
      fill(tones.base, 'M41 14C42 6 58 6 59 14V26C56 31 44 31 41 26Z') +
      fill(INK, 'M41 16.4H54L52 20H41Z') +
      line(tones.deep, 0.9, 'M45 23V27M48 23V28M51 23V28') +
      fill('#c23b3f', limb([50, 8, 2], [58, 1, 3.6], [70, 4, 3], [78, 14, 0.8])),
  };
};

/** In lacquered armour, with a horned helmet and a drawn sword. */
export const samurai: Draw = (_random, coat) => {
  const lacquer = shades(coat ?? [0.45, 0.15, 27]);
  const plates = (x: number, y: number, wide: number, rows: number) =>
    Array.from(
      { length: rows },
      (_, row) =>
        box(row % 2 ? lacquer.dark : lacquer.base, x - row * 0.6, y + row * 4, wide + row * 1.2, 4.4, 1) +
        line('#e8c36a', 0.7, `M${x} ${y + 3.9 + row * 4}h${wide}`),
    ).join('');
  const leg = (x: number, sway: number) =>
    fill('#2c2b3a', limb([x, 64, 7], [x + sway * 0.5, 78, 5.6], [x + sway, 84, 4])) +
    fill(lacquer.deep, limb([x + sway, 84, 3.8], [x + sway, 95, 3.2])) +
    fill(INK, limb([x + sway, 97, 2.6], [x + sway - 5, 97.6, 2]));
  return {
    body:
      leg(56, 6) +
      leg(45, -6) +
      plates(39, 58, 22, 4) +
      plates(40, 34, 20, 6) +
      line('#e8c36a', 1.6, 'M39 58H61') +
      fill(lacquer.deep, limb([40, 38, 4], [30, 44, 3.6], [25, 40, 3])) +
      fill(lacquer.deep, limb([58, 39, 4], [44, 50, 3.6], [27, 44, 3])) +
      plates(57, 34, 10, 4) +
      line('#f2f4f8', 2, 'M25 41C18 30 8 20 -4 14') +
      line('#2c2b3a', 3, 'M31 47L25 41') +
      oval('#c9a14e', 25.4, 41.4, 2.2) +
      box('#e2b48c', 44, 20, 11, 12, 3) +
      fill(INK, 'M44 25H51V30L48 33H44Z') +
      oval(INK, 46, 23.4, 0.9) +
      fill(lacquer.base, 'M40 20C40 8 60 8 61 19L67 30H57L56 21H40Z') +
      fill(lacquer.dark, 'M52 11C58 12 60.6 15 61 19L67 30H57L56 21H52Z') +
      fill('#e8c36a', 'M44 13C38 10 35 4 36 -3C39 4 43 7 47 9C51 7 55 3 56 -4C58 4 55 10 50 13Z'),
  };
};

export const astronaut: Draw = (random, coat) => {
  const tones = shades(coat ?? [0.93, 0.01, 250]);
  const wave = chance(random, 0.5);
  const leg = (x: number, colour: string, sway: number) =>
    fill(colour, limb([x, 66, 7], [x + sway * 0.5, 80, 6], [x + sway, 92, 5.4])) +
    fill('#5f6a80', limb([x + sway, 95, 4.6], [x + sway - 3.6, 96, 4]));
  const arm = wave
    ? limb([36, 42, 6], [26, 34, 5], [22, 20, 4.4])
    : limb([36, 44, 6], [29, 56, 5], [26, 68, 4.4]);
  const hand = wave ? oval('#5f6a80', 21.6, 17, 4.8) : oval('#5f6a80', 25.6, 71, 4.8);
  return {
    body:
      box('#9aa4b6', 31, 32, 38, 38, 8) +
      leg(58, tones.dark, 4) +
      leg(43, tones.base, -3) +
      fill(tones.base, 'M34 40C40 34 60 34 66 40C68 52 67 64 65 72C58 76 42 76 35 72C33 64 32 52 34 40Z') +
      fill(tones.dark, 'M56 36C62 37 65 39 66 42C68 54 67 64 65 72C62 74 60 74.6 57 75Z', 'opacity="0.6"') +
      fill(tones.base, arm) +
      hand +
      fill(tones.dark, limb([64, 44, 6], [71, 56, 5], [72, 67, 4.4])) +
      oval('#5f6a80', 72, 70, 4.8) +
      box('#7d8aa2', 41, 50, 18, 12, 2.4) +
      oval('#e4574c', 45.4, 54, 1.7) +
      oval('#59b98a', 50, 54, 1.7) +
      oval('#f2b84a', 54.6, 54, 1.7) +
      line('#d9574a', 2, 'M36 67H64') +
      oval(tones.base, 50, 22, 18, 17.6) +
      fill('#22304e', 'M36 22C36 12 43 9 50 9C57 9 64 12 64 22C64 31 57 34 50 34C43 34 36 31 36 22Z') +
      fill('#4d6f9f', 'M38.6 21C39 14 44 11.4 50 11.2C45 14 41.6 19 41 27C39.4 25.4 38.6 23.4 38.6 21Z') +
      oval('#fff', 57, 16, 2.4, 3.2, 'opacity="0.85"') +
      oval('#f4a95a', 55, 27, 5.4, 1.6, 'opacity="0.6"'),
  };
};

export const robot: Draw = (random, coat) => {
  const tones = shades(
    coat ??
      pick(random, [
        [0.7, 0.06, 220],
        [0.72, 0.12, 65],
        [0.68, 0.08, 170],
      ] as const),
  );
  const eyes = pick(random, ['#7df3ff', '#ffe27a', '#9dffb0']);
  const leg = (x: number, colour: string) =>
    box('#4a5268', x - 2.4, 74, 4.8, 16, 2) + box(colour, x - 6.4, 89, 12.8, 9, 3.4);
  return {
    body:
      leg(41, tones.base) +
      leg(59, tones.dark) +
      line('#4a5268', 4.4, 'M30 52C20 56 18 64 20 70M70 52C80 56 82 64 80 70') +
      oval(tones.dark, 20, 73, 5) +
      oval(tones.dark, 80, 73, 5) +
      box('#4a5268', 45, 40, 10, 8) +
      box(tones.base, 29, 46, 42, 32, 8) +
      fill(
        tones.dark,
        'M60 46H63C68 46 71 49 71 54V70C71 75 68 78 63 78H57C60 68 61 56 60 46Z',
        'opacity="0.7"',
      ) +
      box(tones.light, 36, 53, 28, 16, 4) +
      line('#4a5268', 1.4, 'M39 66H49M39 62.6H46') +
      box(tones.base, 25, 10, 50, 33, 11) +
      fill(
        tones.dark,
        'M63 10C70 10 75 14 75 21V32C75 39 70 43 64 43H58C62 33 64 21 63 10Z',
        'opacity="0.7"',
      ) +
      box('#232a3c', 31, 17, 38, 19, 8) +
      box(tones.dark, 20, 21, 5.4, 12, 2) +
      box(tones.dark, 74.6, 21, 5.4, 12, 2) +
      line('#4a5268', 2, 'M50 10V2') +
      line(WHITE, 1.6, 'M33 13.6C38 12.4 44 12.2 50 12.2'),
    glow:
      oval(eyes, 41, 26, 4.8) +
      oval(eyes, 59, 26, 4.8) +
      oval('#fff', 39.6, 24.6, 1.5) +
      oval('#fff', 57.6, 24.6, 1.5) +
      oval('#ff6d5e', 50, 1, 2.8) +
      oval(eyes, 58, 61, 3.2) +
      line(eyes, 1.2, 'M46 31.6Q50 33.6 54 31.6'),
  };
};
