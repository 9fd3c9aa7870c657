import type { Oklch } from '../colour.ts';
import { pick } from '../random.ts';
import { type Draw, fill, limb, line, oval, type Shades, shades, WHITE } from './figure.ts';

const GLAZES: readonly [Oklch, ...Oklch[]] = [
  [0.52, 0.12, 250],
  [0.58, 0.16, 30],
  [0.62, 0.08, 170],
  [0.88, 0.03, 85],
  [0.68, 0.12, 70],
];

/** Steam that rises from (50, y). */
const steam = (y: number) =>
  `<g opacity="0.5">${line('#fff', 2.4, `M40 ${y}C34 ${y - 10} 45 ${y - 16} 40 ${y - 27}M52 ${y - 2}C46 ${y - 13} 58 ${y - 20} 52 ${y - 33}M63 ${y}C58 ${y - 9} 68 ${y - 15} 63 ${y - 25}`)}</g>`;

/** Noodle soup with an egg, greens and a slice of fish cake. */
export const bowl: Draw = (random, coat) => {
  const glaze = shades(coat ?? pick(random, GLAZES));
  const noodles = [0, 1, 2, 3, 4]
    .map(
      (row) =>
        `M${18 + row * 5} ${46 + row * 2.6}C${28 + row * 3} ${40 + row * 3} ${40 + row * 2} ${54 + row} ${56 + row * 2} ${45 + row * 2.4}`,
    )
    .join('');
  const egg = (x: number, y: number) =>
    oval(WHITE, x, y, 8.4, 5.8) +
    oval('#f2a73c', x - 0.4, y + 0.3, 4.6, 3.2) +
    oval('#ffd27e', x - 1.6, y - 0.6, 1.5, 1);
  return {
    body:
      fill(glaze.deep, 'M34 92H66L68 99H32Z') +
      fill(glaze.base, 'M2 46C4 76 22 95 50 95C78 95 96 76 98 46Z') +
      fill(glaze.dark, 'M70 50C70 72 62 88 48 95C78 95 96 76 98 46Z', 'opacity="0.7"') +
      line(glaze.light, 2.2, 'M8 66C20 72 80 72 92 66') +
      [16, 33, 50, 67, 84]
        .map((x) =>
          fill(
            glaze.light,
            `M${x - 5} ${76 - Math.abs(x - 50) * 0.08}L${x} 71.5L${x + 5} ${76 - Math.abs(x - 50) * 0.08}L${x} 81Z`,
            'opacity="0.55"',
          ),
        )
        .join('') +
      oval(glaze.light, 50, 46, 48, 15) +
      oval('#8a4f27', 50, 47, 44, 12.6) +
      oval('#b8702f', 49, 46, 41, 10.6) +
      line('#f3d58c', 2.2, noodles) +
      line('#e2b766', 1, noodles) +
      fill('#26402f', 'M66 28L86 24L88 44L70 46Z') +
      fill('#38593f', 'M62 32L80 29L83 46L66 47Z') +
      egg(36, 44) +
      egg(49, 50) +
      oval(WHITE, 66, 48, 6.6, 4.6) +
      line('#e77f97', 1.2, 'M63.4 48.4C63 45.6 68.4 45 68.6 47.8C68.6 50 65 49.8 65.6 48') +
      [
        [24, 50],
        [29, 53],
        [57, 42],
        [43, 39],
        [60, 55],
        [77, 50],
        [34, 37],
      ]
        .map(([x = 0, y = 0]) => oval('#7fb457', x, y, 1.9, 1.2))
        .join('') +
      line('#9c5a32', 2.4, 'M58 44L112 10M63 46L114 18'),
    glow: steam(30),
  };
};

/** A cup of something hot on its saucer. */
export const cup: Draw = (random, coat) => {
  const glaze = shades(coat ?? pick(random, GLAZES));
  return {
    body:
      oval(glaze.dark, 50, 93, 52, 8) +
      oval(glaze.light, 50, 91, 52, 7.4) +
      oval(glaze.dark, 50, 92, 30, 4.4) +
      `<path d="M82 50C102 46 104 74 76 76" fill="none" stroke="${glaze.dark}" stroke-width="6.4" stroke-linecap="round"/>` +
      fill(glaze.base, 'M14 42C15 70 26 92 50 92C74 92 85 70 86 42Z') +
      fill(glaze.dark, 'M66 46C66 68 60 84 48 92C74 92 85 70 86 42Z', 'opacity="0.65"') +
      fill(glaze.light, limb([22, 52, 2.4], [25, 66, 2.6], [31, 78, 1.2]), 'opacity="0.7"') +
      oval(glaze.light, 50, 42, 36, 9.6) +
      oval('#5b3522', 50, 43, 32, 7.6) +
      oval('#8a5836', 49, 43.6, 28, 5.8) +
      fill(
        '#f0dcc0',
        'M50 48C43 45.6 39 43.4 41.6 40.8C44 38.8 48.4 39.4 50 41.6C51.6 39.4 56 38.8 58.4 40.8C61 43.4 57 45.6 50 48Z',
      ),
    glow: steam(32),
  };
};

/** Apples, a pear and grapes in a low dish. */
export const fruit: Draw = (random, coat) => {
  const dish = shades(pick(random, GLAZES));
  const red = shades(coat ?? [0.56, 0.19, 27]);
  const round = (tones: Shades, x: number, y: number, radius: number) =>
    fill(
      tones.base,
      `M${x} ${y - radius * 0.86}C${x + radius * 0.5} ${y - radius * 1.2} ${x + radius * 1.1} ${y - radius * 0.7} ${x + radius} ${y + radius * 0.1}C${x + radius * 0.9} ${y + radius * 0.9} ${x + radius * 0.3} ${y + radius * 1.1} ${x} ${y + radius * 0.92}C${x - radius * 0.3} ${y + radius * 1.1} ${x - radius * 0.9} ${y + radius * 0.9} ${x - radius} ${y + radius * 0.1}C${x - radius * 1.1} ${y - radius * 0.7} ${x - radius * 0.5} ${y - radius * 1.2} ${x} ${y - radius * 0.86}Z`,
    ) +
    oval(
      tones.light,
      x - radius * 0.42,
      y - radius * 0.3,
      radius * 0.24,
      radius * 0.36,
      `opacity="0.8" transform="rotate(25 ${x - radius * 0.42} ${y - radius * 0.3})"`,
    ) +
    line(
      '#5b3b26',
      1.6,
      `M${x} ${y - radius * 0.8}C${x} ${y - radius * 1.1} ${x + 1} ${y - radius * 1.25} ${x + 2.4} ${y - radius * 1.4}`,
    ) +
    fill(
      '#6a9a4c',
      `M${x + 1} ${y - radius}C${x + 5} ${y - radius * 1.5} ${x + 10} ${y - radius * 1.5} ${x + 12} ${y - radius * 1.3}C${x + 9} ${y - radius * 0.9} ${x + 5} ${y - radius * 0.85} ${x + 1} ${y - radius}Z`,
    );
  const green = shades([0.76, 0.14, 120]);
  const pear =
    fill(
      green.base,
      'M66 14C72 14 73 24 76 34C84 42 86 58 78 64C72 69 58 69 53 63C46 56 49 42 57 35C60 26 60 14 66 14Z',
    ) +
    oval(green.light, 60, 46, 3.4, 7, 'opacity="0.7" transform="rotate(14 60 46)"') +
    line('#5b3b26', 1.8, 'M66 15C66 10 68 7 71 5');
  const grape = shades([0.45, 0.13, 310]);
  const grapes = [
    [84, 62],
    [92, 64],
    [100, 66],
    [88, 70],
    [96, 73],
    [104, 74],
    [92, 79],
    [100, 81],
    [97, 88],
    [103, 89],
    [108, 82],
  ]
    .map(([x = 0, y = 0]) => oval(grape.base, x, y, 5) + oval(grape.light, x - 1.5, y - 1.6, 1.4))
    .join('');
  return {
    body:
      pear +
      round(shades([0.76, 0.15, 75]), 44, 46, 19) +
      round(red, 22, 52, 19) +
      round(shades([0.66, 0.17, 45]), 68, 58, 17) +
      fill(dish.base, 'M-4 60C2 84 22 94 50 94C78 94 98 84 104 60C82 70 18 70 -4 60Z') +
      fill(dish.dark, 'M66 68C66 80 60 90 46 94C78 94 98 84 104 60C94 65 80 67 66 68Z', 'opacity="0.65"') +
      line(dish.light, 2, 'M-2 62C20 71 80 71 102 62') +
      fill(dish.deep, 'M32 92H68L72 99H28Z') +
      grapes,
  };
};

export const pizza: Draw = (_random, coat) => {
  const sauce = shades(coat ?? [0.6, 0.18, 32]);
  const slices = [
    [28, 70],
    [50, 62],
    [72, 70],
    [38, 82],
    [62, 83],
    [20, 79],
    [80, 80],
    [50, 73],
  ]
    .map(([x = 0, y = 0]) => oval('#a8322c', x, y, 7, 3.6) + oval('#cf5145', x - 0.6, y - 0.6, 5.4, 2.6))
    .join('');
  const basil = [
    [40, 69],
    [62, 73],
    [30, 85],
    [52, 86],
    [70, 62],
  ]
    .map(([x = 0, y = 0]) =>
      fill(
        '#4d8a45',
        `M${x} ${y}C${x + 3} ${y - 4} ${x + 8} ${y - 4} ${x + 10} ${y - 1}C${x + 7} ${y + 2} ${x + 3} ${y + 2} ${x} ${y}Z`,
      ),
    )
    .join('');
  return {
    body: `${oval('#6d4a33', 50, 82, 62, 19)}${oval('#8d6342', 50, 79, 62, 19)}${oval('#b5773a', 50, 77, 52, 17)}${oval('#dfa458', 50, 74.6, 52, 16.6)}${oval(sauce.base, 50, 74, 45, 13)}${oval('#f4cf78', 50, 73.6, 43, 11.8)}${slices}${basil}${line('#d9a558', 0.9, 'M50 74L6 74M50 74L94 74M50 74L26 62M50 74L74 62M50 74L24 86M50 74L76 86')}`,
    glow: steam(52),
  };
};
