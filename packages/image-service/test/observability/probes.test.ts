import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { silentLog, startTcpProxy, until } from '@darkroom/testing';
import { systemClock } from '@darkroom/time';
import { expect, test } from 'vitest';
import { createComfyEngine } from '../../src/engines/comfyui/engine.ts';
import { createFolder } from '../../src/files/folder.ts';
import { createFakeComfy } from '../support/fake-comfyui.ts';
import { type ServiceWorld, serviceWorld } from '../support/service.ts';
import { testStorage } from '../support/storage.ts';

/** Findings are given again for 5 seconds; here the clock leaps between two questions. */
function leapingClock() {
  let ahead = 0;
  return { ...systemClock, now: () => Date.now() + ahead, leap: () => (ahead += 60_000) };
}

async function readyz(world: ServiceWorld) {
  const answer = await world.call('/readyz', { headers: {} });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

test('a service that is well is alive and ready, and says so to anybody', async () => {
  const world = await serviceWorld();
  const alive = await world.call('/healthz', { headers: {} });
  expect([alive.status, await alive.json()]).toEqual([200, { alive: true }]);
  expect(alive.headers.get('cache-control')).toBe('no-store');
  await expect
    .poll(() => readyz(world))
    .toEqual({
      status: 200,
      body: {
        ready: true,
        checks: {
          database: { state: 'ok', reason: 'takes writes' },
          pictures: { state: 'ok', reason: 'takes files' },
        },
      },
    });
});

test('while pictures cannot be stored it is not ready, says which part is missed, and is well by itself', async () => {
  const { folder } = await testStorage();
  const [pictures, aside] = [join(folder, 'pictures'), join(folder, 'aside')];
  const clock = leapingClock();
  const world = await serviceWorld({ clock, place: { ...createFolder(pictures), probeMs: 20 } });
  await rename(pictures, aside);
  await until(async () => {
    clock.leap();
    const { status, body } = await readyz(world);
    const { database, pictures } = body.checks;
    const isMissed = pictures.reason === 'the place for pictures is not the one that it was';
    return status === 503 && database.state === 'ok' && isMissed;
  }, 'the pictures are missed');
  await rename(aside, pictures);
  await until(async () => {
    clock.leap();
    return (await readyz(world)).status === 200;
  }, 'it is ready again');
});

test('each ComfyUI is named without who may use it; one that is away is missed, and all of them are needed by none', async () => {
  const [one, other] = [await createFakeComfy(), await createFakeComfy()];
  const proxy = await startTcpProxy(new URL(one.url));
  const names = [proxy.url, other.url].map((url) => `comfyui ${new URL(url).host}`);
  const clock = leapingClock();
  const engine = createComfyEngine({
    servers: [proxy.url.replace('http://', 'http://ann:secret@'), other.url],
    clock,
    log: silentLog(),
  });
  const world = await serviceWorld({ engine, clock });
  const asked = () => {
    clock.leap();
    return readyz(world);
  };
  const answered = { state: 'ok', reason: 'answers' };
  const all = Object.fromEntries(names.map((name) => [name, answered]));
  await expect.poll(asked).toMatchObject({ status: 200, body: { checks: all } });
  expect(JSON.stringify(await asked())).not.toContain('secret');

  proxy.refuse();
  const missed = {
    state: 'degraded',
    reason: 'does not answer as it should. Check COMFYUI_URL; others draw',
  };
  await expect.poll(asked).toMatchObject({ status: 200, body: { checks: { [`${names[0]}`]: missed } } });

  await other.close();
  const failing = { state: 'failing', reason: 'does not answer as it should. Check COMFYUI_URL' };
  await expect.poll(asked).toMatchObject({ status: 503, body: { checks: { [`${names[1]}`]: failing } } });
});
