import type { Graph } from '../../contract/graph.ts';
import type { Workflow } from '../../contract/limits.ts';

/** What a task asks an engine to draw. Every value is decided: no defaults and no randomness are left to the engine. */
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

/** In place of a seed: one that nobody is told. */
export const UNKNOWN_SEED = -1;

/** Something seen of a drawing on its way. */
export interface Development {
  /** 0 to 99, never falling; 100 is the finished picture itself. */
  percent: number;
  /** A small WebP of what is there so far, where the engine has one. */
  preview?: Uint8Array;
}

export interface Picture {
  bytes: Uint8Array;
  contentType: 'image/png' | 'image/webp' | 'image/jpeg';
  width: number;
  height: number;
}

/** A drawing that cannot be made, in words that the account's owner may read. */
export class DrawingError extends Error {
  override readonly name = 'DrawingError';
}

/**
 * Why a drawing is stopped: the process ends and a later one draws the task, so what is under way elsewhere is kept
 * for it; the task is no longer wanted from this process; its time is over. The reason of the signal of `draw`.
 */
export type Stop = 'closing' | 'lost' | 'deadline';

/** Why something is not drawn, for whoever asked for it. */
export interface Objection {
  field: 'prompt' | 'model';
  /** A sentence. */
  reason: string;
  /** What may be asked for instead, where that can be listed. */
  allowed?: readonly string[];
}

/** What makes the pixels. A failed drawing rejects with a `DrawingError`; any other error counts as unexpected. */
export interface Engine {
  readonly name: string;
  /** Speaks up before anything costs; undefined where there is nothing to say, or nothing can be known at the moment. */
  objection?(asked: Pick<Drawing, 'prompt' | 'workflow' | 'model'>): Promise<Objection | undefined>;
  /** What it would draw otherwise than asked, in sentences for whoever asked. */
  warnings?(asked: Omit<Drawing, 'taskId'>): readonly string[];
  draw(
    drawing: Drawing,
    watch: { signal: AbortSignal; onDevelopment(development: Development): void },
  ): Promise<Picture>;
  close(): Promise<void>;
}
