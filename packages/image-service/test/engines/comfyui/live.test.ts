import { randomInt } from 'node:crypto';
import { failureOf, silentLog } from '@darkroom/testing';
import { systemClock } from '@darkroom/time';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { readAddress } from '../../../src/engines/address.ts';
import { createComfyClient } from '../../../src/engines/comfyui/client.ts';
import { createComfyEngine } from '../../../src/engines/comfyui/engine.ts';
import { drawingOf, noiseGraph } from '../../support/comfy-engine.ts';
import { drawOptions } from '../../support/engines.ts';

/** A real ComfyUI, without any model: `python main.py --cpu` is enough. */
const url = process.env.TEST_COMFYUI_URL;
const live = test.skipIf(url === undefined);

function openEngine() {
  const engine = createComfyEngine({
    servers: [url ?? ''],
    clock: systemClock,
    log: silentLog(),
    pollMs: 100,
  });
  onTestFinished(() => engine.close());
  return engine;
}

/** ComfyUI keeps what it has drawn, so each run draws something new. */
const newGraph = () => noiseGraph(randomInt(2 ** 32));

test.runIf(url === undefined)('the live suite is skipped: TEST_COMFYUI_URL names no ComfyUI', () => {
  expect(url).toBeUndefined();
});

live('a real ComfyUI draws a graph without a model, and the picture carries no graph', async () => {
  const picture = await openEngine().draw(drawingOf({ prompt: newGraph() }), drawOptions());
  expect(picture).toMatchObject({ contentType: 'image/png', width: 128, height: 96 });
  expect(Buffer.from(picture.bytes).includes('ImageAddNoise')).toBe(false);
  expect((await sharp(picture.bytes).stats()).entropy).toBeGreaterThan(1);
});

live('a real ComfyUI is found to have drawn a task already', async () => {
  const drawing = drawingOf({ prompt: newGraph() });
  const first = await openEngine().draw(drawing, drawOptions());
  const second = await openEngine().draw(drawing, drawOptions());
  expect(Buffer.from(second.bytes)).toEqual(Buffer.from(first.bytes));
});

live('a real ComfyUI says which node of a graph is wrong', async () => {
  const prompt = { ...newGraph(), '2': { class_type: 'ImageAddNoise', inputs: { image: ['1', 0] } } };
  const failure = await failureOf(openEngine().draw(drawingOf({ prompt }), drawOptions()));
  expect(failure).toMatchObject({ name: 'DrawingError' });
  expect(String(failure)).toContain('ImageAddNoise (node 2)');
});

live('a real ComfyUI knows every call that is made', async () => {
  const client = createComfyClient({ address: readAddress(url ?? '') });
  onTestFinished(client.close);
  expect((await client.systemStats()).system.comfyui_version).toMatch(/^\d+\.\d+/);
  expect(await client.queueLength()).toBeGreaterThanOrEqual(0);
  expect(await client.models('checkpoints')).toBeInstanceOf(Array);
  expect(await client.models('no-such-folder')).toBeUndefined();
  expect(await client.history('unknown')).toBeUndefined();
  expect(await client.queue()).toMatchObject({ running: expect.any(Array), pending: expect.any(Array) });
  await client.dequeue('unknown');
  await client.interrupt('unknown');
  await client.deleteHistory('unknown');
  expect(await client.view({ filename: 'no-such-file.png' })).toBeUndefined();
});
