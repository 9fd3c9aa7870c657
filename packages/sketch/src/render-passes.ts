import { type Area, type Canvas, createCanvas } from './canvas.ts';
import { createScene } from './create-scene.ts';
import type { Detail, Layer } from './layers/layer.ts';
import { layerStackOf } from './layers/layer-stack.ts';
import { saturate } from './looks/filters.ts';
import { grade } from './looks/grade.ts';
import { harmony } from './looks/harmony.ts';
import type { Filter } from './looks/look.ts';
import { pencil } from './looks/pencil.ts';
import { LOOKS, STYLES } from './looks/workflows.ts';
import { createVariedStreams } from './random.ts';
import type { Scene } from './scene.ts';
import { NONE, type SketchRequest, sizeOf } from './sketch.ts';
import { normalise } from './words.ts';

export interface RenderPass {
  scene: Scene;
  canvas: Canvas;
  /** The progress, 0 to 1. */
  done: number;
  /** Whether the canvas shows the whole picture, and not only some of its layers. */
  whole: boolean;
}

/** The shorter sides of the drafts in pixels. A draft is the whole picture in low resolution. */
const DRAFT_SIDES = [14, 24, 40, 64, 100, 150] as const;
/** The progress after the drafts, and after the layers at full size; the filters of the look are the rest. */
const DRAFTS_DONE = 0.5;
const LAYERS_DONE = 0.75;
/** With fewer steps than this, the picture stays a pencil sketch in part. */
const STEPS_TO_PAINT = 9;

/**
 * Renders a picture in passes: drafts of growing size, then each layer at full size, then the filters of the
 * workflow's look. `check` throws once the picture is aborted.
 */
export async function* renderPasses(request: SketchRequest, check: () => void): AsyncGenerator<RenderPass> {
  const scene = sceneOf(request);
  const detail = detailFor(request.steps);
  const { width, height } = sizeOf(request);
  const area = areaOf(request);
  const shorter = Math.min(width, height);
  const drafts = DRAFT_SIDES.filter((side) => side < shorter).slice(-(2 + Math.ceil(request.steps / 10)));
  for (const [index, side] of drafts.entries()) {
    const scale = side / shorter;
    const draft = createCanvas(
      Math.max(1, Math.round(width * scale)),
      Math.max(1, Math.round(height * scale)),
      check,
      area,
    );
    for (const pass of passGroups(request, scene, detail).flatMap(({ passes }) => passes)) await pass(draft);
    yield { scene, canvas: draft, done: (DRAFTS_DONE * (index + 1)) / drafts.length, whole: true };
  }
  const canvas = createCanvas(width, height, check, area);
  for (const { from, to, whole, passes } of passGroups(request, scene, detail)) {
    for (const [index, pass] of passes.entries()) {
      await pass(canvas);
      yield {
        scene,
        canvas,
        done: from + ((to - from) * (index + 1)) / passes.length,
        whole: whole || index === passes.length - 1,
      };
    }
  }
}

/** What of the scene's plane is shown, in heights of its frame. */
function areaOf({ width, height, margins = NONE }: SketchRequest): Area {
  const { left, top, right, bottom } = margins;
  return {
    left: -left / height,
    top: -top / height,
    right: (width + right) / height,
    bottom: (height + bottom) / height,
  };
}

function sceneOf(request: SketchRequest): Scene {
  const seed = [
    normalise(request.prompt),
    normalise(request.negativePrompt),
    request.workflow,
    request.seed,
  ].join('\n');
  const frame = { aspect: request.width / request.height, style: STYLES[request.workflow] };
  return createScene(request, frame, createVariedStreams(seed, request.variation ?? 0));
}

function detailFor(steps: number): Detail {
  return { octaves: Math.min(6, 2 + Math.floor(steps / 5)), abundance: Math.min(1, 0.25 + steps / 26) };
}

/** Passes that take the progress `from` one share `to` another. */
interface PassGroup {
  from: number;
  to: number;
  /** Whether each pass leaves a whole picture. */
  whole: boolean;
  passes: ((canvas: Canvas) => void | Promise<void>)[];
}

function passGroups(request: SketchRequest, scene: Scene, detail: Detail): PassGroup[] {
  const look = LOOKS[scene.style];
  const context = { scene, steps: request.steps };
  const { sky, land, subjects, air } = layerStackOf(scene);
  const layers = (list: readonly Layer[]) =>
    list.map((layer) => (canvas: Canvas) => layer(canvas, scene, detail));
  const filters = (list: readonly Filter[]) =>
    list.map((filter) => (canvas: Canvas) => filter(canvas, context));
  const colourless = scene.moods.includes('colourless') ? [saturate(0)] : [];
  const pencilled = request.steps < STEPS_TO_PAINT ? [pencil(1 - request.steps / STEPS_TO_PAINT)] : [];
  return [
    {
      from: DRAFTS_DONE,
      to: LAYERS_DONE,
      whole: false,
      passes: [
        ...layers(sky),
        ...filters(look.sky),
        ...layers(land),
        ...filters(look.land),
        ...layers(subjects),
      ],
    },
    {
      from: LAYERS_DONE,
      to: 1,
      whole: true,
      passes: [
        ...filters([harmony, ...look.subjects]),
        ...layers(air),
        ...filters([...look.picture, ...pencilled, grade(request.cfg), ...colourless]),
      ],
    },
  ];
}
