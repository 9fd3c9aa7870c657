import type { Oklch } from '../colour.ts';
import { pick } from '../random.ts';
import { type Draw, fill, INK, limb, line, oval, pair, shades } from './figure.ts';

const PLUMAGES: readonly [Oklch, ...Oklch[]] = [
  [0.58, 0.13, 245],
  [0.6, 0.19, 30],
  [0.42, 0.03, 270],
  [0.76, 0.15, 85],
];

export const bird: Draw = (random, coat) => {
  const tones = shades(coat ?? pick(random, PLUMAGES));
  return {
    body:
      line('#6d5043', 3.6, 'M4 97C30 91 64 95 104 88') +
      line('#6d5043', 2, 'M70 93C80 88 86 82 90 76') +
      oval('#7fae6a', 93, 73, 6, 3.4, 'transform="rotate(-40 93 73)"') +
      oval('#8fbe76', 84, 79, 4.6, 2.8, 'transform="rotate(-70 84 79)"') +
      fill(tones.deep, 'M64 76L92 90L96 84L72 66Z') +
      line('#c9813f', 1.6, 'M46 84V93M53 84V93') +
      fill(
        tones.base,
        'M30 32C42 26 52 34 56 46C66 54 76 66 78 76C68 86 50 90 40 84C28 78 24 62 26 50C24 42 24 36 30 32Z',
      ) +
      fill('#f7e3c8', 'M27 50C25 62 29 78 40 84C50 86 54 74 48 62C44 54 36 50 27 50Z') +
      fill(tones.dark, 'M46 50C58 50 72 62 80 80C66 80 52 74 46 64C44 58 44 54 46 50Z') +
      line(tones.deep, 1, 'M54 60C60 66 66 70 74 74M52 66C58 70 62 73 68 75') +
      fill('#f0a43c', 'M25.4 39L14 43.4L26 46Z') +
      oval(INK, 33, 40, 2.7) +
      oval('#fff', 32.2, 39.2, 0.9),
  };
};

export const owl: Draw = (_random, coat) => {
  const tones = shades(coat ?? [0.55, 0.07, 60]);
  const wing =
    fill(tones.dark, 'M27 50C20 64 22 82 34 92C38 80 38 62 34 50Z') +
    line(tones.deep, 1, 'M26 66C29 74 31 80 33.4 85M25.4 74C28 80 30 84 32 88');
  const eye =
    oval(tones.light, 38.6, 36, 12, 12.4) +
    oval('#f6c445', 40, 36, 7) +
    oval(INK, 40.4, 36, 4.1) +
    oval('#fff', 38.8, 34, 1.5);
  const feathers = [
    [43, 66],
    [50, 66],
    [57, 66],
    [46.5, 73],
    [53.5, 73],
    [43, 80],
    [50, 80],
    [57, 80],
  ]
    .map(([x = 0, y = 0]) =>
      fill(tones.dark, `M${x - 2.6} ${y}Q${x} ${y + 5.4} ${x + 2.6} ${y}Q${x} ${y + 2} ${x - 2.6} ${y}Z`),
    )
    .join('');
  return {
    body:
      line('#5c4438', 4.4, 'M2 96C30 93 70 97 102 91') +
      fill(
        tones.base,
        'M50 18C68 18 76 30 75 46C78 66 72 84 62 92C54 97 46 97 38 92C28 84 22 66 25 46C24 30 32 18 50 18Z',
      ) +
      fill(
        tones.base,
        'M26 34C24 26 25 18 28 12C34 16 42 19 48 20L52 20C58 19 66 16 72 12C75 18 76 26 74 34Z',
      ) +
      fill(tones.light, 'M50 50C60 50 66 58 65 72C64 86 58 93 50 93C42 93 36 86 35 72C34 58 40 50 50 50Z') +
      feathers +
      pair(wing) +
      pair(eye) +
      fill('#e59a3c', 'M46.4 42Q50 39 53.6 42L50 50Z') +
      pair(line('#d99a4a', 2, 'M40 93V97.6M44 94V98')),
  };
};

export const crane: Draw = (_random, coat) => {
  const tones = shades(coat ?? [0.95, 0.012, 60]);
  return {
    body:
      line('#4a4250', 1.6, 'M52 66L51 84L52 99M60 66L63 82L60 98') +
      fill(INK, 'M66 56C78 58 86 66 88 78C80 76 70 70 64 64Z') +
      fill(tones.base, 'M36 52C44 44 60 44 72 54C78 60 80 66 82 72C70 72 52 70 42 62C38 58 36 55 36 52Z') +
      fill(tones.dark, 'M46 54C56 50 68 54 76 64C66 66 52 62 46 54Z') +
      fill(tones.base, limb([42, 57, 5.4], [34, 50, 3], [33, 38, 2.2], [37, 26, 2], [36, 18, 2.2])) +
      fill(INK, limb([33.6, 44, 2.3], [33.4, 36, 2.2], [36.6, 27, 1.8])) +
      oval(tones.base, 35, 16.6, 3.4, 3) +
      fill('#d24a3f', 'M32.4 14.8C34 12 37.4 12.2 38.2 15Z') +
      fill('#b99a5c', 'M32.4 16L20 20.4L32.6 18.8Z') +
      oval(INK, 34, 16.4, 0.8),
  };
};

export const butterfly: Draw = (random, coat) => {
  const tones = shades(
    coat ??
      pick(random, [
        [0.68, 0.17, 50],
        [0.6, 0.16, 255],
        [0.66, 0.17, 330],
      ] as const),
  );
  const wing =
    fill(INK, 'M49 48C42 26 22 12 8 18C2 30 12 50 48 54Z') +
    fill(tones.base, 'M47 47C40 30 23 18 12 22C8 32 18 46 46 51Z') +
    fill(tones.light, 'M44 46C38 36 28 28 20 28C20 36 30 44 43 48Z') +
    fill(INK, 'M48 53C28 52 14 62 16 76C22 88 40 84 49 58Z') +
    fill(tones.dark, 'M46 55C30 56 19 64 20 75C26 82 38 78 46 58Z') +
    oval('#fff', 12, 24, 1.5) +
    oval('#fff', 9.6, 30, 1.1) +
    oval('#fff', 20, 77, 1.3) +
    line(INK, 0.9, 'M47 48L18 27M46 50L16 36M46 56L24 72M46 57L32 78');
  return {
    body: `<g transform="rotate(-16 50 50)">${pair(wing)}${fill(INK, limb([50, 38, 2], [50, 50, 2.6], [50, 72, 1]))}${line(INK, 0.9, 'M49.4 37C47 30 44 26 40 24M50.6 37C53 30 56 26 60 24')}</g>`,
  };
};
