import { columnOf, cover, dab, middleOf, setPixel, shade } from '../canvas.ts';
import { gradient, mix, rgb } from '../colour.ts';
import { fractalNoise, smoothstep } from '../noise.ts';
import { between } from '../random.ts';
import { tonesOf } from './abstract-tones.ts';
import type { Layer } from './layer.ts';

/** Folded bands of colour, one behind the other, each with a lit edge. */
export const bands: Layer = (canvas, scene, detail) => {
  const random = scene.streams('bands');
  const fold = fractalNoise(scene.streams('folds'), 2);
  const { hues, tone: colours, energy } = tonesOf(scene);
  const dark = rgb([0.2, 0.09, hues[0][2]]);
  const bright = rgb([0.93, 0.08, (hues.at(-1) ?? hues[0])[2]]);
  const slope = between(random, -0.45, 0.45);
  const sky = gradient([
    [0, [0.16, 0.06, hues[0][2]]],
    [1, [0.38, 0.12, hues[0][2]]],
  ]);
  shade(canvas, (_x, y, pixel) => setPixel(pixel, sky(y)));
  const sunX = between(random, 0.25, 0.75) * scene.aspect;
  dab(canvas, { x: sunX, y: 0.24, radius: 0.5, colour: bright, strength: 0.5, edge: 0, light: true });
  dab(canvas, {
    x: sunX,
    y: 0.24,
    radius: between(random, 0.09, 0.13) * Math.min(1, scene.aspect),
    colour: bright,
    strength: 0.95,
    edge: 1,
  });
  const count = 7 + Math.round(detail.abundance * 7);
  for (let band = 0; band < count; band++) {
    const near = band / (count - 1);
    const seed = random() * 50;
    const wide = between(random, 0.7, 1.5) * (0.55 + energy * 0.9);
    const own = colours((near * 1.9 + 0.5 * random()) % 1);
    const crest = Float32Array.from({ length: canvas.width }, (_, column) => {
      const x = middleOf(canvas, column);
      return (
        0.2 +
        near * 0.72 +
        slope * (x - scene.aspect / 2) * (1 - near) +
        (0.06 + 0.14 * energy) * fold(x * wide + seed, near * 2) +
        (0.01 + 0.04 * energy) * Math.sin(x * 7 + seed)
      );
    });
    shade(canvas, (x, y, pixel) => {
      const top = crest[Math.min(canvas.width - 1, columnOf(canvas, x))] ?? 0;
      const below = y - top;
      const covered = Math.min(1, Math.max(0, below * canvas.unit + 0.5));
      if (covered === 0) {
        if (below > -0.06) cover(pixel, dark, 0.3 * (1 + below / 0.06) ** 2);
        return;
      }
      const sheen = Math.exp(-below * 16);
      let colour = mix(mix(own, dark, 0.62 * smoothstep(0, 0.3, below)), bright, sheen * 0.36);
      if (below < 0.0045) colour = mix(bright, colour, 0.25);
      const line = Math.abs(((below * 34 + 0.5 * fold(x * 3 + seed, y * 3)) % 1) - 0.5);
      cover(pixel, mix(colour, bright, line < 0.045 ? 0.16 * (1 - below * 3) : 0), covered);
    });
  }
};
