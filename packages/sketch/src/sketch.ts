import type { Workflow } from './looks/workflows.ts';

/** Everything that decides a picture. Plain data, as it is posted to a worker thread. */
export interface SketchRequest {
  prompt: string;
  negativePrompt: string;
  /** Decides the look. */
  workflow: Workflow;
  /** Pixels of the frame that the scene is composed for: a multiple of it shows the same, larger. */
  width: number;
  height: number;
  /** How far the picture goes on beyond that frame, in pixels. */
  margins?: Margins;
  /** What of it is there already, and stays as it is: an encoded picture, and where its upper left corner is. */
  kept?: { bytes: Uint8Array; left: number; top: number };
  steps: number;
  seed: number;
  /**
   * Another picture around the same composition: pose, light, palette, and time, weather and season where the prompt
   * leaves them open. Any whole number; without one, or with 0, the picture of the seed alone.
   */
  variation?: number;
  cfg: number;
}

/** Pixels on each side. */
export interface Margins {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The size of the whole picture, in pixels. */
export function sizeOf({ width, height, margins }: SketchRequest): { width: number; height: number } {
  const { left, top, right, bottom } = margins ?? NONE;
  return { width: width + left + right, height: height + top + bottom };
}

/** Whether a picture is drawn by itself: one of 4096 × 4096 takes 0.9 GB and half a minute of a core. */
export function isLarge(request: SketchRequest): boolean {
  const { width, height } = sizeOf(request);
  return width * height > 2048 ** 2;
}

export const NONE: Margins = { left: 0, top: 0, right: 0, bottom: 0 };

export interface SketchProgress {
  /** 0 to 99, never falling; 100 is the finished picture itself. */
  percent: number;
  /** A small WebP of the unfinished picture. */
  preview?: Uint8Array;
}

export interface Sketch {
  /** What the prompt names and the picture does not show, as it is written there: at most eight words or names. */
  notDrawn: readonly string[];
  /** A PNG. */
  bytes: Uint8Array;
  /** Pixels. */
  width: number;
  height: number;
}
