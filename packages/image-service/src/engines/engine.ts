import { type EFFECTS, type Graph, LIMITS, type Workflow } from '@darkroom/image-api/contract';
import type { Size } from './size.ts';

/** What a task asks an engine to draw. Every value is given: the engine fills in no defaults and picks no seed. */
export interface Drawing {
  taskId: string;
  /** Which workflow of the interface it is drawn as; one that an operator defines is drawn like one of these. */
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
  /** The seed of a picture whose composition stays, while `seed` draws the rest of it anew. */
  variationOf: number | undefined;
  /** Whether what is indecent may be drawn. */
  nsfw?: boolean | undefined;
  /** The pictures that it begins with; nothing but words where it is undefined. */
  source?: Source | undefined;
}

export type PromptedDrawing = Drawing & { prompt: string };

/** A picture that a drawing begins with. */
export interface InputPicture {
  /** Its name in the place for pictures. */
  file: string;
  /** Pixels. */
  width: number;
  height: number;
  /** What it was drawn from, where the engine that is asked has drawn it. */
  drawing?: DrawingParameters | undefined;
}

/** What is made of pictures. The size of the result is the drawing's. */
export type Source =
  | {
      operation: 'edit';
      images: readonly InputPicture[];
      /** What is to change of the first one, in white; of the same proportions. The rest stays as it is. */
      mask?: InputPicture | undefined;
      /** 0 to 1: 1 changes the most. */
      strength: number;
    }
  | { operation: 'upscale'; image: InputPicture; scale: 2 | 4 }
  | { operation: 'expand'; image: InputPicture; margins: Margins }
  | { operation: 'remove_background'; image: InputPicture };

/** How much is added on each side, in pixels. */
interface Margins {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export type DrawingParameters = Omit<Drawing, 'taskId'>;

/** In place of a seed that is not known, and told to nobody. */
export const UNKNOWN_SEED = -1;

export interface Progress {
  /** 0 to 99, falling only where it is drawn `anew`; 100 is the finished picture itself. */
  percent: number;
  /** Whether this is all that counts: what was drawn before is lost, and nothing of that is paid for. */
  anew?: boolean;
  /** A small WebP of the unfinished picture, where the engine has one. */
  preview?: Uint8Array;
  /** Its place among all that waits for the machines that draw it, from 1; nothing once it is being drawn. */
  position?: number;
  /** In how many milliseconds those expect it to be done. */
  endsInMs?: number;
}

export interface DrawnPicture {
  /** A PNG. */
  bytes: Uint8Array;
  width: number;
  height: number;
  /** What the prompt names and the picture does not show, where the engine knows; a few words each. */
  notDrawn?: readonly string[];
}

/** A drawing that cannot be made, in words that the account's owner may read. */
export class DrawingError extends Error {
  override readonly name = 'DrawingError';
}

/** The graph itself keeps a drawing from its end, on any server: of a caller's, what was drawn until then is paid for. */
export class GraphError extends DrawingError {}

/** Whoever draws is paid for a picture, and withholds it for what it may show: the task costs its whole price. */
export class WithheldError extends DrawingError {}

/**
 * Why a drawing is stopped; the reason of the signal of `draw`.
 *
 * - `closing`: the process ends and a later one will draw the task, so what runs on another machine is left running.
 * - `unheld`: the lease has ended, or another run has begun: likewise.
 * - `lost`: the task has ended elsewhere.
 * - `deadline`: the task has run out of time.
 */
export type StopReason = 'closing' | 'unheld' | 'lost' | 'deadline';

/** Whether what runs on another machine is left running, where the signal of a drawing has stopped it. */
export const isLeftRunning = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && (reason === 'closing' || reason === 'unheld');

/** A parameter of a submission that an engine may make nothing of. */
export type Effect = (typeof EFFECTS)[number];

export interface Abilities {
  effects: readonly Effect[];
  /** Whether it runs complete node graphs. */
  graphs: boolean;
  /** Whether it draws from words alone: some models only change pictures. */
  fromWords: boolean;
  /** A width and a height become multiples of so many pixels. */
  sizeStep: number;
  /** The most pixels of a picture. */
  maxPixels: number;
  /** The only sizes that there are, where not any. */
  sizes?: readonly Size[];
  maxSteps: number;
  /** Whether the unfinished picture can be seen. */
  previews: boolean;
  /** Whether a drawing that is cancelled is not drawn to its end. */
  cancelling: boolean;
  /** Whether prompts and pictures pass through the hands of strangers. */
  seenByStrangers: boolean;
  /** Whose machines they are sent to, where not the operator's own or those strangers'. */
  sentTo?: string | undefined;
}

/** What an engine can make of pictures in a workflow; what it cannot is left out. */
export interface Operations {
  edit?: {
    /** The most pictures that one drawing begins with. */
    images: number;
    mask: boolean;
    /** Whether `strength` has an effect: where it has none, the words say what is to change. */
    strength: boolean;
  };
  upscale?: OperationOfPictures;
  expand?: OperationOfPictures;
  remove_background?: OperationOfPictures;
}

export interface OperationOfPictures {
  /** It works with what the engine has drawn itself from words, and with no other picture. */
  ownOnly?: boolean;
  /** What whoever asks for it with this picture and prompt is to be told; a sentence as a warning has it. */
  warning?(image: InputPicture, prompt: Drawing['prompt']): string | undefined;
}

/** Nearly whatever can be asked for: `nsfw` and `variation_of` are an engine's own to add. */
export const ALL_ABILITIES: Abilities = {
  effects: ['negative_prompt', 'steps', 'seed', 'cfg', 'model'],
  graphs: true,
  fromWords: true,
  sizeStep: 1,
  maxPixels: LIMITS.width.max * LIMITS.height.max,
  maxSteps: LIMITS.steps.max,
  previews: true,
  cancelling: true,
  seenByStrangers: false,
};

/** Why an engine will not draw something, for whoever asked for it: never, as far as anybody knows. */
export interface Rejection {
  field: 'prompt' | 'model' | 'workflow' | 'operation' | 'image' | 'mask' | 'expand';
  /** A sentence. */
  reason: string;
  /** The values that are allowed, where they can be listed. */
  allowed?: readonly string[];
}

/** Why an engine draws nothing at the moment. */
export interface Unavailable {
  /** A sentence. */
  reason: string;
  retryAfterMs: number;
}

/** Which drawing an engine may refuse. */
export type RequestedDrawing = Pick<Drawing, 'prompt' | 'workflow' | 'model' | 'source'>;

export interface EngineServer {
  /** Host and port. */
  readonly name: string;
  /** Whether it answers, as it was found within the last half minute. */
  isHealthy(signal: AbortSignal): Promise<boolean>;
  /** Why it is not, in a sentence, where that is more than silence. */
  problem?(): string | undefined;
}

/** What a drawing costs the operator: money as they count it, or what the machine that drew it tells. */
export interface Expense {
  unit: 'money' | 'tokens' | 'credits' | 'kudos';
  amount: number;
}

/**
 * What `remember` is told of a drawing that cannot be stopped once it is asked for, and is paid for in any case: a task
 * that is cancelled meanwhile costs its whole price.
 */
export const ASKED = 'asked';
/** What `remember` is told once that has been refused, and is not paid for: cancelled now, the task costs nothing. */
export const NOT_ASKED = '';

export interface DrawOptions {
  /** Aborts with a `StopReason`. */
  signal: AbortSignal;
  onProgress(progress: Progress): void;
  /** What the picture costs the operator in money, where it does and they say so. */
  cost: number | undefined;
  /** What `remember` was told in an earlier drawing of this task. */
  remembered: string | undefined;
  /**
   * Writes down what the drawing costs the operator, or may cost: before it can arise. Resolves with how to take that
   * back; rejects with a `DrawingError` where the operator's budget has no room for it.
   */
  spend(expense: Expense): Promise<() => Promise<void>>;
  /** A picture that the drawing begins with, as a PNG without metadata; of a mask, in shades of grey. */
  readInput(picture: InputPicture): Promise<Uint8Array>;
  /**
   * Says that what is under way would be lost with this process: a stop waits for it, but not for long, and it goes
   * on where the lease ends. So what costs money begins with `remember`, which rejects where another run has the
   * task. Returns how to say that it is over, though the drawing goes on.
   */
  hold(): () => void;
  /**
   * Has another machine forget what it was asked for, once the task has ended and that is written down: until then a
   * later process may look for it there. What fails is not tried again.
   */
  onEnded(forget: () => Promise<unknown>): void;
  /**
   * Keeps what a later process is told of this drawing as `remembered`, and resolves once it would be. It is one of
   * two things: the name that another machine has given the drawing, by which it is found there; or, where drawings
   * have no names, whether it was asked for (`ASKED`, `NOT_ASKED`), which decides what cancelling its task costs.
   */
  remember(what: string): Promise<void>;
}

/** Draws pictures. A drawing that fails rejects with a `DrawingError`; any other error is unexpected. */
export interface Engine {
  readonly name: string;
  /** The machines that it draws on, where there are some. */
  readonly servers?: readonly EngineServer[];
  /** Whether pictures cost the operator money: `DrawOptions` says how much. */
  readonly isPaid?: boolean;
  /** How many drawings one process may begin at once; the service's own limit unless given. */
  readonly slots?: number;
  /**
   * What it can do with a workflow, with the model that its operator has named for it; undefined where it does not
   * draw it. Always the same, but for `effects`, `previews` and `cancelling`, which its servers may say.
   */
  abilities(workflow: Workflow, model?: string): Abilities | undefined;
  /** The models that `model` may name in a workflow, as far as they can be listed now. */
  models?(workflow: Workflow): Promise<readonly string[]>;
  /**
   * What it can make of pictures in a workflow, with the model that its operator has named for it; as is known now.
   */
  operations?(workflow: Workflow, model?: string): Promise<Operations>;
  /**
   * Checks a request before it costs anything. Undefined where it is fine, or where that cannot be known now: then
   * the drawing itself may fail.
   */
  rejection?(request: RequestedDrawing): Promise<Rejection | Unavailable | undefined>;
  /**
   * Whether a drawing is made on this machine, beside the engine, and takes none of its slots; none is unless given.
   */
  isBeside?(request: RequestedDrawing): Promise<boolean>;
  /**
   * What its operator wants to know, where nothing is wrong. Rejects with an `OperatorError` that says what mends it.
   */
  examine?(signal: AbortSignal): Promise<string>;
  draw(drawing: Drawing, options: DrawOptions): Promise<DrawnPicture>;
  close(): Promise<void>;
}
