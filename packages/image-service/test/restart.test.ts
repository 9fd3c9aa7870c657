import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { controlledEngine, instantEngine, noiseEngine } from './support/engines.ts';
import { createServiceWorld, serviceWorld } from './support/service.ts';
import { startService } from './support/service-process.ts';
import { testStorage } from './support/storage.ts';

const refusesCallers = (url: string) =>
  expect
    .poll(() =>
      fetch(url).then(
        () => 'answered',
        () => 'refused',
      ),
    )
    .toBe('refused');

test('a task that is being drawn when the service stops is drawn by the next one', async () => {
  const storage = await testStorage();
  const engine = controlledEngine();
  const before = await createServiceWorld({ storage, engine });
  const running = await before.submitted({ prompt: 'a fox' });
  const drawing = await engine.next();
  await before.close();
  expect(drawing.signal.aborted).toBe(true);

  const after = await serviceWorld({ storage });
  expect(await after.until(running, undefined, before.key)).toMatchObject({ status: 'completed' });
  expect(await after.balance(before.key)).toBe(99);
});

test('a task whose process is lost is drawn by another one once its lease is over', async () => {
  const storage = await testStorage();
  const lost = controlledEngine();
  const before = await serviceWorld({ storage, engine: lost, limits: { leaseMs: 100_000 } });
  const id = await before.submitted({ prompt: 'a fox' });
  await lost.next();

  const later = { now: () => Date.now() + 200_000, sleep: before.clock.sleep };
  const after = await serviceWorld({
    storage,
    engine: instantEngine(),
    clock: later,
    limits: { leaseMs: 300 },
  });
  expect(await after.until(id, undefined, before.key)).toMatchObject({ status: 'completed' });
  expect(await after.balance(before.key)).toBe(99);
});

test('a picture that is being fetched when the service stops arrives whole', async () => {
  const world = await createServiceWorld({ engine: noiseEngine() });
  const task = await world.until(await world.submitted({ prompt: 'a fox', width: 2048, height: 2048 }));
  const url = task.status === 'completed' ? task.result.image_url : '';
  const picture = await readFile(join(world.folder, 'pictures', basename(url)));
  const answer = await fetch(url);
  const stopping = world.close();
  // Read at once: whoever takes longer than a stop waits for is cut off.
  expect(picture.equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
  await refusesCallers(world.url);
  await stopping;
});

test('a client that never reads its picture delays the stop by seconds, and no task that is being drawn', async () => {
  const storage = await testStorage();
  const before = await createServiceWorld({ storage, engine: noiseEngine() });
  const picture = await before.until(await before.submitted({ prompt: 'a', width: 2048, height: 2048 }));
  await before.close();
  const engine = controlledEngine();
  const world = await createServiceWorld({ storage, engine });
  const address = new URL(picture.status === 'completed' ? picture.result.image_url : '');
  const reader = connect(Number(new URL(world.url).port), '127.0.0.1').on('error', () => {});
  reader.write(`GET ${address.pathname} HTTP/1.1\r\nHost: service\r\n\r\n`);
  await world.submitted({ prompt: 'a fox' });
  const drawing = await engine.next();
  const askedAt = performance.now();
  const stopped = world.close();
  await once(drawing.signal, 'abort');
  const abortedAt = performance.now();
  await stopped;
  expect(abortedAt - askedAt).toBeLessThan(performance.now() - abortedAt);
  reader.destroy();
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  'a later second %s ends a service at once that still waits for a request to arrive whole',
  async (signal) => {
    const service = startService(await testStorage());
    const url = await service.url();
    const caller = connect(Number(new URL(url).port), '127.0.0.1');
    caller.write(
      'POST /api.php?action=generate_api_key HTTP/1.1\r\nHost: service\r\nContent-Type: application/json\r\n' +
        'Content-Length: 100\r\nExpect: 100-continue\r\n\r\n',
    );
    const [answer] = await once(caller, 'data');
    expect(String(answer)).toContain('100 Continue');
    service.child.kill(signal);
    await refusesCallers(url);
    // Within a second it would count as the first one again.
    await delay(1_500);
    expect(service.child.exitCode).toBeNull();
    // In order it would end with 0, once it has waited for the request.
    expect((await service.end(signal)).code).toBe(1);
    caller.destroy();
  },
);
