import type { Workflow } from './looks/workflows.ts';

/** Everything that decides a picture. Plain data, as it is posted to a worker thread. */
export interface SketchRequest {
  prompt: string;
  negativePrompt: string;
  /** Decides the look. */
  workflow: Workflow;
  /** Pixels. */
  width: number;
  height: number;
  steps: number;
  seed: number;
  /**
   * Another picture around the same composition: pose, light, palette, and time, weather and season where the prompt leaves
   * them open. Any whole number; without one, or with 0, the picture of the seed alone.
   */
  variation?: number;
  cfg: number;
}

/** How far a picture is. */
export interface SketchProgress {
  /** 0 to 99, never falling; 100 is the finished picture itself. */
  percent: number;
  /** A small WebP of the unfinished picture. */
  preview?: Uint8Array;
}

/** A finished picture. */
export interface Sketch {
  /** What the prompt names and the picture does not show, as it is written there: at most eight words or names. */
  notDrawn: readonly string[];
  bytes: Uint8Array;
  contentType: 'image/png';
  /** Pixels. */
  width: number;
  height: number;
}
