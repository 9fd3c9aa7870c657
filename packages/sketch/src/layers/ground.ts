import { type Canvas, columnOf, cover, middleOf, shade } from '../canvas.ts';
import { lit, mix, type Oklch, type Rgb, rgb } from '../colour.ts';
import { HABITATS } from '../habitat.ts';
import { fractalNoise, gridded, smoothstep } from '../noise.ts';
import { between, type Random } from '../random.ts';
import type { Scene } from '../scene.ts';
import { craters } from './craters.ts';
import { grass } from './grass.ts';
import type { Detail, Layer } from './layer.ts';

/** The land at the viewer's feet: one swell behind and one in front, with what grows on it. */
export const ground: Layer = async (canvas, scene, detail) => {
  if (
    scene.ground === 'none' ||
    scene.ground === 'paving' ||
    (scene.backdrop === 'city' && scene.water && !standsOnLand(scene))
  )
    return;
  const random = scene.streams('ground');
  const levels = scene.water
    ? shores(scene, random)
    : [scene.horizon + 0.085, scene.horizon + (1 - scene.horizon) * 0.52];
  for (const [index, level] of levels.entries()) {
    const near = levels.length === 1 ? 1 : index / (levels.length - 1);
    await swell(canvas, scene, detail, random, level, near);
  }
};

function standsOnLand(scene: Scene): boolean {
  return scene.actors.some((actor) => actor.y > scene.horizon && HABITATS[actor.kind].footing !== 'water');
}

function shores(scene: Scene, random: Random): number[] {
  const foot = Math.min(
    ...scene.actors.filter((actor) => actor.y > scene.horizon).map((actor) => actor.y),
    2,
  );
  const wet =
    scene.actors.length === 0 ||
    scene.actors.every(({ kind }) => HABITATS[kind].footing !== 'ground' || kind === 'bridge');
  if (wet) return scene.place === 'sea' || scene.backdrop === 'city' ? [] : [between(random, 0.92, 0.96)];
  return [Math.max(scene.horizon + 0.09, Math.min(0.93, foot - 0.05))];
}

const SURFACES: Record<Exclude<Scene['ground'], 'none' | 'paving'>, Oklch> = {
  grass: [0.55, 0.12, 138],
  snow: [0.95, 0.016, 245],
  sand: [0.8, 0.085, 78],
  rock: [0.62, 0.012, 265],
};

/** The colour of the ground in white light. */
function surface(scene: Scene): Oklch {
  if (scene.ground === 'none' || scene.ground === 'paving') return scene.palette.land;
  const base = SURFACES[scene.ground];
  if (scene.ground === 'grass' && scene.season === 'autumn') return [0.56, 0.11, 72];
  if (scene.ground === 'grass') return [base[0], base[1], base[2] + (scene.palette.land[2] > 180 ? 8 : 0)];
  if (scene.place === 'mars') return [0.58, 0.125, 38];
  if (scene.place === 'desert') return [0.72, 0.115, 64];
  return base;
}

async function swell(
  canvas: Canvas,
  scene: Scene,
  detail: Detail,
  random: Random,
  level: number,
  near: number,
): Promise<void> {
  const { palette, aspect, light } = scene;
  const roll = fractalNoise(scene.streams(`swell ${near}`), 2);
  const grain = fractalNoise(scene.streams(`grain ${near}`), Math.min(4, detail.octaves));
  const shift = random() * 20;
  const crest = (x: number) => level + 0.026 * roll(x * 1.15 + shift, near * 9);
  const colour = surface(scene);
  const own = lit(rgb(colour), mix(palette.light, [1, 1, 1], scene.ground === 'snow' ? 0.12 : 0));
  const base =
    scene.ground === 'grass' ? mix(own, rgb(palette.land), scene.time === 'day' ? 0.18 : 0.46) : own;
  const soft = mix(base, rgb(palette.haze), 0.42 - 0.3 * near);
  const shadowTint: Rgb =
    scene.ground === 'snow' ? mix(base, rgb(palette.zenith), 0.42) : lit(base, [0.56, 0.56, 0.66]);
  const warm = mix(base, rgb(palette.glow), scene.time === 'day' ? 0.16 : 0.3);
  const area = { ...canvas.area, top: level - 0.05 };
  const relief = gridded(
    (x, y) =>
      grain(
        x * 2.3 + 0.4 * y + shift,
        (y - crest(x)) * (scene.ground === 'sand' || scene.ground === 'snow' ? 6 : 9) + near * 5,
      ),
    area,
    1 / Math.min(canvas.unit, 400),
  );
  const lightX = light?.x ?? aspect / 2;
  const crests = Float32Array.from({ length: canvas.width }, (_, column) => crest(middleOf(canvas, column)));
  shade(
    canvas,
    (x, y, pixel) => {
      const top = crests[Math.min(canvas.width - 1, columnOf(canvas, x))] ?? 0;
      const covered = Math.min(1, Math.max(0, (y - top) * canvas.unit + 0.5));
      if (covered === 0) return;
      const below = (y - top) / (1 - level + 0.02);
      const bump = relief(x, y);
      let shown = mix(soft, base, smoothstep(0, 0.35, below));
      const lee = smoothstep(0.0, 0.85, bump + below * 0.25) * (scene.style === 'poster' ? 0.35 : 0.6);
      shown = mix(shown, shadowTint, lee);
      const facing = smoothstep(0.1, 0.7, -bump) * Math.exp(-(((x - lightX) / 0.55) ** 2));
      shown = mix(shown, warm, facing * 0.7 + 0.25 * Math.exp(-below * 26));
      shown = mix(shown, lit(shadowTint, [0.8, 0.8, 0.86]), smoothstep(0.35, 1.1, below) * 0.5);
      cover(pixel, shown, covered);
    },
    area,
  );
  if (scene.ground === 'rock') craters(canvas, scene, random, crest, near);
  if (scene.ground === 'grass') await grass(canvas, scene, detail, random, crest, near, colour);
}
