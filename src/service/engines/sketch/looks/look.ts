import type { Canvas } from '../canvas.ts';
import type { Scene } from '../scene.ts';

/** What a look may know besides the picture. */
export interface Craft {
  scene: Scene;
  /** The steps that were asked for, 1 to 50. */
  steps: number;
}

/** One pass of a look over what is there. */
export type Pass = (canvas: Canvas, craft: Craft) => void | Promise<void>;

/** How a workflow makes a picture of a scene: its passes after each part of the scene. */
export interface Look {
  sky: readonly Pass[];
  land: readonly Pass[];
  subjects: readonly Pass[];
  /** Over everything, the air included. */
  picture: readonly Pass[];
}

/** A pass that pictures of fewer steps do without. */
export function since(steps: number, pass: Pass): Pass {
  return (canvas, craft) => (craft.steps < steps ? undefined : pass(canvas, craft));
}
