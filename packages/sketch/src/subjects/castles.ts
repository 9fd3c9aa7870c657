import { box, type Draw, fill, line, shades } from './figure.ts';
import { pane } from './panes.ts';

function turret(
  x: number,
  top: number,
  wide: number,
  foot: number,
  stone: { base: string; dark: string },
  roof: { base: string; dark: string },
  flag: string,
): string {
  const peak = top - wide * 1.9;
  return (
    box(stone.base, x, top, wide, foot - top) +
    box(stone.dark, x + wide * 0.62, top, wide * 0.38, foot - top) +
    box(stone.base, x - wide * 0.12, top - 1, wide * 1.24, 4.4) +
    fill(roof.base, `M${x - wide * 0.2} ${top}L${x + wide / 2} ${peak}L${x + wide * 1.2} ${top}Z`) +
    fill(roof.dark, `M${x + wide / 2} ${peak}L${x + wide * 1.2} ${top}H${x + wide * 0.66}Z`) +
    line('#4a4252', 0.7, `M${x + wide / 2} ${peak + 1}V${peak - 7}`) +
    fill(flag, `M${x + wide / 2} ${peak - 7}L${x + wide / 2 + 7} ${peak - 5}L${x + wide / 2} ${peak - 2.6}Z`)
  );
}

export const castle: Draw = (_random, coat) => {
  const stone = shades([0.74, 0.03, 70]);
  const roof = shades(coat ?? [0.46, 0.11, 260]);
  const flag = '#d8483f';
  const teeth = (x: number, y: number, count: number) =>
    Array.from({ length: count }, (_, tooth) => box(stone.base, x + tooth * 4.6, y - 3.4, 2.8, 4)).join('');
  return {
    body:
      fill(shades([0.42, 0.03, 90]).base, 'M-6 104C4 90 18 84 32 82H70C86 86 98 94 106 104Z') +
      turret(42, 22, 15, 84, stone, roof, flag) +
      turret(27, 38, 10, 88, stone, roof, flag) +
      turret(64, 34, 11, 88, stone, roof, flag) +
      box(stone.base, 30, 54, 42, 36) +
      box(stone.dark, 56, 54, 16, 36) +
      teeth(30, 54.4, 9) +
      turret(10, 56, 11, 94, stone, roof, flag) +
      turret(79, 54, 12, 95, stone, roof, flag) +
      box(stone.base, 18, 70, 64, 26) +
      box(stone.dark, 60, 70, 22, 26, 0) +
      teeth(18.4, 70.4, 14) +
      fill('#4b3a3a', 'M43 96V84C43 77 57 77 57 84V96Z') +
      line('#2f2528', 0.8, 'M47 79.6V96M50 78.6V96M53 79.6V96'),
    glow:
      pane(48, 32, 3.4, 6) +
      pane(48, 43, 3.4, 6) +
      pane(30.4, 46, 2.8, 5) +
      pane(68, 44, 2.8, 5) +
      pane(36, 62, 3, 5) +
      pane(62, 62, 3, 5) +
      pane(14, 66, 2.8, 5) +
      pane(83.4, 64, 2.8, 5) +
      pane(26, 80, 2.8, 5) +
      pane(70, 80, 2.8, 5),
  };
};

export const tower: Draw = (_random, coat) => {
  const stone = shades(coat ?? [0.68, 0.03, 70]);
  const joints = [
    [42, 44],
    [52, 52],
    [44, 62],
    [54, 70],
    [42, 78],
    [50, 86],
    [55, 40],
  ]
    .map(([x = 0, y = 0]) => `M${x} ${y}h5`)
    .join('');
  return {
    body:
      fill(shades([0.42, 0.04, 110]).base, 'M8 102C22 90 36 88 50 88C66 88 80 92 94 102Z') +
      fill(stone.base, 'M39 34H61L65 96H35Z') +
      fill(stone.dark, 'M53 34H61L65 96H54Z') +
      box(stone.base, 35, 26, 30, 9, 1) +
      box(stone.dark, 54, 26, 11, 9, 1) +
      [35, 42, 49, 56, 62].map((x) => box(stone.base, x, 21, 3.6, 6)).join('') +
      line(stone.deep, 0.7, joints) +
      fill(shades([0.45, 0.09, 140]).base, 'M36 96C35 84 38 76 41 70C40 80 43 86 42 97Z') +
      fill('#42333a', 'M46 97V88C46 83 54 83 54 88V97Z'),
    glow: pane(48.4, 42, 3.2, 7) + pane(46, 60, 3.2, 7) + pane(52, 74, 3, 6),
  };
};
