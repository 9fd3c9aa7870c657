import { cover, illuminate, setPixel, shade } from '../canvas.ts';
import { css, gradient, mix, rgb } from '../colour.ts';
import { COLOURS } from '../lexicon/colours.ts';
import { fractalNoise, smoothstep } from '../noise.ts';
import { between } from '../random.ts';
import { limb } from '../subjects/figure.ts';
import { MILLI, overlay } from '../vector.ts';
import { placesOf, repeated } from './beyond.ts';
import type { Layer } from './layer.ts';

/** The sea from inside: light from above, sand below, weeds and coral at the sides. */
export const depths: Layer = async (canvas, scene, detail) => {
  const random = scene.streams('depths');
  const hue = 205 + between(random, -16, 22);
  const wish = scene.colours[0] && COLOURS[scene.colours[0]][2];
  const tone = wish ?? hue;
  const water = gradient([
    [0, [0.86, 0.09, tone - 18]],
    [0.3, [0.66, 0.115, tone]],
    [0.7, [0.42, 0.1, tone + 22]],
    [1, [0.25, 0.075, tone + 40]],
  ]);
  const rays = fractalNoise(scene.streams('rays'), 3);
  const sourceX = between(random, 0.3, 0.7) * scene.aspect;
  shade(canvas, (x, y, pixel) => {
    setPixel(pixel, water(y * 0.92));
    const angle = (x - sourceX) / Math.max(0.1, y + 0.35);
    const ray = smoothstep(0.0, 0.8, rays(angle * 3.2, 0.3) + 0.25);
    illuminate(
      pixel,
      [0.8, 1, 0.96],
      ray * 0.34 * Math.max(0, 1 - y) ** 1.6 * smoothstep(-0.3, 0, y) * Math.exp(-angle * angle * 1.4),
    );
  });
  const hill = fractalNoise(scene.streams('seabed'), 3);
  for (const [index, level] of [0.76, 0.87].entries()) {
    const colour = rgb(index === 0 ? [0.36, 0.075, tone + 18] : [0.5, 0.06, tone - 60]);
    const bed = mix(colour, rgb([0.4, 0.09, tone + 20]), index === 0 ? 0.4 : 0.35);
    const deep = rgb([0.3, 0.06, tone + 20]);
    shade(
      canvas,
      (x, y, pixel) => {
        const top = level + 0.05 * hill(x * 1.4 + index * 7, index);
        const covered = Math.min(1, Math.max(0, (y - top) * canvas.unit + 0.5));
        if (covered > 0) cover(pixel, mix(bed, deep, smoothstep(0, 0.25, y - top) * 0.6), covered);
      },
      { ...canvas.area, top: level - 0.06 },
    );
    let weeds = '';
    for (let weed = 0; weed < 15 * scene.aspect * (0.5 + 0.5 * detail.abundance); weed++) {
      const lane = random();
      if (Math.abs(lane - 0.5) < 0.16) continue;
      const x = lane * scene.aspect * MILLI;
      const foot = (level + 0.06 + 0.1 * random() * (index + 0.3)) * MILLI;
      const tall = between(random, 60, 210) * (0.6 + 0.5 * index);
      const sway = between(random, -30, 30);
      const shadeOf = rgb([
        between(random, 0.34, 0.5) + 0.06 * index,
        0.1,
        random() < 0.3 ? between(random, 0, 40) : between(random, 140, 185),
      ]);
      const tint = css(mix(shadeOf, rgb([0.42, 0.1, tone + 15]), 0.55 - 0.35 * index));
      weeds += `<path d="${limb([x, foot, 6 + 4 * index], [x + sway * 0.5, foot - tall * 0.35, 7], [x - sway * 0.6, foot - tall * 0.7, 5], [x + sway, foot - tall, 1])}" fill="${tint}"/>`;
    }
    await overlay(canvas, repeated(weeds, placesOf(canvas, scene)));
  }
};
