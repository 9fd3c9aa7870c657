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
