import type { Graph, Workflow } from '@darkroom/image-api';

/** What a task asks an engine to draw. Every value is given: the engine fills in no defaults and draws no seed. */
export interface Drawing {
  taskId: string;
  workflow: Workflow;
  /** The positive prompt, or a complete graph, whose own values then win over the ones below. */
  prompt: string | Graph;
  negativePrompt: string;
  /** Pixels. */
  width: number;
  height: number;
  steps: number;
  /** `UNKNOWN_SEED` where a graph does not say it. */
  seed: number;
  cfg: number;
  model: string | undefined;
}

/** A drawing before there is a task for it. */
export type DrawingParameters = Omit<Drawing, 'taskId'>;

/** In place of a seed that is not known, and told to nobody. */
export const UNKNOWN_SEED = -1;

/** How far a drawing is. */
export interface Progress {
  /** 0 to 99, never falling; 100 is the finished picture itself. */
  percent: number;
  /** A small WebP of the unfinished picture, where the engine has one. */
  preview?: Uint8Array;
}

/** What an engine draws. */
export interface DrawnPicture {
  bytes: Uint8Array;
  contentType: 'image/png' | 'image/webp' | 'image/jpeg';
  width: number;
  height: number;
  /** What the prompt names and the picture does not show, where the engine knows; a few words each. */
  notDrawn?: readonly string[];
}

/** A drawing that cannot be made, in words that the account's owner may read. */
export class DrawingError extends Error {
  override readonly name = 'DrawingError';
}

/**
 * Why a drawing is stopped; the reason of the signal of `draw`.
 *
 * - `closing`: the process ends and a later one will draw the task, so what runs on another machine is left running.
 * - `lost`: this process no longer holds the task.
 * - `deadline`: the task has run out of time.
 */
export type StopReason = 'closing' | 'lost' | 'deadline';

/** Why an engine will not draw something, for whoever asked for it. */
export interface Rejection {
  field: 'prompt' | 'model';
  /** A sentence. */
  reason: string;
  /** The values that are allowed, where they can be listed. */
  allowed?: readonly string[];
}

/** A machine that an engine draws on. */
export interface EngineServer {
  /** Host and port. */
  readonly name: string;
  /** Whether it answers, as it was found within the last half minute. */
  isHealthy(signal: AbortSignal): Promise<boolean>;
}

/** Draws pictures. A drawing that fails rejects with a `DrawingError`; any other error is unexpected. */
export interface Engine {
  readonly name: string;
  /** The machines that it draws on, where there are some. */
  readonly servers?: readonly EngineServer[];
  /**
   * Checks a request before it costs anything. Undefined where it is fine, or where that cannot be known now: then the
   * drawing itself may fail.
   */
  rejection?(request: Pick<Drawing, 'prompt' | 'workflow' | 'model'>): Promise<Rejection | undefined>;
  /** What it would draw otherwise than asked, in sentences for whoever asked. */
  warnings?(request: DrawingParameters): readonly string[];
  draw(
    drawing: Drawing,
    options: { signal: AbortSignal; onProgress(progress: Progress): void },
  ): Promise<DrawnPicture>;
  close(): Promise<void>;
}
