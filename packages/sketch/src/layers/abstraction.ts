import { chance, pick } from '../random.ts';
import { bands } from './bands.ts';
import { discs } from './discs.ts';
import type { Layer } from './layer.ts';
import { ribbons } from './ribbons.ts';

/** No place at all: one of several compositions of shapes, by lot; folded bands where waves are asked for. */
export const abstraction: Layer = (canvas, scene, detail) => {
  const random = scene.streams('abstraction');
  const calm = scene.moods.includes('plain') || scene.moods.includes('calm');
  const layer = pick(random, calm && chance(random, 0.5) ? [discs, bands] : [bands, discs, ribbons, ribbons]);
  return layer(canvas, scene, detail);
};
