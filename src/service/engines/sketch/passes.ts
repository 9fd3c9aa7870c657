import { type Canvas, createCanvas } from './canvas.ts';
import type { Finish, Layer } from './layers/layer.ts';
import { sequenceOf } from './layers/sequence.ts';
import { grade } from './looks/grade.ts';
import { harmony } from './looks/harmony.ts';
import type { Pass } from './looks/look.ts';
import { pencil } from './looks/pencil.ts';
import { LOOKS, STYLES } from './looks/workflows.ts';
import type { Order } from './order.ts';
import { createStreams } from './random.ts';
import { createScene, type Scene } from './scene.ts';
import { normalise } from './words.ts';

/** A picture on its way: after each pass, what there is to see. */
export interface Stage {
  canvas: Canvas;
  /** 0 to 1. */
  done: number;
  /** Whether the canvas shows the whole picture, and not only the layers laid so far. */
  whole: boolean;
}

/** Shorter sides of the drafts, in pixels: the whole picture, coarse first. */
const DRAFT_SIDES = [14, 24, 40, 64, 100, 150] as const;
/** What share of the way the drafts are, and the layers at full size after them; the look has the rest. */
const DRAFTS_DONE = 0.5;
const LAYERS_DONE = 0.75;
/** From this many steps on nothing is left as a sketch. */
const STEPS_TO_PAINT = 9;

/**
 * Draws a picture in passes. Drafts of growing size show all of it early; then each layer is laid at full size, and
 * the workflow's look goes over it. `check` throws when the picture is no longer wanted.
 */
export async function* passes(order: Order, check: () => void): AsyncGenerator<Stage> {
  const scene = sceneOf(order);
  const finish = finishOf(order.steps);
  const shorter = Math.min(order.width, order.height);
  const drafts = DRAFT_SIDES.filter((side) => side < shorter).slice(-(2 + Math.ceil(order.steps / 10)));
  for (const [index, side] of drafts.entries()) {
    const scale = side / shorter;
    const draft = createCanvas(
      Math.max(1, Math.round(order.width * scale)),
      Math.max(1, Math.round(order.height * scale)),
      check,
    );
    for (const pass of rendering(order, scene, finish).flatMap(({ run }) => run)) await pass(draft);
    yield { canvas: draft, done: (DRAFTS_DONE * (index + 1)) / drafts.length, whole: true };
  }
  const canvas = createCanvas(order.width, order.height, check);
  for (const { from, to, whole, run } of rendering(order, scene, finish)) {
    for (const [index, pass] of run.entries()) {
      await pass(canvas);
      yield {
        canvas,
        done: from + ((to - from) * (index + 1)) / run.length,
        whole: whole || index === run.length - 1,
      };
    }
  }
}

function sceneOf(order: Order): Scene {
  const material = [
    normalise(order.prompt),
    normalise(order.negativePrompt),
    order.workflow,
    order.seed,
  ].join('\n');
  const frame = { aspect: order.width / order.height, style: STYLES[order.workflow] };
  return createScene(order, frame, createStreams(material));
}

function finishOf(steps: number): Finish {
  return { octaves: Math.min(6, 2 + Math.floor(steps / 5)), abundance: Math.min(1, 0.25 + steps / 26) };
}

interface Part {
  from: number;
  to: number;
  /** Whether each pass leaves a whole picture. */
  whole: boolean;
  run: ((canvas: Canvas) => void | Promise<void>)[];
}

function rendering(order: Order, scene: Scene, finish: Finish): Part[] {
  const look = LOOKS[scene.style];
  const craft = { scene, steps: order.steps };
  const { sky, land, subjects, air } = sequenceOf(scene);
  const layers = (list: readonly Layer[]) =>
    list.map((layer) => (canvas: Canvas) => layer(canvas, scene, finish));
  const over = (list: readonly Pass[]) => list.map((pass) => (canvas: Canvas) => pass(canvas, craft));
  const sketched = order.steps < STEPS_TO_PAINT ? [pencil(1 - order.steps / STEPS_TO_PAINT)] : [];
  return [
    {
      from: DRAFTS_DONE,
      to: LAYERS_DONE,
      whole: false,
      run: [...layers(sky), ...over(look.sky), ...layers(land), ...over(look.land), ...layers(subjects)],
    },
    {
      from: LAYERS_DONE,
      to: 1,
      whole: true,
      run: [
        ...over([harmony, ...look.subjects]),
        ...layers(air),
        ...over([...look.picture, ...sketched, grade(order.cfg)]),
      ],
    },
  ];
}
