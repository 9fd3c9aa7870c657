import { fill, line, oval, pair, type Shades } from './figure.ts';

/** Hair behind the head and hair over the brow of a face whose crown is at (50, 10). */
export interface Hairdo {
  back: (hair: Shades) => string;
  front: (hair: Shades) => string;
}

const PARTED =
  'M52 9C38 7 29 17 31.4 40C32.4 41 33.4 40 33.6 38C37 35 44 30 50 18C54 26 61 30.6 66.2 34C66.8 38 67.6 40.4 68.6 40C71.4 18 64 9 52 9Z';
const CURTAINS =
  'M50 10C37 7 28 17 30.8 43C33 44.4 34.4 41 34.6 38C39 33 46.6 26 50 14.6C53.4 26 61 33 65.4 38C65.6 41 67 44.4 69.2 43C72 17 63 7 50 10Z';
const FRINGE =
  'M50 8.6C36 7.6 28.6 17 31 42C32.6 42 33.6 38 34.6 32.6C38 31 41 32.6 44 31.6C48 33 53 33 56 31.6C59 32.6 62 31 65.4 32.6C66.4 38 67.4 42 69 42C71.4 17 64 7.6 50 8.6Z';
const CROP =
  'M31.6 38C26.6 20 35 8 50 8C66 7 73.4 20 68.4 38C67.4 36 67 31 65 26.6C58 27.4 49 26 41 22.6C36.4 26 33.4 31 31.6 38Z';

const gloss = (hair: Shades, path: string) => line(hair.light, 1.2, path);

const long: Hairdo['back'] = (hair) =>
  fill(
    hair.dark,
    'M50 7C29 6 24 24 26.4 42C27.6 58 21 70 17 88C26 96 38 92 43 80H57C62 92 74 96 83 88C79 70 72.4 58 73.6 42C76 24 71 6 50 7Z',
  ) +
  line(
    hair.base,
    2,
    'M29 44C30 60 25 72 22 87M33 52C33 66 30 76 28 89M71 44C70 60 75 72 78 87M67 52C67 66 70 76 72 89',
  );

const bob: Hairdo['back'] = (hair) =>
  fill(
    hair.dark,
    'M50 7C29 7 24 24 26.4 42C27 54 23 62 26 69C31 74 40 72 43 67H57C60 72 69 74 74 69C77 62 73 54 73.6 42C76 24 71 7 50 7Z',
  ) + line(hair.base, 1.8, 'M29 44C30 54 28 62 30 69M71 44C70 54 72 62 70 69');

const bun: Hairdo['back'] = (hair) =>
  oval(hair.dark, 50, 3.4, 10.6, 9.4) +
  oval(hair.base, 49, 2.4, 8.6, 7.4) +
  line(hair.dark, 1.1, 'M43 2C47 -2 53 -2 57 3M44 5.4C48 2 53 2.4 56 6') +
  fill(hair.dark, 'M50 7C30 7 27 24 29 44C32 50 34 44 34 38H66C66 44 68 50 71 44C73 24 70 7 50 7Z');

const plait: Hairdo['back'] = (hair) =>
  fill(hair.dark, 'M50 7C30 7 26.4 24 28 43C28.6 50 31 55 35 58L66 56C71 55 72 48 72 43C73.6 24 70 7 50 7Z') +
  [0, 1, 2, 3, 4, 5]
    .map((knot) =>
      oval(knot % 2 ? hair.dark : hair.base, 69.6 + knot * 0.8, 57 + knot * 7, 5.6 - knot * 0.3, 4.8),
    )
    .join('') +
  oval('#d9574a', 74.4, 97, 3.4, 2);

const short: Hairdo['back'] = (hair) =>
  fill(hair.dark, 'M50 8C33 8 27.4 22 29.4 38C30 45 32 48 34 48H66C68 48 70 45 70.6 38C72.6 22 67 8 50 8Z');

const front =
  (path: string, shine: string): Hairdo['front'] =>
  (hair) =>
    fill(hair.base, path) + gloss(hair, shine);

const curls: Hairdo['front'] = (hair) =>
  [
    [33, 30, 5.4],
    [32, 23, 5.6],
    [36, 16, 6.4],
    [43, 11.6, 6.6],
    [51, 10.4, 6.8],
    [59, 12.4, 6.6],
    [65.4, 17.4, 6],
    [68, 24.4, 5.4],
    [67.4, 31, 4.8],
    [42, 19, 5.4],
    [50, 18, 5.6],
    [58, 19.4, 5.2],
  ]
    .map(
      ([x = 0, y = 0, size = 1], index) =>
        oval(index % 3 === 1 ? hair.dark : hair.base, x, y, size) +
        oval(hair.light, x - size * 0.3, y - size * 0.4, size * 0.3, size * 0.18, 'opacity="0.7"'),
    )
    .join('');

const curlyBack: Hairdo['back'] = (hair) =>
  pair(
    [
      [28, 30, 7],
      [26, 40, 7.6],
      [24.6, 50, 8],
      [25.6, 60, 7.6],
      [29, 69, 6.6],
      [34, 58, 8],
    ]
      .map(([x = 0, y = 0, size = 1], index) => oval(index % 2 ? hair.base : hair.dark, x, y, size))
      .join(''),
  ) + oval(hair.dark, 50, 26, 23, 20);

/** What is left at the sides. */
const fringeOfYears: Hairdo['front'] = (hair) =>
  pair(
    fill(
      hair.base,
      'M33.4 25C28 28 27 36 29.4 44C31.4 48 33.6 46 33.6 42C32.6 36 33 31 35 27.4C35.6 25 34.8 24.4 33.4 25Z',
    ),
  ) + line(hair.light, 0.9, 'M30.6 32C30 36 30.4 40 31.4 43M69.4 32C70 36 69.6 40 68.6 43');

const LIGHT_LEFT = 'M38 15C35 18 33.6 23 33.4 28M43 13.4C39.6 16 38 20 37.4 24';

export const LONG = { back: long, front: front(PARTED, LIGHT_LEFT) } satisfies Hairdo;
export const MIDDLE = { back: long, front: front(CURTAINS, LIGHT_LEFT) } satisfies Hairdo;
export const BOB = { back: bob, front: front(FRINGE, LIGHT_LEFT) } satisfies Hairdo;
export const PLAIT = { back: plait, front: front(PARTED, LIGHT_LEFT) } satisfies Hairdo;
export const BUN = { back: bun, front: front(CURTAINS, LIGHT_LEFT) } satisfies Hairdo;
export const CURLS = { back: curlyBack, front: curls } satisfies Hairdo;
export const CROPPED = { back: short, front: front(CROP, LIGHT_LEFT) } satisfies Hairdo;
export const TOUSLED = { back: short, front: curls } satisfies Hairdo;
export const RECEDED = {
  back: (hair) => pair(oval(hair.dark, 31.4, 40, 2.6, 8)),
  front: fringeOfYears,
} satisfies Hairdo;
export const SHAVEN = { back: () => '', front: () => '' } satisfies Hairdo;
