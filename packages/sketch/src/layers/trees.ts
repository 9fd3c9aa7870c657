import { lit, mix, rgb } from '../colour.ts';
import { distant } from '../palette.ts';
import { BARREN } from '../placing.ts';
import { between, chance, type Random } from '../random.ts';
import type { Scene } from '../scene.ts';
import { MILLI, overlay } from '../vector.ts';
import { placesOf, repeated } from './beyond.ts';
import type { Layer } from './layer.ts';
import { bamboo, broadleaf, fir, type Leafage, palm } from './tree-shapes.ts';

/** Rows of trees between the backdrop and the ground, and a few tall ones that frame the view. */
export const trees: Layer = async (canvas, scene, detail) => {
  const { elements, place, horizon, aspect } = scene;
  const bare = BARREN.has(place) || ['city', 'street', 'sea', 'island'].includes(place);
  if (!elements.has('trees') || bare) return;
  const random = scene.streams('trees');
  const forest = place === 'forest';
  const rows = forest ? 3 : scene.water ? 1 : 2;
  for (let row = 0; row < rows; row++) {
    const near = (row + 1) / rows;
    const distance = (1 - near) * 0.5 + (forest ? 0.12 : 0.18);
    const foot = horizon + (scene.water ? 0.008 : 0.05 + near * 0.09);
    const tall = (forest ? 0.2 + near * 0.22 : 0.05 + near * near * 0.17) * Math.min(1, aspect + 0.2);
    const count = Math.round((forest ? 9 : 8) * aspect * (0.5 + 0.5 * detail.abundance) * (1.6 - near * 0.6));
    const clearing = forest ? 0.22 * near : 0.3 + 0.22 * near;
    let drawn = '';
    for (let tree = 0; tree < count; tree++) {
      const lane = (tree + random()) / count;
      const towardsEdge = Math.abs(lane - 0.5) * 2;
      if (towardsEdge < clearing) continue;
      const size = tall * between(random, 0.6, 1.1) * (0.55 + 0.6 * towardsEdge);
      drawn += treeOf(scene, random, lane * aspect, foot + between(random, -0.01, 0.015), size, distance);
    }
    await overlay(canvas, repeated(drawn, placesOf(canvas, scene)));
  }
};

/** Large dark trees at the sides, in front of everything. */
export const frame: Layer = async (canvas, scene) => {
  const wooded = scene.place === 'forest' || (scene.place === 'mountains' && scene.actors.length === 0);
  const random = scene.streams('frame');
  let drawn = '';
  if (scene.place === 'island' && scene.elements.has('trees')) {
    const side =
      (scene.actors[0]?.x ?? scene.aspect * between(random, 0.4, 0.6)) < scene.aspect / 2 ? 0.86 : 0.14;
    for (let tree = 0; tree < 3; tree++) {
      drawn += treeOf(
        scene,
        random,
        (side + between(random, -0.1, 0.1)) * scene.aspect,
        between(random, 0.93, 1),
        between(random, 0.5, 0.82) * Math.min(1, scene.aspect),
        0,
      );
    }
    await overlay(canvas, drawn);
    return;
  }
  if (!scene.elements.has('trees') || !wooded || scene.style === 'photographic') return;
  for (const side of [0.0, 1.0]) {
    const count = chance(random, 0.5) ? 2 : 1;
    for (let tree = 0; tree < count; tree++) {
      const x = (side + (side === 0 ? 1 : -1) * between(random, -0.03, 0.05)) * scene.aspect;
      if (scene.actors.some((actor) => Math.abs(actor.x - x) < actor.size * 0.5 + 0.14)) continue;
      drawn += treeOf(
        scene,
        random,
        x,
        between(random, 1.02, 1.08),
        between(random, 0.72, 0.98) * Math.min(1, scene.aspect + 0.1),
        -0.1,
      );
    }
  }
  const dark = lit(rgb(scene.palette.land), mix(scene.palette.light, [1, 1, 1], 0.3));
  await overlay(canvas, drawn, {
    tint(_x, y, colour) {
      const share = 0.62 - 0.2 * y;
      for (const channel of [0, 1, 2] as const)
        colour[channel] += (dark[channel] * 0.75 - colour[channel]) * share;
    },
  });
};

/** SVG of a tree that stands at (x, y), `tall` high, in picture heights. */
function treeOf(
  scene: Scene,
  random: Random,
  footX: number,
  footY: number,
  tall: number,
  distance: number,
): string {
  const [x, y, size] = [footX * MILLI, footY * MILLI, tall * MILLI];
  const leafage = leafageOf(scene, random, distance);
  if (scene.elements.has('bamboo')) return bamboo(random, x, y, size, leafage);
  if (scene.place === 'island') return palm(random, x, y, size, leafage);
  const snowy = scene.ground === 'snow';
  const blossom = scene.elements.has('petals');
  if (!blossom && (snowy || scene.season !== 'autumn' || chance(random, 0.25))) {
    if (snowy || scene.place === 'mountains' || scene.place === 'lake' || chance(random, 0.6)) {
      const snow = distant(scene.palette, [0.95, 0.015, 245], Math.max(0, distance));
      return fir(random, x, y, size, leafage, snowy ? snow : undefined);
    }
  }
  return broadleaf(random, x, y, size * 0.85, leafage);
}

function leafageOf(scene: Scene, random: Random, distance: number): Leafage {
  const away = Math.max(0, distance);
  const hue = between(random, -14, 14);
  const surface = scene.elements.has('petals')
    ? ([0.82, 0.1, 355 + hue] as const)
    : scene.season === 'autumn' && scene.ground !== 'snow' && !scene.elements.has('bamboo')
      ? ([between(random, 0.55, 0.7), 0.15, 52 + hue * 1.7] as const)
      : scene.ground === 'snow'
        ? ([0.36, 0.045, 200 + hue] as const)
        : ([between(random, 0.4, 0.48), 0.085, 150 + hue] as const);
  const bright = distant(scene.palette, surface, away);
  const shade = lit(
    distant(scene.palette, [surface[0] * 0.72, surface[1], surface[2]], away),
    [0.95, 0.95, 1],
  );
  return { bright, dark: shade, trunk: distant(scene.palette, [0.3, 0.04, 50], away) };
}
