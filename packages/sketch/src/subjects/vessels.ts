import type { Oklch } from '../colour.ts';
import { between, pick } from '../random.ts';
import { box, type Draw, fill, limb, line, oval, shades } from './figure.ts';

const GLAZES: readonly [Oklch, ...Oklch[]] = [
  [0.5, 0.12, 250],
  [0.6, 0.08, 175],
  [0.86, 0.03, 85],
  [0.55, 0.13, 35],
];

const BLOOMS: readonly [Oklch, ...Oklch[]] = [
  [0.66, 0.18, 12],
  [0.82, 0.14, 85],
  [0.72, 0.13, 345],
  [0.62, 0.14, 300],
  [0.93, 0.02, 80],
  [0.7, 0.16, 45],
];

/** A bouquet in a vase. `coat` is the colour of the flowers. */
export const vase: Draw = (random, coat) => {
  const glaze = shades(pick(random, GLAZES));
  const heads = [
    [50, 14, 12],
    [30, 22, 10.5],
    [70, 21, 11],
    [40, 33, 10],
    [61, 35, 10.5],
    [20, 38, 8.5],
    [80, 38, 8.5],
  ] as const;
  const stems = heads
    .map(([x, y]) => line('#4f7a43', 1.8, `M50 62C${50 + (x - 50) * 0.3} 52 ${x} ${y + 18} ${x} ${y}`))
    .join('');
  const leaves = [
    [18, 52, -34],
    [82, 53, 34],
    [33, 50, -16],
    [66, 52, 18],
    [12, 28, -50],
    [88, 26, 48],
    [36, 8, -12],
    [64, 7, 14],
  ]
    .map(([x = 0, y = 0, lean = 0], index) =>
      fill(
        index % 2 ? '#5d8c4b' : '#47743f',
        `M${50 + (x - 50) * 0.55} ${y + 10}C${x - 5} ${y + 4} ${x - 4} ${y - 8} ${x} ${y - 13}C${x + 6} ${y - 6} ${x + 5} ${y + 6} ${50 + (x - 50) * 0.55} ${y + 10}Z`,
        `transform="rotate(${lean * 0.4} ${x} ${y})"`,
      ),
    )
    .join('');
  const flowers = heads
    .map(([x, y, size]) => {
      const tones = shades(coat ?? pick(random, BLOOMS));
      const turn = between(random, 0, 60);
      const petals = (count: number, reach: number, wide: number, colour: string) =>
        Array.from(
          { length: count },
          (_, petal) =>
            `<ellipse cx="0" cy="${-size * reach}" rx="${size * wide}" ry="${size * reach}" fill="${colour}" transform="rotate(${turn + (petal / count) * 360})"/>`,
        ).join('');
      return `<g transform="translate(${x} ${y})">${petals(7, 0.54, 0.36, tones.dark)}${petals(7, 0.48, 0.3, tones.base)}${petals(5, 0.28, 0.22, tones.light)}<circle r="${size * 0.22}" fill="#e9b548"/><circle r="${size * 0.12}" fill="#a86a2c"/></g>`;
    })
    .join('');
  return {
    body:
      stems +
      leaves +
      flowers +
      fill(
        glaze.base,
        'M39 53H61C60 60 62 64 68 71C75 80 71 95 63 99H37C29 95 25 80 32 71C38 64 40 60 39 53Z',
      ) +
      fill(
        glaze.dark,
        'M55 53H61C60 60 62 64 68 71C75 80 71 95 63 99H50C60 92 62 78 57 70C54 64 54 58 55 53Z',
        'opacity="0.7"',
      ) +
      oval(glaze.light, 50, 53, 11.4, 2.6) +
      oval(glaze.deep, 50, 53, 9, 1.6) +
      fill(glaze.light, limb([37, 74, 1.8], [35, 82, 2.2], [38, 91, 1]), 'opacity="0.75"') +
      line(glaze.light, 1.4, 'M40 62H60'),
  };
};

export const teapot: Draw = (random, coat) => {
  const glaze = shades(coat ?? pick(random, GLAZES));
  return {
    body:
      `<path d="M80 46C106 40 108 78 78 80" fill="none" stroke="${glaze.dark}" stroke-width="7" stroke-linecap="round"/>` +
      fill(glaze.dark, limb([26, 74, 8], [8, 64, 5.4], [-2, 46, 3.4], [-8, 40, 3])) +
      fill(glaze.base, 'M50 32C76 32 88 48 86 68C84 86 72 96 50 96C28 96 16 86 14 68C12 48 24 32 50 32Z') +
      fill(glaze.dark, 'M62 33C80 38 88 50 86 68C84 86 72 96 50 96C68 88 76 58 62 33Z', 'opacity="0.65"') +
      oval(glaze.dark, 50, 35, 21, 5) +
      fill(glaze.base, 'M30 34C32 24 42 20 50 20C58 20 68 24 70 34C62 39 38 39 30 34Z') +
      oval(glaze.light, 50, 18, 5, 4.4) +
      fill(glaze.light, limb([26, 50, 3], [23, 62, 3.6], [28, 76, 1.6]), 'opacity="0.7"') +
      [30, 50, 70]
        .map(
          (x) =>
            `<g transform="translate(${x} 66)">${[0, 72, 144, 216, 288].map((turn) => `<ellipse cy="-4" rx="2.6" ry="3.8" fill="${glaze.light}" opacity="0.75" transform="rotate(${turn})"/>`).join('')}<circle r="2" fill="#e9b548"/></g>`,
        )
        .join('') +
      fill(glaze.deep, 'M34 94H66L68 99H32Z'),
    glow: `<g opacity="0.4">${line('#fff', 2.2, 'M-9 32C-15 24 -5 18 -10 8M-3 34C-8 27 2 22 -2 14')}</g>`,
  };
};

/** A cake on a stand, one slice of it gone, with candles. */
export const cake: Draw = (random, coat) => {
  const icing = shades(
    coat ??
      pick(random, [
        [0.82, 0.1, 350],
        [0.5, 0.07, 45],
        [0.93, 0.03, 85],
      ] as const),
  );
  const candles = [34, 50, 66];
  return {
    body:
      fill('#d8d3cf', 'M42 82H58L62 99H38Z') +
      oval('#b9b3b0', 50, 98, 20, 3) +
      oval('#c9c3bf', 50, 84, 54, 8) +
      oval('#efebe6', 50, 81.6, 54, 7.6) +
      box('#e8c48b', 10, 48, 80, 33) +
      oval('#e8c48b', 50, 81, 40, 5.4) +
      box('#b9574e', 10, 62, 80, 5) +
      fill('#c99c62', 'M66 48H90V81C84 84 76 85.4 66 86Z', 'opacity="0.6"') +
      fill(
        icing.base,
        'M10 44C10 40 90 40 90 44V56C88 62 84 62 82 56C80 51 76 51 74 57C72 66 67 66 65 57C63 52 59 52 57 58C55 64 51 64 49 57C47 52 43 52 41 59C39 68 34 68 32 58C30 52 26 52 24 57C22 62 17 63 16 57C14 53 10 56 10 52Z',
      ) +
      oval(icing.light, 50, 44, 40, 7) +
      [18, 30, 42, 58, 70, 82]
        .map(
          (x, index) =>
            oval('#c8323c', x, 42 + (index % 2 ? 2 : 0), 3.6, 3.4) +
            oval('#f08a86', x - 1, 41 + (index % 2 ? 2 : 0), 0.9),
        )
        .join('') +
      candles.map((x, index) => box(index % 2 ? '#7fb6e0' : '#f2d06a', x - 1.5, 23, 3, 19, 1)).join(''),
    glow: candles
      .map(
        (x) =>
          oval('#ffb347', x, 18, 5, 7, 'opacity="0.35"') +
          fill(
            '#ffd873',
            `M${x - 2.4} 20C${x - 3} 16 ${x - 0.6} 15 ${x} 10C${x + 0.6} 15 ${x + 3} 16 ${x + 2.4} 20C${x + 1.4} 23 ${x - 1.4} 23 ${x - 2.4} 20Z`,
          ),
      )
      .join(''),
  };
};
