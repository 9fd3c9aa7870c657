import { css, rgb } from '../colour.ts';
import { between, chance } from '../random.ts';
import { box, fill, line } from '../subjects/figure.ts';
import { MILLI, overlay } from '../vector.ts';
import type { Layer } from './layer.ts';
import { roomOf } from './room.ts';

/** A board with jars and a plant or two. */
export const shelf: Layer = async (canvas, scene) => {
  const { shelf: board, shown } = roomOf(scene);
  const random = scene.streams('shelf');
  const wood = css(shown([0.52, 0.36, 0.25]));
  const x = board.x * MILLI;
  const y = board.y * MILLI;
  const wide = board.wide * MILLI;
  const things = [0.1, 0.3, 0.5, 0.7, 0.9].map((share) => {
    const middle = x + wide * share;
    const tone = css(shown(rgb([between(random, 0.5, 0.8), 0.1, between(random, 20, 260)])));
    const tall = between(random, 44, 84);
    const half = between(random, 0.045, 0.07) * wide;
    return chance(random, 0.35)
      ? plant(middle, y, tone, css(shown([0.37, 0.56, 0.33])))
      : jar(middle, y, half, tall, tone, wood);
  });
  const brackets = `M${x + 14} ${y + 12}V${y + 40}L${x + 36} ${y + 12}M${x + wide - 14} ${y + 12}V${y + 40}L${x + wide - 36} ${y + 12}`;
  const drawn = things.join('') + box(wood, x - 12, y, wide + 24, 12, 2) + line(wood, 6, brackets);
  await overlay(canvas, drawn);
};

function jar(x: number, y: number, half: number, tall: number, tone: string, lid: string): string {
  return (
    box(tone, x - half, y - tall, half * 2, tall, 7) +
    box(lid, x - half * 0.8, y - tall - 9, half * 1.6, 10, 3)
  );
}

function plant(x: number, y: number, pot: string, leaf: string): string {
  const leaves = `M${x} ${y - 40}C${x - 40} ${y - 60} ${x - 34} ${y - 92} ${x - 22} ${y - 96}C${x - 8} ${y - 88} ${x - 4} ${y - 76} ${x} ${y - 62}C${x + 2} ${y - 84} ${x + 14} ${y - 100} ${x + 26} ${y - 96}C${x + 36} ${y - 80} ${x + 26} ${y - 56} ${x} ${y - 40}Z`;
  return fill(leaf, leaves) + fill(pot, `M${x - 22} ${y - 44}H${x + 22}L${x + 16} ${y}H${x - 16}Z`);
}
