import { pick } from '../random.ts';
import { box, type Draw, fill, INK, line, oval, type Shades, shades, WHITE } from './figure.ts';

/** What floats, with a hull of the colour that was asked for. */
const afloat =
  (draw: (hull: Shades) => string): Draw =>
  (random, coat) => {
    const hull = shades(
      coat ??
        pick(random, [
          [0.45, 0.08, 40],
          [0.5, 0.16, 28],
          [0.42, 0.09, 250],
        ] as const),
    );
    return { body: draw(hull) };
  };

export const boat = afloat(
  (hull) =>
    line('#5a4034', 1.8, 'M52 84V4') +
    fill('#fdf4e3', 'M50 8C38 30 28 54 14 76C28 80 40 80 50 78Z') +
    fill('#efdcc2', 'M50 8C46 34 42 58 36 79.4C42 79.6 46 79 50 78Z') +
    fill('#f6e6cf', 'M55 14C66 34 76 56 84 74C74 78 64 78 55 76Z') +
    fill('#d9483f', 'M52 4L64 7L52 10Z') +
    fill(hull.base, 'M8 82H92C90 92 84 99 78 101H24C16 98 10 90 8 82Z') +
    fill(hull.dark, 'M12 90C40 95 66 95 89 90C86 96 82 99.6 78 101H24C18 98.6 14 94.6 12 90Z') +
    line(WHITE, 1.2, 'M9.4 85.4H90.8'),
);

export const rowboat = afloat(
  (hull) =>
    fill('#4b352a', 'M-14 74C10 82 84 82 114 72C108 80 96 84 50 84C10 84 -8 82 -14 74Z') +
    box('#8a6a4c', 22, 76, 10, 5, 1) +
    box('#8a6a4c', 58, 76, 10, 5, 1) +
    fill(hull.base, 'M-14 74C10 84 84 84 114 72C108 92 98 101 84 101H18C2 101 -10 88 -14 74Z') +
    fill(hull.dark, 'M-8 86C22 94 78 94 108 86C102 95 94 101 84 101H18C6 101 -3 95 -8 86Z') +
    line(hull.light, 1.6, 'M-13 75C12 84.6 84 84.6 113 73') +
    line('#c9a273', 2.4, 'M40 70L10 100M70 70L98 99') +
    fill('#c9a273', 'M13 94L4 106L9 108L17 98ZM95 94L104 105L99 108L91 98Z'),
);

export const ship = afloat((hull) => {
  const sail = (x: number, top: number, wide: number, tall: number) =>
    fill(
      '#fbf1de',
      `M${x - wide / 2} ${top}H${x + wide / 2}C${x + wide * 0.42} ${top + tall * 0.5} ${x + wide * 0.5} ${top + tall * 0.8} ${x + wide * 0.6} ${top + tall}C${x + wide * 0.2} ${top + tall * 0.86} ${x - wide * 0.3} ${top + tall * 0.86} ${x - wide * 0.58} ${top + tall}C${x - wide * 0.66} ${top + tall * 0.6} ${x - wide * 0.6} ${top + tall * 0.3} ${x - wide / 2} ${top}Z`,
    ) +
    fill(
      '#e3d2b6',
      `M${x + wide * 0.1} ${top}H${x + wide / 2}C${x + wide * 0.42} ${top + tall * 0.5} ${x + wide * 0.5} ${top + tall * 0.8} ${x + wide * 0.6} ${top + tall}C${x + wide * 0.4} ${top + tall * 0.9} ${x + wide * 0.3} ${top + tall * 0.88} ${x + wide * 0.16} ${top + tall * 0.88}Z`,
      'opacity="0.8"',
    );
  return (
    line('#5a4034', 1.6, 'M28 82V16M52 82V4M74 82V20M10 76L-6 62') +
    sail(28, 20, 18, 22) +
    sail(28, 46, 22, 24) +
    sail(52, 8, 20, 24) +
    sail(52, 36, 26, 32) +
    sail(74, 24, 16, 20) +
    sail(74, 47, 19, 22) +
    fill('#e8d8bc', 'M-4 64L16 44L18 72Z') +
    fill('#d9483f', 'M52 4L63 6L52 9Z') +
    fill(hull.base, 'M2 74L14 80H76L80 70H98C97 84 92 96 86 101H22C12 96 5 86 2 74Z') +
    fill(hull.dark, 'M8 86C36 92 70 92 95 86C92 94 90 98 86 101H22C16 98 11 92 8 86Z') +
    line('#e3b55a', 1.1, 'M8 82C36 86 70 86 96 81') +
    [26, 38, 50, 62, 74].map((x) => box(INK, x, 87.6, 3.4, 3)).join('')
  );
});

export const train: Draw = (_random, coat) => {
  const paint = shades(coat ?? [0.45, 0.13, 28]);
  const wheel = (x: number, radius: number) =>
    oval(INK, x, 98 - radius, radius) +
    oval('#8a8490', x, 98 - radius, radius * 0.55) +
    oval(INK, x, 98 - radius, radius * 0.2);
  const wagon = (x: number) =>
    box(paint.base, x, 58, 56, 30, 3) +
    box(paint.dark, x, 76, 56, 12, 2) +
    box('#3a333f', x - 1, 54, 58, 5, 2) +
    box(INK, x - 5, 86, 6, 2.4) +
    wheel(x + 11, 6) +
    wheel(x + 45, 6);
  const panes = (x: number) =>
    [0, 1, 2, 3].map((index) => box('#ffd98a', x + 5 + index * 12.4, 63, 9, 9, 1)).join('');
  return {
    body: `${line('#4b4450', 2, 'M-60 99.4H240')}${wagon(78)}${wagon(142)}${box('#33303c', 6, 56, 46, 24, 11)}${box(paint.base, 44, 42, 28, 46, 2)}${box('#33303c', 40, 38, 36, 5, 2)}${box('#33303c', 12, 36, 8, 22)}${box(paint.base, 9.6, 33, 13, 5, 1)}${box('#c9a14e', 28, 48, 6, 9, 3)}${box(paint.dark, 4, 78, 70, 10, 2)}${fill('#33303c', 'M6 88L-8 98H10Z')}${line('#c9a14e', 1.4, 'M22 56.6V79M34 56.6V79')}${wheel(20, 8)}${wheel(38, 8)}${wheel(60, 8)}${line('#c9c3cc', 1.8, 'M20 90H60')}`,
    glow: `<g fill="#fff" opacity="0.5">${oval('#fff', 16, 24, 7)}${oval('#fff', 28, 12, 10)}${oval('#fff', 46, 2, 13)}${oval('#fff', 70, -4, 15)}${oval('#fff', 98, -6, 17)}</g>${box('#ffd98a', 50, 49, 15, 13, 1)}${panes(78)}${panes(142)}${oval('#fff3c4', 5.6, 62, 3)}${oval('#ffe59a', 2, 62, 8, 8, 'opacity="0.35"')}`,
  };
};

export const car: Draw = (random, coat) => {
  const paint = shades(
    coat ??
      pick(random, [
        [0.58, 0.19, 28],
        [0.68, 0.1, 200],
        [0.82, 0.14, 88],
      ] as const),
  );
  const wheel = (x: number) =>
    oval('#26222c', x, 86, 12) + oval('#d9d5da', x, 86, 6.4) + oval('#7d7884', x, 86, 3);
  return {
    body: `${oval('#000', 50, 97, 70, 3.4, 'opacity="0.25"')}${fill(paint.base, 'M-22 84C-24 72 -18 66 -6 63L18 60C26 44 36 38 54 38C74 38 86 46 96 60C112 61 120 66 122 76L121 86H-21Z')}${fill(paint.dark, 'M-22 78C20 82 80 82 122 76L121 86H-21Z')}${fill('#bfe0ea', 'M26 60C32 49 39 45 50 44.6V60Z')}${fill('#9fcbdc', 'M55 44.6C70 44.6 79 50 87 60H55Z')}${line(WHITE, 1.2, 'M-14 69C10 65 30 64 60 64')}${box('#e9e6e6', -24, 80, 12, 4, 2)}${box('#e9e6e6', 112, 80, 12, 4, 2)}${line(paint.deep, 0.9, 'M52.6 60V82M26 62V81')}${wheel(6)}${wheel(94)}`,
    glow: `${oval('#fff2c0', -17, 72, 3.4, 4)}${oval('#ff6a5a', 119.6, 71, 2, 3.4)}`,
  };
};

export const rocket: Draw = (_random, coat) => {
  const trim = shades(coat ?? [0.58, 0.2, 28]);
  return {
    body: `<g transform="rotate(14 50 60)">${fill(trim.dark, 'M38 58C26 64 22 74 23 86L39 78Z')}${fill(trim.dark, 'M62 58C74 64 78 74 77 86L61 78Z')}${fill('#f4f2f0', 'M50 -2C62 10 67 28 66 48C65 62 62 72 60 78H40C38 72 35 62 34 48C33 28 38 10 50 -2Z')}${fill('#cfcfd8', 'M50 -2C62 10 67 28 66 48C65 62 62 72 60 78H53C58 50 58 20 50 -2Z')}${fill(trim.base, 'M50 -2C57 5 61.4 13 63.6 22H36.4C38.6 13 43 5 50 -2Z')}${oval('#6b7386', 50, 38, 8.4)}${oval('#7fc4e6', 50, 38, 6)}${oval('#fff', 48, 36, 1.8)}${fill(trim.base, 'M47 58H53V86H47Z')}${box('#5a5f6e', 42, 77, 16, 4, 1)}</g>`,
    glow: `<g transform="rotate(14 50 60)"><path d="M42 81C36 96 42 106 50 124C58 106 64 96 58 81Z" fill="#ff8b2f"/><path d="M45 81C42 92 46 100 50 110C54 100 58 92 55 81Z" fill="#ffe28a"/></g>`,
  };
};

export const balloon: Draw = (random, coat) => {
  const first = shades(
    coat ??
      pick(random, [
        [0.6, 0.19, 28],
        [0.62, 0.14, 250],
        [0.78, 0.15, 80],
      ] as const),
  );
  const second = shades(
    pick(random, [
      [0.9, 0.06, 90],
      [0.85, 0.12, 85],
      [0.93, 0.02, 80],
    ] as const),
  );
  const gore = (a: number, b: number, colour: string) =>
    fill(
      colour,
      `M50 2C${50 + a * 36} 2 ${50 + a * 50} 40 ${50 + a * 12} 72H${50 + b * 12}C${50 + b * 50} 40 ${50 + b * 36} 2 50 2Z`,
    );
  return {
    body:
      gore(-1.02, 1.02, first.base) +
      gore(-0.64, 0.64, second.base) +
      gore(-0.3, 0.3, first.base) +
      gore(0.62, 1.02, first.dark) +
      fill('#000', 'M62 5C86 18 84 46 62 72H56C74 44 74 20 62 5Z', 'opacity="0.1"') +
      fill('#fff', 'M30 14C20 24 19 38 27 52C24 38 26 24 36 10Z', 'opacity="0.28"') +
      line('#5a4034', 0.8, 'M39 72L44 88M61 72L56 88M46 72L47.6 88M54 72L52.4 88') +
      box('#8a5a35', 43, 87, 14, 11, 2.4) +
      line('#c08a54', 1.2, 'M43 90.4H57'),
    glow: fill('#ffd277', 'M47.6 80C46.6 76 49 74.6 50 71C51 74.6 53.4 76 52.4 80Z'),
  };
};

export const bicycle: Draw = (_random, coat) => {
  const frame = shades(coat ?? [0.55, 0.13, 190]);
  const wheel = (x: number) =>
    `<circle cx="${x}" cy="78" r="19" fill="none" stroke="#2d2833" stroke-width="2.4"/>${line('#8a8490', 0.5, Array.from({ length: 8 }, (_, spoke) => `M${x} 78L${(x + 18 * Math.cos((spoke * Math.PI) / 4)).toFixed(1)} ${(78 + 18 * Math.sin((spoke * Math.PI) / 4)).toFixed(1)}`).join(''))}`;
  return {
    body:
      wheel(18) +
      wheel(84) +
      line(frame.base, 3, 'M18 78L30 46L68 48L50 78L31 49M50 78H84L68 48') +
      line('#3b2f35', 2.6, 'M28 40L30 46M22 39C26 37 32 38 36 36M66 42L68 48M60 41H74') +
      oval('#3b2f35', 50, 78, 4) +
      line('#3b2f35', 1.6, 'M50 78L46 86') +
      box('#b98a58', 8, 40, 16, 12, 2) +
      oval('#e8798c', 12, 38, 4) +
      oval('#f2c14e', 18, 37, 4) +
      oval('#f4f0ea', 22, 39, 3),
  };
};
