import type { ServerResponse } from 'node:http';
import { failureOf } from '@darkroom/testing';
import { createFakeClock } from '@darkroom/time/testing';
import { expect, test } from 'vitest';
import { POLL_TIMES } from '../../../src/engines/servers/patience.ts';
import { comfyWorld } from '../../support/comfy-engine.ts';
import { drawingOf } from '../../support/drawings.ts';
import { FAILING_NODE } from '../../support/fake-comfyui/prompts.ts';
import { createFakeComfy } from '../../support/fake-comfyui.ts';

const VERSIONS = ['0.38.1', '0.3.64'];

test.each(VERSIONS)(
  'what a former process began on version %s is followed, and not drawn twice',
  async (version) => {
    const comfy = await createFakeComfy({ version });
    comfy.prompts.hold();
    const former = await comfyWorld({ fakes: [comfy] });
    const { drawing, stop, picture } = former.begin();
    await comfy.running(drawing.taskId);
    stop('closing');
    await failureOf(picture);

    const next = await comfyWorld({ fakes: [comfy] });
    const again = next.draw(drawing);
    comfy.prompts.release();
    expect(await again).toMatchObject({ width: 128 });
    expect(comfy.submitted).toHaveLength(1);
  },
);

test.each(VERSIONS)('what was finished on version %s in between is fetched', async (version) => {
  const comfy = await createFakeComfy({ version });
  const former = await comfyWorld({ fakes: [comfy] });
  const drawing = drawingOf();
  await former.draw(drawing);

  const next = await comfyWorld({ fakes: [comfy] });
  expect(await next.draw(drawing)).toMatchObject({ width: 128 });
  expect(comfy.submitted).toHaveLength(1);
});

test('what ends between the look into the history and the one into the queue is found', async () => {
  const comfy = await createFakeComfy({ version: '0.3.64' });
  const former = await comfyWorld({ fakes: [comfy] });
  const drawing = drawingOf();
  await former.draw(drawing);

  const tooEarly = (_request: unknown, response: ServerResponse) => Boolean(response.end('{}'));
  comfy.fault(`/history/${drawing.taskId}`, tooEarly, 1);
  const next = await comfyWorld({ fakes: [comfy] });
  await next.draw(drawing);
  expect(comfy.submitted).toHaveLength(1);
});

test('it is found on whichever server has it', async () => {
  const fakes = [await createFakeComfy(), await createFakeComfy(), await createFakeComfy()];
  const [, , third] = fakes;
  const drawing = drawingOf();
  const former = await comfyWorld({ fakes: third ? [third] : [] });
  await former.draw(drawing);
  const next = await comfyWorld({ fakes });
  await next.draw(drawing);
  expect(fakes.map(({ submitted }) => submitted.length)).toEqual([0, 0, 1]);
});

test('what failed in between is a failure, and not tried again', async () => {
  const comfy = await createFakeComfy();
  const former = await comfyWorld({ fakes: [comfy], allowedNodes: [FAILING_NODE, 'SaveImage'] });
  const drawing = drawingOf({
    prompt: {
      '1': { class_type: FAILING_NODE, inputs: {}, _meta: { title: 'Magic' } },
      '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'x' } },
    },
  });
  const message = 'Magic” (FailingNode, node 1) failed: mat1 and mat2 shapes cannot be multiplied.';
  for (const _time of [1, 2]) {
    expect(String(await failureOf(former.draw(drawing)))).toContain(message);
  }
  expect(comfy.submitted).toHaveLength(1);
});

test.each(VERSIONS)('what was interrupted on version %s in between is drawn anew', async (version) => {
  const comfy = await createFakeComfy({ version });
  comfy.prompts.hold();
  const former = await comfyWorld({ fakes: [comfy] });
  const { drawing, stop } = former.begin();
  await comfy.running(drawing.taskId);
  stop('lost');
  await comfy.until(() => comfy.prompts.history.has(drawing.taskId), 'the interruption');
  comfy.prompts.release();

  const next = await comfyWorld({ fakes: [comfy] });
  expect(await next.draw(drawing)).toMatchObject({ width: 128 });
  expect(comfy.submitted).toHaveLength(2);
});

test.each(VERSIONS)(
  'a restart of version %s that loses everything costs one more attempt',
  async (version) => {
    const { comfy, begin, lines } = await comfyWorld({ fake: { version } });
    comfy.prompts.hold();
    const { drawing, picture } = begin();
    await comfy.running(drawing.taskId);
    comfy.restart();
    comfy.prompts.release();
    expect(await picture).toMatchObject({ width: 128 });
    expect(comfy.submitted).toHaveLength(2);
    expect(lines.join('')).toContain('a server has lost a drawing');
  },
);

test('a second restart is an honest failure', async () => {
  const { comfy, begin } = await comfyWorld();
  comfy.prompts.hold();
  const { picture } = begin();
  for (const time of [1, 2]) {
    await comfy.until(() => comfy.submitted.length === time && comfy.prompts.running, 'an attempt');
    comfy.restart();
  }
  const failure = await failureOf(picture);
  expect(failure).toMatchObject({ name: 'DrawingError' });
  expect(String(failure)).toContain('a second attempt failed too');
  expect(comfy.submitted).toHaveLength(2);
});

test('an interruption by the operator costs one more attempt, on the same server too', async () => {
  const { comfy, begin } = await comfyWorld();
  comfy.prompts.hold();
  const { drawing, picture } = begin();
  await comfy.running(drawing.taskId);
  comfy.prompts.interrupt();
  await comfy.until(() => comfy.submitted.length === 2, 'a second attempt');
  comfy.prompts.release();
  expect(await picture).toMatchObject({ width: 128 });
});

test('a prompt whose answer was lost on its way is not submitted twice', async () => {
  const { comfy, draw } = await comfyWorld();
  comfy.fault(
    '/prompt',
    async ({ method, body }, response) => {
      if (method !== 'POST') return false;
      await fetch(`${comfy.url}/prompt`, { method: 'POST', body });
      response.destroy();
      return true;
    },
    1,
  );
  expect(await draw()).toMatchObject({ width: 128 });
  expect(comfy.submitted).toHaveLength(1);
});

test('a few lost answers on the way are no loss', async () => {
  const { comfy, begin } = await comfyWorld({ silenceMs: 5_000 });
  comfy.prompts.hold();
  const { drawing, picture } = begin();
  await comfy.running(drawing.taskId);
  comfy.fault(
    `/api/jobs/${drawing.taskId}`,
    (_request, response) => {
      response.destroy();
      return true;
    },
    3,
  );
  comfy.fault(
    '/view',
    (_request, response) => {
      response.writeHead(500).end('500');
      return true;
    },
    2,
  );
  comfy.prompts.release();
  expect(await picture).toMatchObject({ width: 128 });
  expect(comfy.submitted).toHaveLength(1);
});

test('a server that says nothing for half a minute, as one that loads a model, loses nothing', async () => {
  const clock = createFakeClock({ jumps: true });
  const { comfy, begin } = await comfyWorld({ clock, ...POLL_TIMES });
  comfy.prompts.hold();
  const { drawing, picture } = begin();
  await comfy.running(drawing.taskId);
  const silentFrom = clock.now();
  comfy.fault(`/api/jobs/${drawing.taskId}`, (_request, response) => {
    const isSilent = clock.now() - silentFrom < 40_000;
    if (isSilent) response.destroy();
    else comfy.prompts.release();
    return isSilent;
  });
  expect(await picture).toMatchObject({ width: 128 });
  expect(comfy.submitted).toHaveLength(1);
});

test('a picture whose file is gone is drawn anew', async () => {
  const { comfy, begin } = await comfyWorld();
  comfy.fault(
    '/view',
    (_request, response) => {
      response.writeHead(404).end();
      return true;
    },
    1,
  );
  expect(await begin().picture).toMatchObject({ width: 128 });
  expect(comfy.submitted).toHaveLength(2);
});
