import type { Oklch } from '../colour.ts';
import { fractalNoise, ridgedNoise } from '../noise.ts';
import { BARREN } from '../placing.ts';
import { between } from '../random.ts';
import type { Scene } from '../scene.ts';
import type { Detail } from './layer.ts';

type Land = Exclude<Scene['backdrop'], 'none' | 'city'>;

export interface Ridge {
  /** y of its crest at x. */
  crest: (x: number) => number;
  /** Where it has sunk into the haze. */
  foot: number;
  /** About its highest point. */
  peak: number;
  distance: number;
  surface: Oklch;
  rocky: boolean;
  fringe: number;
}

const SHAPES: Record<Land, { count: number; rise: number; pace: number }> = {
  mountains: { count: 4, rise: 0.36, pace: 0.85 },
  hills: { count: 4, rise: 0.13, pace: 1.1 },
  forest: { count: 4, rise: 0.16, pace: 1.3 },
  dunes: { count: 4, rise: 0.15, pace: 0.8 },
};

/** The ridges that close the view, farthest first. */
export function ranges(scene: Scene, land: Land, detail: Detail): Ridge[] {
  const { count, rise, pace } = SHAPES[land];
  const random = scene.streams('ridges');
  const height = rise * between(random, 0.85, 1.15) * (scene.aspect < 0.85 ? 0.85 : 1);
  const bare = BARREN.has(scene.place);
  return Array.from({ length: count }, (_, index) => {
    const near = index / (count - 1);
    const foothill = land === 'mountains' && near > 0.5 && !bare;
    const kind = foothill ? 'hills' : land;
    const profile = profileOf(kind, scene, index, detail);
    const base = scene.water
      ? scene.horizon + 0.015
      : scene.horizon + 0.02 + near * (land === 'mountains' ? 0.1 : 0.2);
    const tall = foothill
      ? 0.34 - near * 0.12
      : land === 'mountains' || land === 'forest'
        ? 1 - near * 0.55
        : 0.45 + near * 0.35;
    const amplitude = height * tall * (scene.water ? 1 - near * 0.25 : 1);
    const offset = random() * 60;
    const lift = (1 - near) * height * 0.1;
    const speed = pace * (1 + near * 0.5) * (foothill ? 1.5 : 1);
    const wooded =
      scene.elements.has('trees') && land !== 'dunes' && !bare && (land === 'forest' || foothill);
    return {
      crest: (x: number) => base - lift - amplitude * profile(x * speed + offset),
      foot: base + 0.05,
      peak: base - lift - amplitude,
      distance:
        scene.place === 'moonscape' ? 0.3 * (1 - near) : 0.06 + (foothill ? 0.42 : 0.6) * (1 - near) ** 0.9,
      surface: surfaceOf(scene, kind),
      rocky: kind === 'mountains',
      fringe: wooded ? 0.012 + 0.03 * near : 0,
    };
  });
}

function profileOf(land: Land, scene: Scene, index: number, detail: Detail): (x: number) => number {
  const name = `ridge ${index}`;
  const rough = ridgedNoise(scene.streams(name), land === 'mountains' ? Math.min(6, detail.octaves + 1) : 2);
  const smooth = fractalNoise(scene.streams(name), land === 'dunes' ? 1 : 2);
  const peaks = (x: number) => {
    const bold = 1 - Math.abs(smooth(x * 0.9, index * 3.7));
    return bold ** 1.6 * 0.72 + rough(x * 1.6, index * 5.1) ** 2 * 0.3 + 0.12 * smooth(x * 0.4, 9);
  };
  const round = (x: number) => 0.5 + 0.5 * smooth(x, index * 3.7);
  const blown = (x: number) => 1 - Math.abs(smooth(x + 0.25 * smooth(x * 0.7, 5), index * 3.7)) ** 0.8;
  const natural = land === 'mountains' ? peaks : land === 'dunes' ? blown : round;
  if (scene.style !== 'poster' || land === 'dunes') return natural;
  const knot = land === 'mountains' ? 0.12 : 0.3;
  return (x) => {
    const left = Math.floor(x / knot);
    const share = x / knot - left;
    const height = (index: number) =>
      natural(index * knot) * (land === 'mountains' && index % 2 !== 0 ? 0.52 : 1.05);
    return height(left) * (1 - share) + height(left + 1) * share;
  };
}

function surfaceOf(scene: Scene, land: Land): Oklch {
  const { palette, ground, place, season } = scene;
  if (place === 'mars') return [0.5, 0.115, 38];
  if (land === 'dunes') return [0.68, 0.11, 66];
  if (place === 'moonscape') return [0.62, 0.015, 260];
  if (land === 'mountains') return [palette.land[0] + 0.1, palette.land[1] * 0.7, palette.land[2]];
  if (ground === 'snow' && land === 'hills') return [0.9, 0.02, 250];
  if (ground === 'snow') return [0.45, 0.03, 230];
  if (season === 'autumn') return [0.5, 0.12, 50];
  return [palette.land[0] + 0.06, palette.land[1], palette.land[2]];
}
