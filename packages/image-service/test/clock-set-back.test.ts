import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { NOWHERE, silentLog } from '@darkroom/testing';
import { HOUR_MS, systemClock } from '@darkroom/time';
import { expect, onTestFinished, test } from 'vitest';
import { loadServiceConfig } from '../src/config.ts';
import type { Engine } from '../src/engines/engine.ts';
import { openEngines } from '../src/engines/open-engines.ts';
import { createFolder } from '../src/files/folder.ts';
import { controlledEngine, endlessEngine } from './support/engines.ts';
import { problemOf, serviceWorld } from './support/service.ts';
import { testStorage } from './support/storage.ts';

/** A clock that can be set back by an hour. */
function clockToSetBack() {
  let ahead = 0;
  return {
    ...systemClock,
    now: () => Date.now() + ahead,
    setBack(): void {
      ahead -= HOUR_MS;
    },
    pass(ms: number): void {
      ahead += ms;
    },
  };
}

test('an account that has used up its minute has another one, and not an hour to wait', async () => {
  const clock = clockToSetBack();
  const storage = await testStorage();
  const limits = { perMinute: 1, failuresPerMinute: 1 };
  const world = await serviceWorld({ storage, clock, limits });
  const submit = async () => (await world.submit({ prompt: 'a fox' })).status;
  const guess = async () =>
    problemOf(await world.call('/v1/user_balance', { headers: { 'x-api-key': 'sk-x' } }));
  expect([await submit(), await submit()]).toEqual([200, 429]);
  expect([(await guess()).code, (await guess()).code]).toEqual(['invalid_api_key', 'rate_limited']);

  clock.setBack();
  expect([await submit(), await submit()]).toEqual([200, 429]);
  expect((await guess()).code).toBe('invalid_api_key');
  const other = await serviceWorld({ storage, clock, limits });
  expect((await other.submit({ prompt: 'a fox' }, world.key)).status).toBe(429);
});

test('a submission that waits for its task does so for no longer than it has asked', async () => {
  const clock = clockToSetBack();
  const engine: Engine = {
    ...endlessEngine(),
    async rejection() {
      clock.setBack();
      return undefined;
    },
  };
  const world = await serviceWorld({ clock, engine });
  const answer = await world.call('/v1/index.php?endpoint=image_generation&wait=0.1', {
    json: { prompt: 'a fox' },
  });
  expect(JSON.parse(await answer.text()).data).toMatchObject({ status: 'queued', task: {} });
});

test('the progress of what is being drawn goes on', async () => {
  const clock = clockToSetBack();
  const engine = controlledEngine();
  const world = await serviceWorld({ clock, engine });
  const id = await world.submitted({ prompt: 'a fox' });
  const drawing = await engine.next();
  drawing.progress(10);
  await world.until(id, (task) => 'progress' in task && task.progress === 10);
  clock.setBack();
  drawing.progress(50);
  await world.until(id, (task) => 'progress' in task && task.progress === 50);
  await drawing.finish();
  expect(await world.until(id)).toMatchObject({ status: 'completed' });
});

test.each([
  ['back', (clock: ReturnType<typeof clockToSetBack>) => clock.setBack()],
  ['ahead', (clock: ReturnType<typeof clockToSetBack>) => clock.pass(3 * HOUR_MS)],
])('how long pictures take is not learnt from a clock that was set %s', async (_, set) => {
  const clock = clockToSetBack();
  const engine = controlledEngine();
  const world = await serviceWorld({ clock, engine, limits: { slots: 1 } });
  const first = await world.submitted({ prompt: 'a fox' });
  const drawing = await engine.next();
  set(clock);
  await drawing.finish();
  await world.until(first, ({ status }) => status !== 'pending' && status !== 'processing');
  await world.submitted({ prompt: 'a fox' });
  const waiting = await world.submitted({ prompt: 'a fox' });
  const task = await world.until(waiting, ({ status }) => status === 'pending');
  expect(task).not.toHaveProperty('eta_seconds');
});

test('a task whose deadline passes while the machine sleeps ends when it wakes', async () => {
  const clock = clockToSetBack();
  const engine = controlledEngine();
  const world = await serviceWorld({ clock, engine, limits: { leaseMs: 1_000 } });
  const id = await world.submitted({ prompt: 'a fox' });
  await engine.next();
  clock.pass(HOUR_MS);
  expect(await world.until(id)).toMatchObject({ status: 'failed', error_code: 'timed_out' });
});

test('a task whose deadline is put off, as the clock is set back, ends in time all the same', async () => {
  const clock = clockToSetBack();
  const engine = controlledEngine();
  const world = await serviceWorld({ clock, engine, limits: { taskMs: 2_000 } });
  const id = await world.submitted({ prompt: 'a fox' });
  // Two seconds may pass before it begins.
  await Promise.race([engine.next(), world.until(id)]);
  clock.setBack();
  expect(await world.until(id)).toMatchObject({ status: 'failed', error_code: 'timed_out' });
});

test('what is wrong with the service is found within seconds', async () => {
  const clock = clockToSetBack();
  const pictures = join((await testStorage()).folder, 'pictures');
  const world = await serviceWorld({ clock, place: { ...createFolder(pictures), probeMs: 20 } });
  const ready = async () => (await world.call('/readyz')).status;
  await expect.poll(ready).toBe(200);
  clock.setBack();
  await expect.poll(ready).toBe(200);
  await rename(pictures, `${pictures}-aside`);
  await expect
    .poll(() => {
      clock.pass(10_000);
      return ready();
    })
    .toBe(503);
});

test('an engine that does not answer is tried again within a minute', async () => {
  const clock = clockToSetBack();
  const config = loadServiceConfig({ SDWEBUI_URL: NOWHERE });
  const engines = await openEngines(config, { clock, log: silentLog(), paceMs: 0 });
  onTestFinished(async () => void (await Promise.all(engines.map((engine) => engine.close()))));
  const [webui] = engines;
  const away = () => webui?.rejection?.({ prompt: 'a fox', workflow: 'default', model: undefined });
  expect(await away()).toHaveProperty('retryAfterMs');
  clock.setBack();
  const later = await away();
  expect(later && 'retryAfterMs' in later && later.retryAfterMs).toBeLessThanOrEqual(60_000);
});
