import { setTimeout as delay } from 'node:timers/promises';
import { failureOf } from '@darkroom/testing';
import { expect, test } from 'vitest';
import { comfyWorld } from '../../support/comfy-engine.ts';

const VERSIONS = ['0.38.1', '0.25.2', '0.3.64'];

test.each(VERSIONS)('version %s stops what it draws when nobody wants it any more', async (version) => {
  const { comfy, begin } = await comfyWorld({ fake: { version } });
  comfy.prompts.hold();
  const { drawing, picture, stop } = begin();
  await comfy.running(drawing.taskId);
  stop('lost');
  expect(await failureOf(picture)).toBe('lost');
  await comfy.until(() => comfy.prompts.history.has(drawing.taskId), 'the end of the prompt');
  expect(comfy.prompts.history.get(drawing.taskId)?.status.messages.at(-1)?.[0]).toBe(
    'execution_interrupted',
  );
});

test.each(VERSIONS)('version %s forgets what waits and is not wanted, and draws on', async (version) => {
  const { comfy, begin } = await comfyWorld({ fake: { version } });
  comfy.prompts.hold();
  const first = begin();
  await comfy.running(first.drawing.taskId);
  const second = begin();
  await comfy.until(() => comfy.prompts.pending.length === 1, 'a waiting prompt');
  second.stop('deadline');
  expect(await failureOf(second.picture)).toBe('deadline');
  expect(comfy.prompts.pending).toEqual([]);
  comfy.prompts.release();
  expect(await first.picture).toMatchObject({ width: 128 });
});

test('what another one draws there is not interrupted', async () => {
  const { comfy, begin } = await comfyWorld({ fake: { version: '0.3.64' } });
  comfy.prompts.hold();
  const first = begin();
  await comfy.running(first.drawing.taskId);
  const second = begin();
  await comfy.until(() => comfy.prompts.pending.length === 1, 'a waiting prompt');
  second.stop('lost');
  await failureOf(second.picture);
  expect(comfy.requests('/interrupt')).toEqual([]);
});

test('a server that was replaced by an older version is told in the old way', async () => {
  const { comfy, begin } = await comfyWorld();
  comfy.prompts.hold();
  const { drawing, stop } = begin();
  await comfy.running(drawing.taskId);
  comfy.fault(`/api/jobs/${drawing.taskId}/cancel`, (_request, response) => {
    response.writeHead(404).end('404: Not Found');
    return true;
  });
  stop('lost');
  await comfy.until(() => comfy.prompts.history.has(drawing.taskId), 'the end of the prompt');
});

test('a process that ends leaves what is drawn to the next one', async () => {
  const { comfy, begin, engine } = await comfyWorld();
  comfy.prompts.hold();
  const { drawing, picture, stop } = begin();
  await comfy.running(drawing.taskId);
  stop('closing');
  expect(await failureOf(picture)).toBe('closing');
  await engine.close();
  expect(comfy.prompts.running?.id).toBe(drawing.taskId);
  expect(comfy.requests(`/api/jobs/${drawing.taskId}/cancel`)).toEqual([]);
});

test('an engine that is closed lets go of every drawing and every connection', async () => {
  const { comfy, begin, engine } = await comfyWorld();
  comfy.prompts.hold();
  const { drawing, picture } = begin();
  await comfy.running(drawing.taskId);
  await engine.close();
  expect(await failureOf(picture)).toBe('closing');
  await comfy.until(() => comfy.sockets.count === 0, 'the end of the connection');
  const asked = comfy.requests().length;
  await delay(50);
  expect(comfy.requests()).toHaveLength(asked);
});

test('a server that does not answer keeps nobody waiting who stops', async () => {
  const { comfy, begin } = await comfyWorld({ timeoutMs: 1_000 });
  comfy.prompts.hold();
  const { drawing, picture, stop } = begin();
  await comfy.running(drawing.taskId);
  comfy.fault('/', () => true);
  stop('lost');
  expect(await failureOf(picture)).toBe('lost');
});
