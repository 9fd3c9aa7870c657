import { envelope, OPERATIONS } from '@darkroom/image-api';
import { expect, test } from 'vitest';
import { editingEngine } from './support/engines.ts';
import { operator } from './support/operator.ts';
import { body, problemOf, type ServiceWorld, serviceWorld } from './support/service.ts';

const tryOut = (world: ServiceWorld, json: object, key = world.key) =>
  world.call('/v1/index.php?endpoint=dry_run', { json, headers: { 'x-api-key': key } });

const answerTo = async (world: ServiceWorld, json: object, key?: string) =>
  (await body(await tryOut(world, json, key), envelope(OPERATIONS.dryRun.answer.sent))).data;

test('a dry run tells price, balance, place in the queue and warnings, and takes nothing', async () => {
  const { storage, run } = await operator();
  const price = ({ pixels }: { pixels: number }) => pixels / 100_000;
  const world = await serviceWorld({ storage, price, limits: { slots: 0 } });
  const other = await world.addAccount();
  for (let more = 0; more < 3; more++) await world.submitted({ prompt: 'theirs' }, other.key);
  await world.submitted({ prompt: 'mine', width: 100, height: 100 });
  const before = await world.balance();
  const wanted = { prompt: 'a fox', width: 400, height: 500, workflow: 'z-image', cfg: 3 };
  const told = await answerTo(world, wanted);
  expect(told).toMatchObject({ cost: 2, balance: before });
  expect(told.warnings).toEqual([expect.stringContaining('cfg')]);
  expect(await world.balance()).toBe(before);
  expect(await run('task', 'list', world.username)).not.toContain('a fox');

  const id = await world.submitted(wanted);
  const task = await world.until(id, () => true);
  expect(task).toMatchObject({ queue_position: told.queue_position, cost: told.cost });
});

test('a dry run tells when the picture should be finished, once such pictures have been drawn', async () => {
  const world = await serviceWorld();
  expect(await answerTo(world, { prompt: 'a fox' })).not.toHaveProperty('eta_seconds');
  await world.until(await world.submitted({ prompt: 'a fox' }));
  expect((await answerTo(world, { prompt: 'a fox' })).eta_seconds).toBeGreaterThanOrEqual(1);
});

test('a dry run is refused as the submission would be', async () => {
  const world = await serviceWorld({ credits: 1, price: () => 2, limits: { slots: 0 } });
  const rich = await world.addAccount(100);
  for (const [wanted, key] of [
    [{ prompt: 'a fox' }, world.key],
    [{ prompt: '' }, rich.key],
    [{ prompt: 'a fox', width: 4096 }, rich.key],
    [{ prompt: 'a fox', webhook: 'http://127.0.0.1/' }, rich.key],
    [{ prompt: 'a fox' }, 'sk-wrong'],
  ] as const) {
    const [tried, made] = [await tryOut(world, wanted, key), await world.submit(wanted, key)];
    const [one, other] = [await problemOf(tried), await problemOf(made)];
    expect([tried.status, one.code, one.details]).toEqual([made.status, other.code, other.details]);
  }
});

test('no picture is fetched for an account that cannot pay for what is made of it', async () => {
  const price = ({ operation }: { operation: string }) => (operation === 'upscale' ? 0.5 : 0);
  const world = await serviceWorld({ engine: editingEngine(), price, credits: 0.4 });
  const rich = await world.addAccount(1);
  // Refused by the fetch.
  const image = 'https://127.0.0.1/fox.png';
  const enlarged = { operation: 'upscale', image };
  for (const ask of [tryOut.bind(undefined, world), world.submit]) {
    expect(await problemOf(await ask(enlarged, world.key))).toMatchObject({
      code: 'insufficient_balance',
      details: { required: 0.5, balance: 0.4 },
    });
    for (const [wanted, key] of [
      [enlarged, rich.key],
      [{ operation: 'edit', image, prompt: 'a fox' }, world.key],
    ] as const)
      expect((await problemOf(await ask(wanted, key))).message).toContain('private network');
  }
});

test('a dry run is refused where the queue of the account is full', async () => {
  const world = await serviceWorld({ limits: { slots: 0, waiting: 1 } });
  expect((await tryOut(world, { prompt: 'a fox' })).status).toBe(200);
  await world.submitted({ prompt: 'a fox' });
  const answer = await tryOut(world, { prompt: 'a fox' });
  expect([answer.status, (await problemOf(answer)).code]).toEqual([429, 'queue_full']);
});

test('dry runs are limited like submissions, and count apart from them', async () => {
  const world = await serviceWorld({ limits: { slots: 0, perMinute: 2 } });
  const statuses = [];
  for (let more = 0; more < 3; more++) statuses.push((await tryOut(world, { prompt: 'a fox' })).status);
  expect(statuses).toEqual([200, 200, 429]);
  expect((await world.submit({ prompt: 'a fox' })).status).toBe(200);
});
