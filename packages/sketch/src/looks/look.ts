import type { Canvas } from '../canvas.ts';
import type { Scene } from '../scene.ts';

/** What a look may know besides the picture. */
export interface FilterContext {
  scene: Scene;
  /** The steps that were asked for, 1 to 50. */
  steps: number;
}

/** One filter of a look over what is there. */
export type Filter = (canvas: Canvas, context: FilterContext) => void | Promise<void>;

/** How a workflow makes a picture of a scene: its passes after each part of the scene. */
export interface Look {
  sky: readonly Filter[];
  land: readonly Filter[];
  subjects: readonly Filter[];
  /** How much of each side a border takes that is drawn over everything, in picture heights. */
  border?(scene: Scene): number;
  /** Over everything, the air included. */
  picture: readonly Filter[];
}

/** A filter that pictures of fewer steps do without. */
export function fromSteps(steps: number, filter: Filter): Filter {
  return (canvas, context) => (context.steps < steps ? undefined : filter(canvas, context));
}
