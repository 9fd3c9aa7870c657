import { between, pick } from '../random.ts';
import { box, type Draw, fill, INK, line, oval, shades } from './figure.ts';

const BINDINGS = ['#8a2f35', '#2f4f7a', '#3f6b4a', '#b98a3e', '#5a3f6b', '#c9bfa8', '#7a4a2f'] as const;

/** Lies open. */
export const book: Draw = (_random, coat) => {
  const cover = shades(coat ?? [0.42, 0.12, 28]);
  const page = (side: 1 | -1) =>
    fill(
      side < 0 ? '#fbf5e6' : '#efe5cf',
      `M50 66C${50 + side * 14} 56 ${50 + side * 38} 58 ${50 + side * 52} 64L${50 + side * 62} 90C${50 + side * 40} 84 ${50 + side * 16} 84 50 93Z`,
    ) +
    [70, 75, 80]
      .map((y) =>
        line(
          '#a99f8e',
          0.9,
          `M${50 + side * 9} ${y}C${50 + side * 22} ${y - 5} ${50 + side * 36} ${y - 4} ${50 + side * (44 + (y - 70) * 0.4)} ${y - 1}`,
        ),
      )
      .join('');
  return {
    body:
      fill(cover.base, 'M50 70L-6 66L-18 96C10 92 34 92 50 99C66 92 90 92 118 96L106 66Z') +
      fill(cover.dark, 'M50 96L118 92V96C90 92 66 92 50 99C34 92 10 92 -18 96V92Z') +
      page(-1) +
      page(1) +
      line('#b9ad98', 1, 'M50 66V93') +
      fill('#c23b3f', 'M52 67L55 67L58 97L55.6 95L53 97Z'),
  };
};

/** Five shelves, full but for a gap here and there. */
export const bookcase: Draw = (random, coat) => {
  const wood = shades(coat ?? [0.42, 0.07, 50]);
  let books = '';
  for (const floor of [18, 38, 58, 78, 98]) {
    for (let x = 12; x < 86; ) {
      const wide = between(random, 2.4, 5);
      const tall = between(random, 11, 16);
      if (random() > 0.08) books += box(pick(random, BINDINGS), x, floor - tall, wide - 0.4, tall, 0.4);
      x += wide;
    }
    books += box(wood.base, 9, floor, 82, 2.4);
  }
  return {
    body:
      box(wood.deep, 8, -2, 84, 102, 1) +
      books +
      box(wood.base, 6, -4, 4, 104) +
      box(wood.dark, 90, -4, 4, 104) +
      box(wood.light, 4, -7, 92, 5, 1),
  };
};

/** A grand piano with its lid up, and a stool. */
export const piano: Draw = (_random, coat) => {
  const lacquer = shades(coat ?? [0.24, 0.015, 270]);
  const leg = (x: number) => box(lacquer.deep, x, 70, 4, 28, 1) + oval('#c9a14e', x + 2, 98, 2.4, 1.6);
  const drawing =
    line(lacquer.deep, 1.6, 'M84 54L88 20') +
    fill(lacquer.dark, 'M26 50C40 20 84 2 110 6C112 18 108 40 104 52Z') +
    leg(24) +
    leg(58) +
    leg(96) +
    box('#c9a14e', 26, 51, 78, 3) +
    fill(lacquer.base, 'M14 58C14 54 20 53 26 53H104C112 56 112 70 104 72H18C14 70 14 62 14 58Z') +
    fill(lacquer.light, 'M28 57H100C104 57 104 60 100 60H28Z', 'opacity="0.5"') +
    box('#fbf6ee', 6, 59, 18, 4) +
    [8, 11, 14, 17, 20].map((x) => box(INK, x, 59, 1.4, 2.4)).join('') +
    box(lacquer.dark, 5, 63, 20, 7, 1) +
    box('#fbf6ee', 27, 36, 13, 15, 1) +
    line('#8a8490', 0.8, 'M29 40H38M29 43H38M29 46H36') +
    box('#7a2f35', -20, 76, 20, 6, 2.5) +
    line(lacquer.deep, 2, 'M-17 82V98M-3 82V98');
  // Wider than the box that it has to itself.
  return { body: `<g transform="translate(15 24) scale(0.76)">${drawing}</g>` };
};
