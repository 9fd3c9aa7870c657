import type { Oklch } from '../colour.ts';
import { between, pick } from '../random.ts';
import { type Draw, fill, limb, line, oval, shades, WHITE } from './figure.ts';

export const tree: Draw = (random, coat) => {
  const leaf = shades(coat ?? [0.55, 0.12, 140]);
  const bark = shades([0.36, 0.05, 50]);
  const clumps: [string, number, number, number][] = [];
  for (let clump = 0; clump < 26; clump++) {
    const angle = clump * 2.4;
    const reach = Math.sqrt(clump / 26);
    clumps.push([
      clump % 3 === 0 ? leaf.base : leaf.dark,
      50 + Math.cos(angle) * reach * 40,
      34 + Math.sin(angle) * reach * 24,
      between(random, 8, 13),
    ]);
  }
  const crown =
    clumps.map(([colour, x, y, radius]) => oval(colour, x, y, radius)).join('') +
    clumps
      .filter(([, , y]) => y < 40)
      .map(([, x, y, radius]) => oval(leaf.light, x - 3, y - 4, radius * 0.55, radius * 0.5, 'opacity="0.7"'))
      .join('');
  const trunk =
    fill(
      bark.base,
      'M38 101C44 92 45 80 45 66L30 46L33 44L47 58L48 38H53L53 58L68 42L71 45L56 66C56 80 57 92 64 101C58 98 54 99 51 101C47 98 43 98 38 101Z',
    ) + fill(bark.dark, 'M52 62L56 66C56 80 57 92 64 101C58 98 56 98 54 100C52 86 52 74 52 62Z');
  return { body: oval(leaf.deep, 50, 36, 38, 22) + trunk + crown };
};

const PETALS: readonly [Oklch, ...Oklch[]] = [
  [0.64, 0.19, 15],
  [0.82, 0.15, 88],
  [0.7, 0.15, 340],
  [0.62, 0.16, 300],
];

export const flower: Draw = (random, coat) => {
  const petal = shades(coat ?? pick(random, PETALS));
  const count = 13;
  const ring = (radius: number, length: number, wide: number, colour: string, turn: number) =>
    Array.from(
      { length: count },
      (_, index) =>
        `<ellipse cx="0" cy="${-radius}" rx="${wide}" ry="${length}" fill="${colour}" transform="rotate(${(index / count) * 360 + turn})"/>`,
    ).join('');
  return {
    body: `${fill('#4f8a4a', limb([50, 36, 1.8], [52, 66, 2], [49, 101, 2.6]))}${fill('#5c9a52', 'M51 78C60 62 74 58 86 60C82 74 68 82 51 82Z')}${fill('#447c44', 'M50 90C40 76 28 72 16 75C20 88 36 94 50 93Z')}${line('#3d6f3e', 0.8, 'M52 81C62 74 72 66 84 61.4M49 92C40 86 30 80 18 76')}<g transform="translate(50 32)">${ring(17, 13, 6, petal.dark, 14)}${ring(15, 12, 5.4, petal.base, 0)}${ring(9, 8, 3, petal.light, 8)}<circle r="9.4" fill="#6d4326"/><circle r="7" fill="#8a5a30"/><circle r="3.6" fill="#c98f45" cx="-1.4" cy="-1.4"/></g>`,
  };
};

export const mushroom: Draw = (_random, coat) => {
  const cap = shades(coat ?? [0.56, 0.2, 28]);
  const one =
    fill('#f3e7d3', 'M42 56C43 72 41 86 37 97C44 101 57 101 63 97C59 86 57 72 58 56Z') +
    fill('#d8c6ae', 'M52 56C52 74 53 90 54 100C58 99.4 61 98.4 63 97C59 86 57 72 58 56Z') +
    fill('#e9d8bf', 'M37 64C44 69 56 69 63 64L60 72C54 75 46 75 40 72Z') +
    fill('#e7d4bb', 'M12 54C30 64 70 64 88 54C76 50 24 50 12 54Z') +
    fill(cap.base, 'M10 54C10 30 28 14 50 14C72 14 90 30 90 54C72 60 28 60 10 54Z') +
    fill(cap.dark, 'M58 15C78 18 90 34 90 54C82 57 74 58 66 58.4C74 44 72 26 58 15Z', 'opacity="0.75"') +
    oval(WHITE, 34, 31, 6.4, 5) +
    oval(WHITE, 56, 25, 5, 3.8) +
    oval(WHITE, 66, 42, 6.6, 5.4) +
    oval(WHITE, 44, 46, 5, 4) +
    oval(WHITE, 22, 47, 4, 4) +
    oval(WHITE, 81, 51, 3.2, 3.4) +
    oval('#fff', 26, 28, 3, 5, 'opacity="0.3" transform="rotate(40 26 28)"');
  return {
    body: `<g transform="translate(64 46) scale(.54)">${one}</g><g transform="translate(-18 58) scale(.42)">${one}</g>${one}`,
  };
};

export const crystal: Draw = (random, coat) => {
  const tones = shades(
    coat ??
      pick(random, [
        [0.72, 0.13, 300],
        [0.75, 0.11, 210],
        [0.74, 0.14, 345],
      ] as const),
  );
  const shard = (x: number, top: number, wide: number, lean: number) =>
    `<g transform="rotate(${lean} ${x} 98)">${fill(tones.base, `M${x - wide} 100V${top + wide}L${x} ${top}V100Z`)}${fill(tones.dark, `M${x + wide} 100V${top + wide}L${x} ${top}V100Z`)}${fill(tones.light, `M${x - wide} ${top + wide}L${x} ${top}L${x - wide * 0.2} ${top + wide * 1.6}L${x - wide * 0.5} 100H${x - wide}Z`)}</g>`;
  return {
    body: '',
    glow:
      shard(28, 48, 7, -24) +
      shard(72, 44, 8, 22) +
      shard(40, 26, 9, -9) +
      shard(62, 20, 9, 9) +
      shard(50, 2, 11, 0) +
      shard(18, 74, 6, -34) +
      shard(83, 72, 6, 32),
  };
};
