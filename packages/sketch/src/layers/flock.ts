import { css, mix, rgb } from '../colour.ts';
import { between } from '../random.ts';
import { MILLI, overlay } from '../vector.ts';
import type { Layer } from './layer.ts';

/** A loose flock, far away. */
export const flock: Layer = async (canvas, scene) => {
  if (!scene.elements.has('birds') || scene.ground === 'none') return;
  const random = scene.streams('flock');
  const ink = css(mix(rgb(scene.palette.land), rgb(scene.palette.haze), 0.25));
  const cx = between(random, 0.2, 0.8) * scene.aspect * MILLI;
  const cy = between(random, 0.16, 0.34) * MILLI;
  let drawn = '';
  for (let bird = 0; bird < 5 + Math.floor(random() * 6); bird++) {
    const x = cx + between(random, -130, 130);
    const y = cy + between(random, -50, 50) + (x - cx) * 0.15;
    const span = between(random, 8, 17);
    const lift = span * between(random, 0.25, 0.6);
    drawn += `M${x - span} ${y - lift}Q${x - span * 0.4} ${y - lift * 1.15} ${x} ${y}Q${x + span * 0.4} ${y - lift * 1.15} ${x + span} ${y - lift * 0.9}Q${x + span * 0.4} ${y - lift * 0.55} ${x} ${y + span * 0.16}Q${x - span * 0.4} ${y - lift * 0.55} ${x - span} ${y - lift}Z`;
  }
  await overlay(canvas, `<path d="${drawn}" fill="${ink}"/>`, { strength: 0.85 });
};
