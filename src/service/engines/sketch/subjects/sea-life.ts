import type { Oklch } from '../colour.ts';
import { chance, pick } from '../random.ts';
import { type Draw, fill, INK, limb, line, oval, shades, WHITE } from './figure.ts';

export const whale: Draw = (random, coat) => {
  const tones = shades(coat ?? [0.46, 0.08, 250]);
  const back =
    'M-14 62C-12 46 8 34 32 34C58 34 76 48 88 66C92 72 97 76 102 76C98 84 92 88 84 86C66 92 40 92 16 84C-2 80 -14 74 -14 62Z';
  const belly = 'M-13 66C-4 72 10 73 24 73C44 76 62 84 78 87C58 92 36 90 16 84C0 80 -11 75 -13 66Z';
  const tail =
    'M104 97C104 86 106 80 110 74C102 70 96 62 94 54C104 56 110 60 113 66C116 60 122 56 132 54C130 62 124 70 117 74C118 80 119 88 120 97Z';
  const grooves = [0, 1, 2, 3, 4]
    .map(
      (row) =>
        `M${-8 + row * 4} ${69 + row * 3}C${8 + row * 3} ${73 + row * 3} ${24 + row * 3} ${74 + row * 3} ${38 + row * 4} ${79 + row * 2.2}`,
    )
    .join('');
  return {
    body: `<clipPath id="sea"><rect x="-80" y="-80" width="260" height="176"/></clipPath><g clip-path="url(#sea)"><g transform="translate(0 12) rotate(17 50 60)">${fill(tones.base, back)}${fill('#e6ecf2', belly)}${line('#b9c6d6', 0.9, grooves)}${fill(tones.light, 'M0 48C12 38 30 36 46 40C30 40 14 44 0 48Z', 'opacity="0.55"')}${fill(tones.dark, limb([30, 72, 5.4], [38, 86, 5], [48, 97, 1.4]))}${line(tones.deep, 1.2, 'M-13 62C-2 67 10 67 20 63')}${oval(INK, 21, 59, 1.9)}${oval('#fff', 20.4, 58.4, 0.6)}${fill(tones.base, 'M66 44C70 38 76 36 80 38C78 43 78 48 79 54Z')}</g><g transform="translate(-11 0)">${fill(tones.base, tail)}${fill(tones.dark, 'M113 66C116 60 122 56 132 54C130 62 124 70 117 74C118 80 119 88 120 97H114C114 86 114 76 113 66Z')}</g></g>${line('#eaf6ff', 1.5, 'M-22 93C-18 88 -14 88 -10 92M87 95C89 90 93 89 96 93M106 94C109 89 113 90 115 94')}`,
    glow: chance(random, 0.6) ? spout() : '',
  };
};

function spout(): string {
  return `<g transform="translate(13 6)" opacity="0.8">${line('#eaf5ff', 1.8, 'M3 36C3 24 -2 18 -8 17M4 36C4 22 10 16 16 17M3.6 34V18')}</g>`;
}

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
