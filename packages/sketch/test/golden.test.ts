import { expect, it } from 'vitest';
import { createCanvas } from '../src/canvas.ts';
import { css, rgb } from '../src/colour.ts';
import { toPixels } from '../src/encode.ts';
import { clouds } from '../src/layers/clouds.ts';
import { luminary } from '../src/layers/luminary.ts';
import { ridges } from '../src/layers/ridges.ts';
import { sky } from '../src/layers/sky.ts';
import { stars } from '../src/layers/stars.ts';
import { water } from '../src/layers/water.ts';
import { fractalNoise } from '../src/noise.ts';
import { createStreams } from '../src/random.ts';
import { hash, sceneOf } from './support/sketch.ts';

it('draws random numbers and noise that never change', () => {
  const random = createStreams('golden')('numbers');
  expect([random(), random(), random()]).toMatchInlineSnapshot(`
    [
      0.3110563117079437,
      0.7675579129718244,
      0.29136196710169315,
    ]
  `);
  const noise = fractalNoise(createStreams('golden')('noise'), 4);
  expect([noise(0.1, 0.2), noise(7.5, -3.25)].map((value) => value.toFixed(9))).toMatchInlineSnapshot(`
    [
      "0.588468436",
      "-0.327778575",
    ]
  `);
});

it('turns OKLCH into the colours that CSS makes of it', () => {
  expect(css(rgb([0.628, 0.25768, 29.234]))).toBe('#ff0000');
  expect(css(rgb([0.5, 0, 0]))).toBe('#636363');
  expect(css(rgb([0.452, 0.31321, 264.052]))).toBe('#0000ff');
});

/** Layers without vector drawings, whose rendering differs between versions of librsvg. */
it('paints sky, stars, moon, clouds, mountains and water to the last pixel', async () => {
  const scene = sceneOf('a lake in the mountains at night, cloudy, moon and stars');
  const canvas = createCanvas(96, 96, () => {});
  for (const layer of [sky, stars, luminary, clouds, ridges, water]) {
    await layer(canvas, scene, { octaves: 4, abundance: 1 });
  }
  expect(hash(toPixels(canvas))).toMatchInlineSnapshot(
    `"1ebc731702af6d73ed6b7aa5be6750820759d75092534c2ffc9f7eb50516988b"`,
  );
});
