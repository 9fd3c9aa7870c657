import type { Canvas } from '../canvas.ts';
import type { Scene } from '../scene.ts';

/** The level of detail, which grows with the steps. */
export interface Detail {
  /** Octaves of the noise of clouds and rock, 2 to 6. */
  octaves: number;
  /** Share of all blades, stars and flakes that are drawn, 0 to 1. */
  abundance: number;
}

/** Paints one thing over what is there. Looks the same, only coarser, on a smaller canvas of the same aspect. */
export type Layer = (canvas: Canvas, scene: Scene, detail: Detail) => void | Promise<void>;
