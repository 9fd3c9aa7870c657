import { dab, setPixel, shade } from '../canvas.ts';
import { css, gradient, mix, rgb } from '../colour.ts';
import { fractalNoise } from '../noise.ts';
import { between } from '../random.ts';
import { svg } from '../svg.ts';
import { MILLI, overlay } from '../vector.ts';
import { tonesOf } from './abstract-tones.ts';
import { placesOf, repeated } from './beyond.ts';
import type { Layer } from './layer.ts';

/** Ribbons that drift along one current, the further ones dim, the nearer ones bright. */
export const ribbons: Layer = async (canvas, scene, detail) => {
  const random = scene.streams('ribbons');
  const current = fractalNoise(scene.streams('current'), 2);
  const {
    hues: [ground],
    tone,
    energy,
  } = tonesOf(scene);
  const { aspect } = scene;
  const dark = rgb([Math.min(0.26, ground[0] * 0.5), Math.min(0.08, ground[1]), ground[2]]);
  const deep = gradient([
    [0, [Math.min(0.24, ground[0] * 0.5), Math.min(0.08, ground[1]), ground[2]]],
    [1, [Math.min(0.4, ground[0] * 0.8), Math.min(0.12, ground[1]), ground[2]]],
  ]);
  shade(canvas, (_x, y, pixel) => setPixel(pixel, deep(y)));
  const heading = between(random, -0.5, 0.5);
  const bend = 0.7 + energy * 2.2;
  const scale = 0.55 + energy * 0.75;
  const hotX = between(random, 0.25, 0.75) * aspect;
  const hotY = between(random, 0.3, 0.7);
  dab(canvas, { x: hotX, y: hotY, radius: 0.75, colour: tone(0.75), strength: 0.4, edge: 0, light: true });
  const count = Math.round((60 + 120 * detail.abundance) * Math.sqrt(aspect));
  const step = 0.022;
  let drawn = '';
  for (let ribbon = 0; ribbon < count; ribbon++) {
    const near = ribbon / (count - 1);
    let x = between(random, -0.25, 1.05) * aspect;
    let y = random() * 1.3 - 0.15;
    const length = Math.round(between(random, 18, 56) * (0.7 + near * 0.5));
    const points: string[] = [svg`M${x * MILLI} ${y * MILLI}`];
    for (let at = 0; at < length; at++) {
      const angle = heading + bend * current(x * scale, y * scale);
      x += Math.cos(angle) * step;
      y += Math.sin(angle) * step;
      points.push(svg`L${x * MILLI} ${y * MILLI}`);
    }
    const wide = between(random, 3, 8) + 26 * random() ** 3 * (1.3 - near * 0.5);
    const warm = Math.exp(-(((x - hotX) / 0.6) ** 2) - ((y - hotY) / 0.5) ** 2);
    const own = tone(Math.min(1, Math.max(0, 0.15 + 0.55 * random() + 0.35 * warm)));
    const colour = mix(dark, own, 0.35 + 0.65 * near);
    const path = points.join('');
    drawn +=
      svg`<path d="${path}" stroke="${css(mix(colour, dark, 0.75))}" stroke-width="${wide * 1.25 + 2}" opacity="0.4" transform="translate(0 ${2 + wide * 0.16})"/>` +
      svg`<path d="${path}" stroke="${css(colour)}" stroke-width="${wide}"/>` +
      svg`<path d="${path}" stroke="${css(mix(colour, [1, 1, 1], 0.45))}" stroke-width="${wide * 0.18}" opacity="${(0.25 + 0.5 * near).toFixed(2)}" transform="translate(0 ${-wide * 0.24})"/>`;
  }
  const everywhere = repeated(drawn, placesOf(canvas, scene, { everywhere: true }));
  const all = `<g fill="none" stroke-linecap="round" stroke-linejoin="round">${everywhere}</g>`;
  await overlay(canvas, all);
};
