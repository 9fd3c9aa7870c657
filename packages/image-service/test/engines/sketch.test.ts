import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import {
  type Drawing,
  DrawingError,
  type DrawingParameters,
  type Engine,
  type InputPicture,
  type Source,
} from '../../src/engines/engine.ts';
import { createSketchEngine } from '../../src/engines/sketch.ts';
import { createUpscaler } from '../../src/engines/upscaling/upscaler.ts';
import { withUpscaling } from '../../src/engines/upscaling/with-upscaling.ts';
import { drawingOf, drawOptions } from '../support/drawings.ts';
import { endlessEngine } from '../support/engines.ts';
import { problemOf, serviceWorld } from '../support/service.ts';

/** An engine whose pictures are kept by their names. */
function sketchWorld() {
  const engine = createSketchEngine({ workers: 1 });
  onTestFinished(engine.close);
  const files = new Map<string, Uint8Array>();
  const readInput = async ({ file }: InputPicture) => {
    const bytes = files.get(file);
    if (!bytes) throw new Error(`there is no picture ${file}`);
    return bytes;
  };

  async function draw(changes: Partial<Drawing>): Promise<InputPicture & { bytes: Uint8Array }> {
    const { taskId, ...drawing } = drawingOf({ prompt: 'a red fox in the snow', seed: 7, ...changes });
    const { bytes, width, height } = await engine.draw({ ...drawing, taskId }, drawOptions({ readInput }));
    const file = `${files.size}.png`;
    files.set(file, bytes);
    return { file, width, height, drawing, bytes };
  }
  return { engine, draw };
}

const photograph: InputPicture = { file: 'photograph.png', width: 96, height: 96 };
const pixelsOf = (bytes: Uint8Array) => sharp(bytes).removeAlpha().raw().toBuffer();

test('a sketch is drawn again at twice its size, and that one once more', async () => {
  const { draw } = sketchWorld();
  const first = await draw({ width: 96, height: 64 });
  const twice = await draw({
    prompt: '',
    width: 192,
    height: 128,
    source: { operation: 'upscale', image: first, scale: 2 },
  });
  expect(twice).toMatchObject({ width: 192, height: 128 });
  expect(twice.bytes).toEqual((await draw({ width: 192, height: 128 })).bytes);
  const source: Source = { operation: 'upscale', image: twice, scale: 2 };
  const again = await draw({ prompt: '', width: 384, height: 256, source });
  expect(again).toMatchObject({ width: 384, height: 256 });
});

test('a sketch goes on at its sides, twice, and can be enlarged after that', async () => {
  const { draw } = sketchWorld();
  const first = await draw({ width: 96, height: 64 });
  const expand = (image: InputPicture, left: number, bottom: number): Source => ({
    operation: 'expand',
    image,
    margins: { left, top: 0, right: 0, bottom },
  });
  const wider = await draw({ prompt: '', source: expand(first, 32, 0) });
  const taller = await draw({ prompt: '', source: expand(wider, 16, 20) });
  expect(taller).toMatchObject({ width: 96 + 32 + 16, height: 64 + 20 });
  const middle = sharp(taller.bytes).extract({ left: 48, top: 0, width: 96, height: 64 });
  expect(await middle.removeAlpha().raw().toBuffer()).toEqual(await pixelsOf(first.bytes));
  const large = await draw({ prompt: '', source: { operation: 'upscale', image: taller, scale: 4 } });
  expect(large).toMatchObject({ width: 4 * 144, height: 4 * 84 });
});

test('of two large sketches the second waits in the queue, and others are drawn beside the first', async () => {
  const sketcher = createSketchEngine({ workers: 1 });
  const draw: Engine['draw'] = (drawing, options) =>
    (drawing.source ? endlessEngine() : sketcher).draw(drawing, options);
  const world = await serviceWorld({ engine: withUpscaling({ ...sketcher, draw }, createUpscaler()) });
  const sketch = await world.submitted({ prompt: 'a red fox', width: 520, height: 512 });
  await world.until(sketch);
  const enlarging = () => world.submitted({ operation: 'upscale', image: `task:${sketch}`, scale: 4 });
  const [first, second] = [await enlarging(), await enlarging()];
  const small = await world.submitted({ prompt: 'a fox', width: 64, height: 64 });
  expect(await world.until(small)).toMatchObject({ status: 'completed' });
  const now = (task: string) => world.until(task, () => true);
  expect([await now(first), await now(second)]).toMatchObject([
    { status: 'processing' },
    { status: 'pending' },
  ]);
});

test.each<[string, Source]>([
  ['enlarges no photograph', { operation: 'upscale', image: photograph, scale: 2 }],
  [
    'enlarges nothing that came from a photograph',
    {
      operation: 'upscale',
      scale: 2,
      image: {
        ...photograph,
        drawing: parametersWith({ operation: 'upscale', image: photograph, scale: 2 }),
      },
    },
  ],
  ['edits nothing', { operation: 'edit', images: [photograph], strength: 0.5 }],
  ['removes no background', { operation: 'remove_background', image: photograph }],
])('a sketcher %s', async (_, source) => {
  const { engine, draw } = sketchWorld();
  const reason = 'The sketch engine can enlarge and expand what it has drawn itself, and no other picture.';
  expect(await engine.rejection?.({ ...drawingOf(), source })).toMatchObject({ field: 'image', reason });
  await expect(draw({ source })).rejects.toThrow(new DrawingError(reason));
});

/** A picture with margins at two opposite sides, or at all of them, that make it so large. */
const grown = (image: InputPicture, width: number, height: number): Source => {
  const [across, along] = [(width - image.width) / 2, (height - image.height) / 2];
  return { operation: 'expand', image, margins: { left: across, top: along, right: across, bottom: along } };
};

const sketchOf = (width: number, height: number, source?: Source): InputPicture => {
  const { taskId: _, ...drawing } = drawingOf({ width, height, source });
  return { file: 'sketch.png', width, height, drawing };
};

test.each<[string, Source]>([
  ['a narrow one', grown(sketchOf(2048, 64), 2048, 2048)],
  ['one as narrow that stands', grown(sketchOf(64, 2048), 2048, 2048)],
  ['a small one', grown(sketchOf(64, 64), 4096, 4096)],
  ['one that was expanded before', grown(sketchOf(512, 512, grown(sketchOf(64, 64), 512, 512)), 514, 514)],
])('a sketcher does not expand %s to what takes it minutes', async (_, source) => {
  const { engine } = sketchWorld();
  expect(await engine.rejection?.({ ...drawingOf(), source })).toMatchObject({ field: 'expand' });
});

test.each<[string, Source]>([
  ['21:9 to a square', grown(sketchOf(1344, 576), 1344, 1344)],
  [
    'that square twice around',
    grown(sketchOf(2016, 2016, grown(sketchOf(1344, 576), 2016, 2016)), 3024, 3024),
  ],
  ['the usual size to the largest one', grown(sketchOf(512, 512), 4096, 4096)],
  ['the narrowest to twice its height', grown(sketchOf(2048, 64), 2048, 128)],
])('a sketcher expands %s', async (_, source) => {
  const { engine } = sketchWorld();
  expect(await engine.rejection?.({ ...drawingOf(), source })).toBeUndefined();
});

test('whoever expands a narrow sketch too far is told what may be asked for, and pays nothing', async () => {
  const world = await serviceWorld({ engine: createSketchEngine({ workers: 1 }) });
  const sketch = await world.submitted({ prompt: 'a red fox', width: 512, height: 64 });
  await world.until(sketch);
  const before = await world.balance();
  const refused = await world.submit({
    operation: 'expand',
    image: `task:${sketch}`,
    expand: { top: 224, bottom: 225 },
  });
  expect(await problemOf(refused)).toMatchObject({
    code: 'parameter_out_of_range',
    message:
      'The result would have 512 × 513 pixels, and a sketch that began with 512 × 64 may have at most 262144 in all: expand it by less, or begin with one that is less narrow.',
    details: { field: 'expand' },
  });
  expect(await world.balance()).toBe(before);
});

test('other words for what is around a sketch are said to have no effect', async () => {
  const { engine } = sketchWorld();
  const { taskId: _, ...words } = drawingOf({ prompt: 'a red fox' });
  const { expand } = (await engine.operations?.('default')) ?? {};
  const warn = (prompt: string) => expand?.warning?.({ ...photograph, drawing: words }, prompt);
  expect([warn(''), warn('a red fox')]).toEqual([undefined, undefined]);
  expect(warn('a meadow')).toMatch(/prompt has no effect/);
});

function parametersWith(source: Source): DrawingParameters {
  const { taskId: _, ...parameters } = drawingOf({ source });
  return parameters;
}
