import { randomUUID } from 'node:crypto';
import { failureOf } from '@darkroom/testing';
import { HOUR_MS, MINUTE_MS } from '@darkroom/time';
import { createFakeClock } from '@darkroom/time/testing';
import { expect, test } from 'vitest';
import { SERVICE_LIMITS } from '../../../src/limits.ts';
import { comfyWorld, noiseGraph } from '../../support/comfy-engine.ts';
import { createFakeComfy, FAKE_MODELS, type FakeComfy } from '../../support/fake-comfyui.ts';

const film = { graph: noiseGraph(), extraData: {}, outputs: ['3'], number: 1, id: 'film' };
/** The server has been asked several times more what it draws, in a minute. */
async function asked(comfy: FakeComfy) {
  const before = comfy.requests('/queue').length;
  await comfy.until(() => comfy.requests('/queue').length > before + 6, 'six questions in a minute');
}

test('a server that takes up no prompt any more loses what waits there to another one', async () => {
  const fakes = [await createFakeComfy(), await createFakeComfy()] as const;
  fakes[0].prompts.killWorker();
  const clock = createFakeClock({ jumps: true });
  const { draw } = await comfyWorld({ fakes, clock, pollMs: 1_000 });
  expect(await draw()).toMatchObject({ width: 128 });
  expect(fakes.map(({ submitted }) => submitted.length)).toEqual([1, 1]);
  expect(fakes[0].prompts.pending).toEqual([]);
});

test('so does one that will never be done with what was cancelled long ago', async () => {
  const fakes = [await createFakeComfy(), await createFakeComfy()] as const;
  const [dead, busy] = fakes;
  const clock = createFakeClock({ jumps: true });
  const { begin, draw } = await comfyWorld({ fakes, clock, pollMs: 1_000 });
  dead.prompts.hold();
  const first = begin();
  await dead.running(first.drawing.taskId);
  dead.prompts.killWorker();
  first.stop('deadline');
  expect(await failureOf(first.picture)).toBe('deadline');
  await clock.sleep(10 * MINUTE_MS);
  busy.prompts.hold();
  for (const number of [1, 2]) busy.prompts.add({ ...film, number, id: `film-${number}` });
  const picture = draw({ taskId: randomUUID() });
  await busy.until(() => busy.submitted.length === 1, 'the prompt on the other server');
  busy.prompts.release();
  expect(await picture).toMatchObject({ width: 128 });
  expect(dead.submitted).toHaveLength(2);
});

test('so does one that has been running what another process has left there for longer than anything takes', async () => {
  const fakes = [await createFakeComfy(), await createFakeComfy()] as const;
  const [dead, busy] = fakes;
  const clock = createFakeClock({ jumps: true });
  const before = await comfyWorld({ fakes: [dead], clock, pollMs: 10_000 });
  dead.prompts.hold();
  const first = before.begin();
  await dead.running(first.drawing.taskId);
  dead.prompts.killWorker();
  await before.engine.close();
  expect(await failureOf(first.picture)).toBe('closing');
  busy.prompts.hold();
  for (const number of [1, 2]) busy.prompts.add({ ...film, number, id: `film-${number}` });
  const { draw } = await comfyWorld({ fakes, clock, pollMs: 10_000 });
  const from = clock.now();
  const picture = draw({ taskId: randomUUID() });
  await busy.until(() => busy.submitted.length === 1, 'the prompt on the other server');
  expect(clock.now() - from).toBeGreaterThan(SERVICE_LIMITS.taskMs + 5 * MINUTE_MS);
  expect(clock.now() - from).toBeLessThan(SERVICE_LIMITS.taskMs + 10 * MINUTE_MS);
  busy.prompts.release();
  expect(await picture).toMatchObject({ width: 128 });
  expect(dead.submitted).toHaveLength(2);
});

test.each([
  ['alone', []],
  ['beside one that lacks its model', [{ models: { ...FAKE_MODELS, checkpoints: [] } }]],
])('what waits on a server %s while others have it draw a film is not lost', async (_where, more) => {
  const fakes = await Promise.all([{}, ...more].map(createFakeComfy));
  const clock = createFakeClock({ jumps: true });
  const { comfy, begin } = await comfyWorld({ fakes, clock, pollMs: 1_000 });
  comfy.prompts.hold();
  comfy.prompts.add(film);
  const model = 'v1-5-pruned-emaonly';
  const early = begin({ taskId: randomUUID(), model });
  await asked(comfy);
  early.stop('deadline');
  expect(await failureOf(early.picture)).toBe('deadline');
  await clock.sleep(55 * MINUTE_MS);
  const { picture } = begin({ taskId: randomUUID(), model });
  await asked(comfy);
  await clock.sleep(10 * MINUTE_MS);
  await asked(comfy);
  comfy.prompts.release();
  expect(await picture).toMatchObject({ width: 128 });
  expect(comfy.submitted).toHaveLength(2);
});

test('where another server would take it, it moves there after an hour, once', async () => {
  const fakes = [await createFakeComfy(), await createFakeComfy()] as const;
  const [dead, busy] = fakes;
  dead.prompts.hold();
  dead.prompts.add(film);
  busy.prompts.hold();
  for (const number of [1, 2]) busy.prompts.add({ ...film, number, id: `film-${number}` });
  const clock = createFakeClock({ jumps: true });
  const { draw } = await comfyWorld({ fakes, clock, pollMs: 10_000 });
  const from = clock.now();
  const picture = draw();
  await busy.until(() => busy.submitted.length === 1, 'the prompt on the other server');
  expect(clock.now() - from).toBeGreaterThan(HOUR_MS);
  await asked(busy);
  await clock.sleep(2 * HOUR_MS);
  await asked(busy);
  busy.prompts.release();
  expect(await picture).toMatchObject({ width: 128 });
  expect([dead, busy].map(({ submitted }) => submitted.length)).toEqual([1, 1]);
});

test('what waits behind the second attempt at a drawing is not lost, however long that takes', async () => {
  const clock = createFakeClock({ jumps: true });
  const { comfy, begin } = await comfyWorld({ clock, pollMs: 1_000 });
  comfy.prompts.hold();
  const first = begin();
  await comfy.running(first.drawing.taskId);
  comfy.prompts.interrupt();
  await comfy.until(() => comfy.submitted.length === 2, 'the second attempt');
  const behind = begin({ taskId: randomUUID() });
  await comfy.until(() => comfy.submitted.length === 3, 'the prompt behind it');
  await clock.sleep(7 * MINUTE_MS);
  await asked(comfy);
  comfy.prompts.release();
  for (const { picture } of [first, behind]) expect(await picture).toMatchObject({ width: 128 });
  expect(comfy.submitted).toHaveLength(3);
});
