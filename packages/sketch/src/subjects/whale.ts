import { chance } from '../random.ts';
import { type Draw, fill, INK, limb, line, oval, type Shades, shades } from './figure.ts';

const HIDE = [0.46, 0.08, 250] as const;
const BELLY = '#e6ecf2';

/** The fluke at the end of the tail, seen from behind. */
const FLUKE =
  'M104 97C104 86 106 80 110 74C102 70 96 62 94 54C104 56 110 60 113 66C116 60 122 56 132 54C130 62 124 70 117 74C118 80 119 88 120 97Z';

/** At the surface: the sea hides all below the foot. */
export const whale: Draw = (random, coat) => {
  const tones = shades(coat ?? HIDE);
  const back =
    'M-14 62C-12 46 8 34 32 34C58 34 76 48 88 66C92 72 97 76 102 76C98 84 92 88 84 86C66 92 40 92 16 84C-2 80 -14 74 -14 62Z';
  const belly = 'M-13 66C-4 72 10 73 24 73C44 76 62 84 78 87C58 92 36 90 16 84C0 80 -11 75 -13 66Z';
  const grooves = [0, 1, 2, 3, 4]
    .map(
      (row) =>
        `M${-8 + row * 4} ${69 + row * 3}C${8 + row * 3} ${73 + row * 3} ${24 + row * 3} ${74 + row * 3} ${38 + row * 4} ${79 + row * 2.2}`,
    )
    .join('');
  return {
    body: `<clipPath id="sea"><rect x="-80" y="-80" width="260" height="176"/></clipPath><g clip-path="url(#sea)"><g transform="translate(0 12) rotate(17 50 60)">${fill(tones.base, back)}${fill(BELLY, belly)}${line('#b9c6d6', 0.9, grooves)}${fill(tones.light, 'M0 48C12 38 30 36 46 40C30 40 14 44 0 48Z', 'opacity="0.55"')}${fill(tones.dark, limb([30, 72, 5.4], [38, 86, 5], [48, 97, 1.4]))}${line(tones.deep, 1.2, 'M-13 62C-2 67 10 67 20 63')}${eye(21, 59)}${fill(tones.base, 'M66 44C70 38 76 36 80 38C78 43 78 48 79 54Z')}</g><g transform="translate(-11 0)">${fill(tones.base, FLUKE)}${fill(tones.dark, 'M113 66C116 60 122 56 132 54C130 62 124 70 117 74C118 80 119 88 120 97H114C114 86 114 76 113 66Z')}</g></g>${line('#eaf6ff', 1.5, 'M-22 93C-18 88 -14 88 -10 92M87 95C89 90 93 89 96 93M106 94C109 89 113 90 115 94')}`,
    glow: chance(random, 0.6) ? spout() : '',
  };
};

/** Whole, on its way through the deep; it rises or dives a little. */
export const divingWhale: Draw = (random, coat) => {
  const tones = shades(coat ?? HIDE);
  return {
    body: `<g transform="translate(-10 15) rotate(${chance(random, 0.5) ? 9 : -7} 50 50)">${swimming(tones)}</g>`,
  };
};

function swimming(tones: Shades): string {
  const back =
    'M-20 50C-20 34 0 22 28 22C58 22 82 36 104 40C108 41 110 44 108 48C92 56 74 72 44 75C12 78 -18 68 -20 50Z';
  const belly = 'M-19.6 53C-10 60 8 62 24 59C44 62 66 62 86 59.6C74 68 60 73.6 44 75C14 78 -16 69 -19.6 53Z';
  const grooves = [0, 1, 2, 3]
    .map(
      (row) =>
        `M${-14 + row * 6} ${58 + row * 3.6}C${6 + row * 4} ${64 + row * 3} ${26 + row * 4} ${66 + row * 2.2} ${52 + row * 3} ${65 + row * 2}`,
    )
    .join('');
  const fluke =
    'M102 42C110 40 114 32 116 20C124 26 126 34 122 41C130 42 138 48 140 57C128 58 116 54 106 48Z';
  return (
    fill(tones.dark, limb([30, 62, 4], [44, 72, 5], [58, 74, 1.2])) +
    fill(tones.dark, fluke) +
    fill(tones.base, 'M102 42C110 40 114 32 116 20C121 27 121 36 117 43C112 47 106 48 102 46Z') +
    fill(tones.dark, 'M70 30C74 23 80 20 86 20C83 26 84 32 87 37Z') +
    fill(tones.base, back) +
    fill(BELLY, belly) +
    line('#b9c6d6', 1, grooves) +
    fill(tones.light, 'M-8 36C6 26 30 24 54 31C32 31 10 34 -8 36Z', 'opacity="0.5"') +
    [
      [60, 37, 1.6],
      [67, 41, 1.1],
      [54, 41, 1],
      [74, 44, 1.3],
      [46, 36, 1.2],
    ]
      .map(([x = 0, y = 0, radius = 1]) => oval(tones.light, x, y, radius, radius * 0.8, 'opacity="0.7"'))
      .join('') +
    line(tones.deep, 1.2, 'M-19.6 52C-10 59 8 61 21 56') +
    fill(tones.dark, limb([26, 61, 5.6], [30, 78, 6], [42, 94, 1.4])) +
    fill(tones.light, limb([25, 62, 1.4], [28, 76, 1.6], [37, 88, 0.4]), 'opacity="0.5"') +
    eye(18, 49)
  );
}

const eye = (x: number, y: number) => oval(INK, x, y, 1.9) + oval('#fff', x - 0.6, y - 0.6, 0.6);

function spout(): string {
  return `<g transform="translate(13 6)" opacity="0.8">${line('#eaf5ff', 1.8, 'M3 36C3 24 -2 18 -8 17M4 36C4 22 10 16 16 17M3.6 34V18')}</g>`;
}
