import type { Oklch } from '../colour.ts';
import { pick } from '../random.ts';
import { type Draw, fill, INK, limb, line, oval, shades, WHITE } from './figure.ts';

const SCALES: readonly [Oklch, ...Oklch[]] = [
  [0.68, 0.18, 45],
  [0.62, 0.15, 250],
  [0.78, 0.15, 85],
  [0.66, 0.18, 15],
];

export const fish: Draw = (random, coat) => {
  const tones = shades(coat ?? pick(random, SCALES));
  const one =
    fill(tones.dark, 'M72 60C84 48 94 44 102 46C96 54 96 66 102 74C94 76 84 72 72 60Z') +
    fill(tones.dark, 'M36 40C46 26 60 26 70 34C66 40 64 44 64 48Z') +
    fill(tones.dark, 'M44 78C50 86 58 88 64 86C62 80 62 76 62 74Z') +
    fill(tones.base, 'M2 60C14 40 36 34 54 40C66 44 74 54 78 60C74 66 66 76 54 80C36 86 14 80 2 60Z') +
    fill(WHITE, 'M4 62C16 74 34 82 52 79C40 74 22 70 4 62Z', 'opacity="0.7"') +
    fill(WHITE, 'M30 38.6C26 50 26 68 31 81C36 82 40 82 42 82C36 68 36 50 41 37Z', 'opacity="0.85"') +
    fill(WHITE, 'M60 43C57 52 57 68 61 77L66 73C63 66 63 54 66 47Z', 'opacity="0.85"') +
    fill(tones.light, limb([40, 60, 3], [50, 64, 5], [56, 70, 1.4])) +
    oval(WHITE, 16, 56, 4.6) +
    oval(INK, 15.4, 56, 2.7) +
    oval('#fff', 14.4, 55, 0.9) +
    line(tones.deep, 1, 'M3 62Q8 65 12 64');
  const small = (x: number, y: number, size: number) =>
    `<g transform="translate(${x} ${y}) scale(${size})" opacity="0.9">${one}</g>`;
  return { body: `${one}${small(88, -2, 0.34)}${small(112, 30, 0.28)}${small(84, 92, 0.3)}` };
};

export const turtle: Draw = (_random, coat) => {
  const tones = shades(coat ?? [0.55, 0.1, 140]);
  const skin = '#9fb873';
  const plates =
    'M34 44L46 40L54 50L44 60L32 56ZM54 50L68 50L72 62L58 68L44 60ZM46 40L60 36L74 42L68 50L54 50';
  return {
    body: `<g transform="rotate(-10 50 55)">${fill(skin, limb([34, 62, 5], [24, 78, 6], [20, 94, 1.6]))}${fill(skin, limb([74, 64, 4], [84, 74, 4.6], [92, 78, 1.4]))}${fill(skin, limb([40, 46, 4], [30, 34, 5], [30, 22, 1.4]))}${fill(skin, limb([24, 54, 5], [12, 50, 6], [6, 50, 5]))}${fill(tones.deep, 'M20 58C24 38 46 26 66 36C80 42 88 54 88 60C74 74 40 76 20 58Z')}${fill(tones.base, 'M23 56C28 40 46 30 64 38C76 43 84 53 85 58C72 68 42 70 23 56Z')}${line(tones.deep, 1.6, plates)}${oval(INK, 6, 48, 1.5)}${oval('#fff', 5.5, 47.5, 0.5)}</g>`,
  };
};

export const jellyfish: Draw = (random, coat) => {
  const tones = shades(
    coat ??
      pick(random, [
        [0.78, 0.13, 340],
        [0.8, 0.1, 220],
        [0.78, 0.12, 300],
      ] as const),
  );
  const arms = [28, 36, 44, 52, 60, 68]
    .map((x, index) =>
      fill(
        index % 2 ? tones.light : tones.base,
        limb(
          [x, 44, 2.4],
          [x + 5 * (index % 2 ? 1 : -1), 58, 2],
          [x - 4 * (index % 2 ? 1 : -1), 74, 1.5],
          [x + 3 * (index % 2 ? 1 : -1), 92 + (index % 3) * 4, 0.4],
        ),
        'opacity="0.75"',
      ),
    )
    .join('');
  return {
    body: '',
    glow: `${arms}${fill(tones.base, 'M18 44C16 20 32 6 48 6C64 6 82 20 80 44C76 48 72 43 68 46C64 49 60 43 56 46C52 49 46 43 42 46C38 49 32 43 28 46C24 48 20 47 18 44Z', 'opacity="0.85"')}${fill(tones.light, 'M24 34C24 20 36 11 48 11C40 15 32 24 30 36Z', 'opacity="0.8"')}${oval(tones.dark, 42, 32, 4, 6, 'opacity="0.5"')}${oval(tones.dark, 55, 32, 4, 6, 'opacity="0.5"')}`,
  };
};
