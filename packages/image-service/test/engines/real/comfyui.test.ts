import { randomInt, randomUUID } from 'node:crypto';
import type { Graph } from '@darkroom/image-api';
import { failureOf, silentLog, until } from '@darkroom/testing';
import { systemClock } from '@darkroom/time';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readAddress } from '../../../src/engines/address.ts';
import { createComfyClient } from '../../../src/engines/comfyui/client.ts';
import { type ComfyOptions, createComfyEngine } from '../../../src/engines/comfyui/engine.ts';
import { planGraph } from '../../../src/engines/comfyui/graph-plan.ts';
import { loadNode, saveNode } from '../../../src/engines/comfyui/graphs/nodes.ts';
import { hasJobsApi } from '../../../src/engines/comfyui/jobs-api.ts';
import { NODE_CLASSES } from '../../../src/engines/comfyui/node-classes.ts';
import { systemStats } from '../../../src/engines/comfyui/responses.ts';
import type { UploadedInputs } from '../../../src/engines/comfyui/uploads.ts';
import { DEFAULT_MODELS } from '../../../src/engines/comfyui/workflow-models.ts';
import type { Drawing, DrawOptions } from '../../../src/engines/engine.ts';
import { noiseGraph } from '../../support/comfy-engine.ts';
import { beginDrawing, drawingOf, drawOptions } from '../../support/drawings.ts';
import { noise, png } from '../../support/inputs.ts';
import { COMFYUI_FOLDER, type RealComfyui, startComfyuis } from '../../support/real/comfyui.ts';
import { drawFrom, testPainting } from '../../support/real/painting.ts';
import { recordAnswers } from '../../support/recorded/record-answers.ts';
import { writeRecording } from '../../support/recorded/recording.ts';

test.runIf(COMFYUI_FOLDER === undefined)(
  'what is tried with a real ComfyUI is skipped: COMFYUI_TEST_FOLDER names none',
  () => {
    expect(COMFYUI_FOLDER).toBeUndefined();
  },
);

const RULES = { allowedNodes: new Set(NODE_CLASSES), allowedModels: undefined };

/** Long enough for its start on two busy cores. */
const PATIENCE_MS = 15 * 60_000;

describe.skipIf(COMFYUI_FOLDER === undefined)('a real ComfyUI', { timeout: PATIENCE_MS }, () => {
  let servers: RealComfyui[] = [];
  let close: () => Promise<void> = async () => undefined;

  beforeAll(async () => {
    ({ servers, close } = await startComfyuis(2));
  }, PATIENCE_MS);
  const { answers, stop } = recordAnswers((host) => servers.some(({ url }) => new URL(url).host === host));
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from it that no fixture is wanted.
  afterAll(async ({}, suite) => {
    stop();
    await close();
    const { system } = systemStats.safeParse(answers['GET /system_stats 200']?.[0]).data ?? {};
    const version = `${system?.comfyui_version}`;
    const engine = hasJobsApi(version) ? 'comfyui' : 'comfyui-without-jobs';
    await writeRecording(engine, suite, async () => ({ version, answers }));
  }, PATIENCE_MS);

  /** The first one. */
  function one(): RealComfyui {
    const [first] = servers;
    if (!first) throw new Error('no server was started');
    return first;
  }

  function engineOn(those: readonly RealComfyui[], options: Partial<ComfyOptions> = {}) {
    const engine = createComfyEngine({
      servers: those.map(({ url }) => url),
      clock: systemClock,
      log: silentLog(),
      pollMs: 100,
      ...options,
    });
    onTestFinished(() => engine.close());
    return engine;
  }

  function clientOf({ url }: RealComfyui) {
    const client = createComfyClient({ address: readAddress(url) });
    onTestFinished(client.close);
    return client;
  }

  /** A small picture that has not been drawn before: ComfyUI keeps what it has drawn. */
  const small = (changes: Partial<Drawing> = {}): Drawing =>
    drawingOf({ width: 64, height: 64, steps: 2, seed: randomInt(2 ** 32), ...changes });

  const patient = (changes: Partial<DrawOptions> = {}) =>
    drawOptions({ signal: AbortSignal.timeout(PATIENCE_MS), ...changes });

  const bytesOf = ({ bytes }: { bytes: Uint8Array }) => Buffer.from(bytes);

  test('draws what was asked for, and the picture carries neither graph nor prompt', async () => {
    const picture = await engineOn([one()]).draw(small({ prompt: 'a fox under a lantern' }), patient());
    expect(picture).toMatchObject({ width: 64, height: 64 });
    for (const word of ['a fox', 'KSampler', 'tEXt']) expect(bytesOf(picture).includes(word)).toBe(false);
    expect((await sharp(picture.bytes).stats()).entropy).toBeGreaterThan(1);
  });

  test('draws the graph for anime, of less than the megapixel that it is for', async () => {
    const drawing = small({ workflow: 'anime' });
    const engine = engineOn([one()]);
    const plan = planGraph(drawing, DEFAULT_MODELS, RULES);
    const graph = plan.graph(['animagine-xl-4.0-random.safetensors']);
    expect(graph.latent?.inputs).toMatchObject({ width: 1_024, height: 1_024 });
    Object.assign(graph.latent?.inputs ?? {}, { width: 128, height: 128 });
    const picture = await engine.draw({ ...drawing, prompt: graph }, patient());
    expect(picture).toMatchObject({ width: 64, height: 64 });
  });

  test('draws the same picture for a seed, although it has it already, and another one for another seed', async () => {
    const engine = engineOn([one()]);
    const drawing = small();
    const first = await engine.draw(drawing, patient());
    // A graph that is the same in every node is not run again.
    const again = await engine.draw({ ...drawing, taskId: randomUUID() }, patient());
    const other = await engine.draw(small({ seed: drawing.seed + 1 }), patient());
    expect(bytesOf(again)).toEqual(bytesOf(first));
    expect(bytesOf(other)).not.toEqual(bytesOf(first));
  });

  test('finds that it has drawn a task already', async () => {
    const drawing = small();
    const first = await engineOn([one()]).draw(drawing, patient());
    const second = await engineOn([one()]).draw(drawing, patient());
    expect(bytesOf(second)).toEqual(bytesOf(first));
  });

  test('tells its progress, and shows the picture on its way', async () => {
    const { picture, progress } = beginDrawing(engineOn([one()]), small({ steps: 12 }));
    await picture;
    const percents = progress.map(({ percent }) => percent);
    expect(percents).toEqual([...percents].sort((a, b) => a - b));
    expect(percents.length).toBeGreaterThan(3);
    const { preview } = progress.find((report) => report.preview) ?? {};
    expect((await sharp(preview).metadata()).format).toBe('webp');
  });

  test('is cancelled while it draws and in its queue, and a prompt of somebody else goes on', async () => {
    const client = clientOf(one());
    const engine = engineOn([one()]);
    const [running, queued] = [
      beginDrawing(engine, small({ steps: 12 })),
      beginDrawing(engine, small({ steps: 50 })),
    ];
    await until(() => running.progress.length + queued.progress.length > 1, 'one of them is drawn');
    await until(async () => (await client.queue()).pending.length === 1, 'the other one waits');
    const foreign = randomUUID();
    await client.submit(
      {
        graph: { ...noiseGraph(randomInt(2 ** 32)), '3': saveNode('2') },
        promptId: foreign,
        clientId: undefined,
      },
      AbortSignal.timeout(PATIENCE_MS),
    );
    running.stop('lost');
    queued.stop('deadline');
    expect([await failureOf(running.picture), await failureOf(queued.picture)]).toEqual(['lost', 'deadline']);
    await until(() => client.history(foreign), 'what somebody else asked for');
    expect(await client.queueLength()).toBe(0);
  });

  test('gets no more prompts at once than it should, and draws them all', async () => {
    const client = clientOf(one());
    const engine = engineOn([one()]);
    const drawings = [1, 2, 3, 4].map(() => beginDrawing(engine, small()));
    const pictures = Promise.all(drawings.map(({ picture }) => picture));
    const first = await Promise.race(drawings.map(({ picture }) => picture));
    expect(first).toMatchObject({ width: 64 });
    expect(await client.queueLength()).toBeLessThanOrEqual(2);
    expect(await pictures).toHaveLength(4);
  });

  test('goes on with what an earlier process has handed in', async () => {
    const before = engineOn([one()]);
    const drawing = small({ steps: 12 });
    const { picture, progress } = beginDrawing(before, drawing);
    await until(() => progress.length > 0, 'it draws');
    await before.close();
    expect(await failureOf(picture)).toBe('closing');
    const client = clientOf(one());
    expect((await client.queue()).running).toEqual([drawing.taskId]);
    expect(await engineOn([one()]).draw(drawing, patient())).toMatchObject({ width: 64 });
  });

  test('that is killed while it draws and is back draws it again, and keeps nothing of before', async () => {
    const { picture, progress } = beginDrawing(engineOn([one()]), small({ steps: 12 }));
    await until(() => progress.length > 0, 'it draws');
    await one().kill();
    await one().start();
    expect(await picture).toMatchObject({ width: 64 });
    const kept = (await one().files()).filter((file) => !file.startsWith('temp/'));
    expect(kept).toEqual([]);
    expect((await one().files()).filter((file) => file.endsWith('.png'))).toHaveLength(1);
    await one().kill();
    await one().start();
    expect((await one().files()).filter((file) => file.endsWith('.png'))).toEqual([]);
  });

  test('shares the work with another one, which draws when it is gone', async () => {
    const engine = engineOn(servers);
    await Promise.all([1, 2, 3, 4].map(() => engine.draw(small(), patient())));
    const lengths = await Promise.all(
      servers.map(async (server) => (await server.files()).filter((file) => file.endsWith('.png')).length),
    );
    expect(Math.min(...lengths)).toBeGreaterThan(0);
    const { picture, progress } = beginDrawing(engine, small({ steps: 12 }));
    await until(() => progress.length > 0, 'it draws');
    await one().kill();
    expect(await picture).toMatchObject({ width: 64 });
    await one().start();
  });

  test('says which model it lacks, and which it has, before anything is asked of it', async () => {
    const engine = engineOn([one()]);
    const ask = (workflow: Drawing['workflow'], model?: string) =>
      engine.rejection?.({ prompt: 'a fox', workflow, model });
    const models = ['animagine-xl-4.0-random.safetensors', 'v1-5-pruned-emaonly-random.safetensors'];
    expect(await ask('default')).toBeUndefined();
    expect(await ask('anime')).toBeUndefined();
    expect(await ask('default', 'pony')).toMatchObject({ field: 'model', allowed: models });
    expect(await ask('z-image')).toMatchObject({ field: 'workflow' });
    expect(await engine.models?.('default')).toEqual(models);
  });

  /** What is wrong with a drawing’s graph: nodes and their inputs. */
  async function wrongIn(drawing: Drawing, uploads?: UploadedInputs): Promise<unknown> {
    const plan = planGraph(drawing, DEFAULT_MODELS, RULES);
    const graph = plan.graph(
      plan.required.map(({ name }) => name),
      uploads,
    );
    const answer = await clientOf(one()).submit(
      { graph, promptId: randomUUID(), clientId: undefined },
      AbortSignal.timeout(PATIENCE_MS),
    );
    expect(answer.accepted).toBe(false);
    return Object.entries(answer.nodeErrors)
      .flatMap(([node, { errors }]) =>
        errors.map(({ details }) => [node, details?.split(':', 1)[0]].join(' ')),
      )
      .sort();
  }

  test('knows every node and input of the graph for Z-Image, and lacks nothing but its models', async () => {
    expect(await wrongIn(drawingOf({ workflow: 'z-image' }))).toEqual([
      'diffusion unet_name',
      'encoder clip_name',
      'vae vae_name',
    ]);
  });

  test.each([
    ['flux1-dev-kontext', ['encoder clip_name1', 'encoder clip_name2']],
    ['qwen_image_edit', ['encoder clip_name']],
  ])(
    'knows every node and input of the graph for %s, and lacks nothing but its models',
    async (model, encoder) => {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const picture = await clientOf(one()).upload(
        'edited.png',
        await png(noise({ width: 64, height: 64 })),
        signal,
      );
      const models = ['diffusion unet_name', ...encoder, 'vae vae_name'];
      expect(await wrongIn(drawingOf({ model }), { pictures: [] })).toEqual(models);
      expect(await wrongIn(drawingOf({ model }), { pictures: [picture, picture] })).toEqual(models);
    },
  );

  test('draws a graph of a member’s, and says which node of a graph is wrong', async () => {
    const engine = engineOn([one()]);
    const prompt: Graph = noiseGraph(randomInt(2 ** 32));
    const picture = await engine.draw(drawingOf({ prompt }), patient());
    expect(picture).toMatchObject({ width: 128, height: 96 });
    expect(bytesOf(picture).includes('ImageAddNoise')).toBe(false);
    expect((await one().files()).filter((file) => file.startsWith('output/'))).toEqual([]);
    const wrong = { ...prompt, '2': { class_type: 'ImageAddNoise', inputs: { image: ['1', 0] } } };
    const failure = await failureOf(engine.draw(drawingOf({ prompt: wrong }), patient()));
    expect(failure).toMatchObject({ name: 'DrawingError' });
    expect(String(failure)).toContain('ImageAddNoise (node 2)');
  });

  test('draws a graph of a member’s that goes on with a picture that it looks at', async () => {
    const graph = noiseGraph(randomInt(2 ** 32));
    const look = { class_type: 'PreviewImage', inputs: { images: ['2', 0] } };
    const save = { class_type: 'SaveImage', inputs: { images: ['look', 0] } };
    const drawing = drawingOf({ prompt: { ...graph, look, '3': save } });
    expect(await engineOn([one()]).draw(drawing, patient())).toMatchObject({ width: 128 });
  });

  const draw = drawFrom((changes, given) => engineOn([one()]).draw(small(changes), patient(given)));
  testPainting(draw);

  test('says what it can make of pictures', async () => {
    expect(await engineOn([one()]).operations?.('default')).toEqual({
      edit: { images: 1, mask: true, strength: true },
      expand: {},
      upscale: {},
    });
  });

  test.each([2, 4] as const)('enlarges a picture %i times by a network', async (scale) => {
    const size = { width: 72 * scale, height: 64 * scale };
    await draw((image) => ({ operation: 'upscale', image, scale }), size);
  });

  test('keeps nothing of a picture but in its folder for what is temporary', async () => {
    await draw((image) => ({ operation: 'edit', images: [image], strength: 0.5 }));
    const files = (await one().files()).filter((file) => file.endsWith('.png'));
    expect(files.filter((file) => file.startsWith('temp/darkroom-')).length).toBeGreaterThan(0);
    expect(files.filter((file) => !file.startsWith('temp/'))).toEqual([]);
  });

  test('that was started again names the node whose picture it has no more', async () => {
    const client = clientOf(one());
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const image = await client.upload('lost.png', await png(noise({ width: 64, height: 64 })), signal);
    const graph = { picture: loadNode(image), save: saveNode('picture') };
    const submit = () => client.submit({ graph, promptId: randomUUID(), clientId: undefined }, signal);
    expect(await submit()).toMatchObject({ accepted: true });
    await one().kill();
    await one().start();
    expect(await submit()).toMatchObject({ accepted: false, nodeErrors: { picture: {} } });
  });

  test('knows every call that is made', async () => {
    const client = clientOf(one());
    expect((await client.systemStats()).system.comfyui_version).toMatch(/^\d+\.\d+/);
    expect(await client.models('no-such-folder')).toBeUndefined();
    expect(await client.history('unknown')).toBeUndefined();
    expect(await client.queue()).toMatchObject({ running: expect.any(Array), pending: expect.any(Array) });
    await client.dequeue('unknown');
    await client.interrupt('unknown');
    await client.deleteHistory('unknown');
    expect(await client.view({ filename: 'no-such-file.png' })).toBeUndefined();
  });
});
