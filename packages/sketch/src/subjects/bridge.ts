import { svg } from '../svg.ts';
import { box, type Draw, line, shades } from './figure.ts';

export const bridge: Draw = (_random, coat) => {
  const steel = shades(coat ?? [0.56, 0.17, 32]);
  const hangers = Array.from({ length: 27 }, (_, index) => {
    const x = -68 + index * 8.8;
    const t = (x - 50) / 52;
    const sag = Math.abs(t) <= 1 ? 18 + 50 * (1 - t * t) : 18 + 50 * Math.min(1, (Math.abs(t) - 1) / 1.15);
    return svg`M${x} ${Math.min(72, sag)}V74`;
  }).join('');
  const pylon = (x: number) =>
    box(steel.base, x - 3, 12, 3, 90) +
    box(steel.dark, x + 1, 12, 3, 90) +
    box(steel.base, x - 3, 24, 7, 3) +
    box(steel.base, x - 3, 44, 7, 3);
  return {
    body:
      line(steel.dark, 0.6, hangers) +
      line(steel.base, 1.6, 'M-70 76Q-30 64 -2 16Q50 120 102 16Q130 64 170 76') +
      pylon(-2) +
      pylon(102) +
      box(steel.dark, -110, 74, 320, 4) +
      box(steel.base, -110, 73, 320, 1.6),
  };
};
