import type { Graph } from '@darkroom/image-api';
import { failureOf } from '@darkroom/testing';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { defaultGraph } from '../../../src/engines/comfyui/graphs/checkpoint.ts';
import { comfyWorld, noiseGraph } from '../../support/comfy-engine.ts';
import { drawingOf, drawOptions } from '../../support/drawings.ts';
import { FAKE_MODELS } from '../../support/fake-comfyui.ts';

const OLD = '0.3.64';
const [CHECKPOINT = ''] = FAKE_MODELS.checkpoints;

test.each(['default', 'anime', 'z-image'] as const)(
  'the workflow %s is drawn under the id of its task',
  async (workflow) => {
    const { comfy, begin } = await comfyWorld();
    const { drawing, picture } = begin({ workflow });
    expect(await picture).toMatchObject({ width: 128, height: 96 });
    expect(comfy.submitted.map(({ id }) => id)).toEqual([drawing.taskId]);
  },
);

test.each(['0.38.1', OLD, 'nightly'])('a picture comes from version %s', async (version) => {
  const { draw } = await comfyWorld({ fake: { version } });
  expect(await draw()).toMatchObject({ width: 128, height: 96 });
});

test('a picture comes from a version that chooses its own ids', async () => {
  const { comfy, begin } = await comfyWorld({ fake: { version: OLD, ownIds: true } });
  const { drawing, picture } = begin();
  expect(await picture).toMatchObject({ width: 128 });
  expect(comfy.submitted[0]?.id).not.toBe(drawing.taskId);
});

test('the picture carries nothing of the prompt', async () => {
  const { comfy, draw } = await comfyWorld();
  const { bytes } = await draw({ prompt: 'SECRET-WORDS' });
  const [saved] = comfy.prompts.files.values();
  expect(saved?.includes('SECRET-WORDS')).toBe(true);
  const plain = Buffer.from(bytes);
  for (const trace of ['SECRET-WORDS', 'tEXt', 'iTXt', 'zTXt', 'eXIf', 'class_type'])
    expect(plain.includes(trace)).toBe(false);
  expect(Buffer.from(await sharp(bytes).raw().toBuffer())).toEqual(await sharp(saved).raw().toBuffer());
});

test('a success that is told before it can be asked for is waited for', async () => {
  const { draw } = await comfyWorld({ fake: { historyLagMs: 60 } });
  expect(await draw()).toMatchObject({ width: 128 });
});

test('progress rises to at most 99, with small previews', async () => {
  const { comfy, begin } = await comfyWorld();
  comfy.prompts.hold('KSampler');
  const { picture, progress } = begin({ steps: 10 });
  await comfy.until(() => progress.some(({ preview }) => preview), 'a preview');
  comfy.prompts.release();
  await picture;
  const percents = progress.map(({ percent }) => percent);
  expect(percents).toEqual(percents.toSorted((one, other) => one - other));
  expect(Math.min(...percents)).toBeGreaterThan(0);
  expect(Math.max(...percents)).toBeLessThanOrEqual(99);
  const preview = progress.find((report) => report.preview)?.preview;
  expect(preview?.length).toBeLessThanOrEqual(20_000);
  expect(await sharp(preview).metadata()).toMatchObject({ format: 'webp', width: 256, height: 192 });
});

test('a preview that ComfyUI sends to everybody is none of the drawing that waits behind it', async () => {
  const { comfy, begin } = await comfyWorld();
  comfy.prompts.hold();
  const prompt = defaultGraph({ ...drawingOf({ steps: 10 }), prompt: 'a secret' }, CHECKPOINT);
  const body = JSON.stringify({ prompt, extra_data: { preview_method: 'auto' } });
  expect((await fetch(`${comfy.url}/prompt`, { method: 'POST', body })).status).toBe(200);
  const { drawing, picture, progress } = begin({ workflow: 'anime', steps: 1 });
  await comfy.until(() => comfy.prompts.pending.some(({ id }) => id === drawing.taskId), 'a waiting prompt');
  // Of the second one alone.
  comfy.prompts.hold('ImageScale');
  await comfy.until(() => progress.some(({ percent }) => percent > 0), 'progress');
  comfy.prompts.release();
  await picture;
  expect(progress.filter(({ preview }) => preview)).toEqual([]);
});

test('every connection for progress has an id of its own, and announces itself without an origin', async () => {
  const { comfy, draw } = await comfyWorld();
  await draw();
  await draw({ seed: 8 });
  expect(comfy.sockets.ids).toHaveLength(2);
  expect(new Set(comfy.sockets.ids).size).toBe(2);
  expect(comfy.sockets.announced).toEqual(comfy.sockets.ids);
  expect(comfy.submitted.map(({ extraData }) => extraData.client_id)).toEqual(comfy.sockets.ids);
  expect(comfy.requests().filter(({ headers }) => headers.origin !== undefined)).toEqual([]);
});

test('a drawing whose connection for progress breaks is finished without', async () => {
  const { comfy, begin } = await comfyWorld();
  comfy.prompts.hold();
  const { picture } = begin();
  await comfy.running();
  comfy.sockets.drop();
  comfy.prompts.release();
  expect(await picture).toMatchObject({ width: 128 });
});

test('connections for progress are closed with their drawing', async () => {
  const { comfy, draw } = await comfyWorld();
  await draw();
  await comfy.until(() => comfy.sockets.count === 0, 'the end of the connection');
});

test('nothing but nodes, an id, the wish for previews and the word that it is ours is handed to the server', async () => {
  const { comfy, draw } = await comfyWorld();
  await draw({ prompt: noiseGraph() });
  const [request] = comfy.requests('/prompt').filter(({ method }) => method === 'POST');
  const body = JSON.parse(request?.body ?? '');
  expect(Object.keys(body).sort()).toEqual(['client_id', 'extra_data', 'prompt', 'prompt_id']);
  expect(body.extra_data).toEqual({ preview_method: 'auto', darkroom: true });
});

test('a complete graph is run, and leaves its picture where ComfyUI empties it, whatever it names', async () => {
  const { comfy, draw } = await comfyWorld();
  expect(await draw({ prompt: noiseGraph() })).toMatchObject({ width: 128, height: 96 });
  await draw();
  const left = [...comfy.prompts.files.keys()];
  expect(left.map((path) => path.split('/', 1)[0])).toEqual(['temp', 'temp']);
});

test('a graph that only previews its picture delivers that, and one that saves another delivers the saved one', async () => {
  const { draw, comfy } = await comfyWorld();
  const { '3': _save, ...graph } = noiseGraph();
  const preview = { class_type: 'PreviewImage', inputs: { images: ['2', 0] } };
  expect(await draw({ prompt: { ...graph, '4': preview } })).toMatchObject({ width: 128 });
  await draw({ prompt: { ...noiseGraph(8), '0': preview } });
  expect(comfy.submitted.at(-1)?.outputs).toEqual(['3']);
});

test('a graph that goes on with a picture that it looks at is drawn, and delivers what it saves', async () => {
  const { draw, comfy } = await comfyWorld();
  const inverted = { class_type: 'ImageInvert', inputs: { image: ['second', 0] } };
  const prompt: Graph = {
    ...noiseGraph(),
    first: { class_type: 'PreviewImage', inputs: { images: ['2', 0] } },
    second: { class_type: 'PreviewImage', inputs: { images: ['first', 0] } },
    inverted,
    '3': { class_type: 'SaveImage', inputs: { images: ['inverted', 0] } },
  };
  expect(await draw({ prompt })).toMatchObject({ width: 128 });
  const { graph, outputs } = comfy.submitted[0] ?? {};
  expect(outputs).toEqual(['3']);
  expect(graph?.inverted?.inputs.image).toEqual(['2', 0]);
});

test('a graph that looks at nothing but its own looks is refused', async () => {
  const { draw } = await comfyWorld();
  const look = (from: string) => ({ class_type: 'PreviewImage', inputs: { images: [from, 0] } });
  const prompt: Graph = { ...noiseGraph(), '3': { class_type: 'SaveImage', inputs: { images: ['one', 0] } } };
  const failure = await failureOf(draw({ prompt: { ...prompt, one: look('other'), other: look('one') } }));
  expect(failure).toMatchObject({ name: 'DrawingError' });
});

test('the workflow rr3 has no graph', async () => {
  const { engine } = await comfyWorld();
  expect(engine.abilities('rr3')).toBeUndefined();
  const drawing = drawingOf({ workflow: 'rr3', taskId: '17' });
  await expect(engine.draw(drawing, drawOptions())).rejects.toThrow('rr3');
});
