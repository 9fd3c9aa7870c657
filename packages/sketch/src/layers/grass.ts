import { type Canvas, dab } from '../canvas.ts';
import { css, lit, mix, type Oklch, rgb } from '../colour.ts';
import { between, pick, type Random } from '../random.ts';
import type { Scene } from '../scene.ts';
import { svg } from '../svg.ts';
import { MILLI, overlay } from '../vector.ts';
import { moved, placesOf, repeated } from './beyond.ts';
import type { Detail } from './layer.ts';

/** Blades, and flowers among them, below `crest` (y at x). `near`: 0 far away to 1 at the viewer's feet. */
export async function grass(
  canvas: Canvas,
  scene: Scene,
  detail: Detail,
  random: Random,
  crest: (x: number) => number,
  near: number,
  colour: Oklch,
): Promise<void> {
  if (!scene.elements.has('grass')) return;
  const { aspect, palette } = scene;
  const blades = Math.round((near > 0.5 ? 520 : 260) * aspect * detail.abundance);
  const tints = [0.72, 0.86, 1.06].map((lightness) =>
    css(
      mix(
        lit(rgb([colour[0] * lightness, colour[1] * 1.05, colour[2] + (1 - lightness) * 30]), palette.light),
        rgb(palette.haze),
        near > 0.5 ? 0 : 0.25,
      ),
    ),
  );
  const places = placesOf(canvas, scene, { below: 1 - scene.horizon });
  const paths = ['', '', ''];
  for (let blade = 0; blade < blades; blade++) {
    const x = random() * aspect;
    const depth = random() ** 1.6;
    const y = crest(x) + 0.004 + depth * (1.02 - crest(x));
    const tall = (0.008 + 0.03 * depth) * between(random, 0.6, 1.3) * (0.6 + 0.4 * near) * MILLI;
    const lean = between(random, -0.5, 0.6) * tall;
    const wide = Math.max(0.7, tall * 0.07);
    const px = x * MILLI;
    const py = y * MILLI;
    paths[Math.floor(random() * 3)] +=
      svg`M${px - wide} ${py}Q${px + lean * 0.2} ${py - tall * 0.6} ${px + lean} ${py - tall}Q${px + lean * 0.4 + wide} ${py - tall * 0.5} ${px + wide} ${py}Z`;
  }
  const drawn = paths.map((path, index) => `<path d="${path}" fill="${tints[index]}"/>`).join('');
  const area = { ...canvas.area, top: scene.horizon };
  await overlay(canvas, repeated(drawn, places), { area, strength: 0.85 });
  if (scene.elements.has('flowers')) blossoms(canvas, scene, detail, random, crest, near);
}

function blossoms(
  canvas: Canvas,
  scene: Scene,
  detail: Detail,
  random: Random,
  crest: (x: number) => number,
  near: number,
): void {
  const hues = pick(random, [
    [25, 60, 350],
    [300, 280, 330],
    [95, 70, 40],
    [350, 0, 320],
  ]);
  const count = Math.round((near > 0.5 ? 190 : 120) * scene.aspect * detail.abundance);
  for (let flower = 0; flower < count; flower++) {
    const x = random() * scene.aspect;
    const depth = random() ** 1.3;
    const y = crest(x) + depth * (1 - crest(x));
    const radius = (0.0016 + 0.0075 * depth ** 1.5) * between(random, 0.7, 1.2);
    const hue = hues[Math.floor(random() * hues.length)] ?? 0;
    const petal = lit(rgb([0.74, 0.17, hue]), mix(scene.palette.light, [1, 1, 1], 0.25));
    for (const place of placesOf(canvas, scene, { below: 1 - scene.horizon })) {
      const at = moved(x, y, place);
      for (let leaf = 0; leaf < 5; leaf++) {
        const angle = (leaf / 5) * Math.PI * 2 + flower;
        dab(canvas, {
          x: at.x + Math.cos(angle) * radius * 0.7,
          y: at.y + Math.sin(angle) * radius * 0.5,
          radius: radius * 0.55,
          colour: petal,
          strength: 0.95,
          edge: 0.85,
        });
      }
      dab(canvas, { ...at, radius: radius * 0.38, colour: [1, 0.88, 0.45], strength: 1, edge: 0.8 });
    }
  }
}
