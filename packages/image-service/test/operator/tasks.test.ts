import type { Submission } from '@darkroom/image-api/contract';
import { expect, test } from 'vitest';
import { ALL_OPERATIONS, controlledEngine, editingEngine, failingEngine } from '../support/engines.ts';
import { operator } from '../support/operator.ts';
import { serviceWorld } from '../support/service.ts';

test('the tasks of an account are listed with what was asked, what it cost and what went wrong', async () => {
  const { storage, run } = await operator();
  const world = await serviceWorld({ storage, rr3Engine: failingEngine() });
  const other = await world.addAccount();
  await world.submitted({ prompt: 'not mine' }, other.key);
  const fox = { prompt: `a red\nfox ${'in the snow '.repeat(9)}`, width: 128, height: 64 };
  const completed = await world.submitted(fox);
  await world.until(completed);
  const failed = await world.submitted({ prompt: 'a lighthouse', workflow: 'rr3' });
  await world.until(failed);
  const listed = JSON.parse(await run('task', 'list', world.username, '--json'));
  expect(listed).toMatchObject([
    { id: failed, state: 'failed', workflow: 'rr3', cost: 0, error: 'the brush broke' },
    {
      id: completed,
      state: 'completed',
      prompt: expect.stringMatching(/^a red fox in .*…$/),
      size: '128x64',
      cost: 1,
    },
  ]);
  const some = await run('--json', 'task', 'list', world.username, '--state', 'completed', '--limit', '5');
  expect(JSON.parse(some)).toMatchObject([{ id: completed }]);
  await expect(run('task', 'list', world.username, '--limit', '0')).rejects.toThrow(
    /Expected a whole number/,
  );
});

test('a task that was cancelled while it was drawn is listed with what it cost', async () => {
  const { storage, run } = await operator();
  const engine = controlledEngine();
  const world = await serviceWorld({ storage, engine });
  const id = await world.submitted({ prompt: 'a fox' });
  (await engine.next()).progress(61);
  await world.until(id, (task) => 'progress' in task && task.progress === 61);
  await world.call('/v1/index.php?endpoint=cancel_task', {
    json: { task_id: id },
    headers: { 'x-api-key': world.key },
  });
  const listed = JSON.parse(await run('task', 'list', world.username, '--json'));
  expect(listed).toMatchObject([{ id, state: 'failed', cost: 0.61 }]);
});

test('the ledger says where the credits of an account went', async () => {
  const { storage, run } = await operator();
  const world = await serviceWorld({ storage, credits: 3, rr3Engine: failingEngine() });
  await run('grant', 'add', (await world.addAccount(7)).username, '1');
  const completed = await world.submitted({ prompt: 'a fox' });
  await world.until(completed);
  const failed = await world.submitted({ prompt: 'a fox', workflow: 'rr3' });
  await world.until(failed);
  expect(JSON.parse(await run('ledger', 'list', world.username, '--json'))).toMatchObject([
    { kind: 'release', credits: 1, after: 2, task: failed },
    { kind: 'reserve', credits: -1, after: 1, task: failed },
    { kind: 'capture', credits: 0, after: 2, task: completed },
    { kind: 'reserve', credits: -1, after: 2, task: completed },
    { kind: 'grant', credits: 3, after: 3, task: null },
  ]);
  const one = JSON.parse(await run('ledger', 'list', world.username, '--task', completed, '--json'));
  expect(one.map(({ kind }: { kind: string }) => kind)).toEqual(['capture', 'reserve']);
  const newest = JSON.parse(await run('ledger', 'list', world.username, '--limit', '1', '--json'));
  expect(newest).toMatchObject([{ kind: 'release' }]);
});

test('a task is deleted with its picture, by its id or the address of that, and what it cost stays', async () => {
  const { storage, run } = await operator();
  const world = await serviceWorld({ storage, credits: 3 });
  const drawn = async () => {
    const id = await world.submitted({ prompt: 'somebody else' });
    const task = await world.until(id);
    return { id, url: task.status === 'completed' ? task.result.image_url : '' };
  };
  const [first, second, kept] = [await drawn(), await drawn(), await drawn()];
  for (const [{ id, url }, named] of [
    [first, first.id],
    [second, second.url],
  ] as const) {
    expect(JSON.parse(await run('task', 'delete', named, '--json'))).toEqual([
      { task: id, account: world.username, 'made from it': 0, 'deleted pictures': 1, wiped: 'yes' },
    ]);
    expect([(await fetch(url)).status, (await world.status(id)).status]).toEqual([404, 404]);
    await expect(run('task', 'delete', named)).rejects.toThrow(/^There is no task .* task list ACCOUNT/);
  }
  expect((await fetch(kept.url)).status).toBe(200);
  expect(JSON.parse(await run('task', 'list', world.username, '--json'))).toMatchObject([{ id: kept.id }]);
  expect(await world.balance()).toBe(0);
  expect(await run('ledger', 'check')).toContain('every entry matches');
});

test('with a task goes what was made from its picture, and from that, with the words in it', async () => {
  const { storage, run } = await operator();
  const rr3Engine = { ...editingEngine(), name: 'another' };
  const world = await serviceWorld({ storage, engine: editingEngine(), rr3Engine });
  const finished = async (submission: Partial<Submission>) => {
    const id = await world.submitted(submission);
    const task = await world.until(id);
    return { id, url: task.status === 'completed' ? task.result.image_url : '' };
  };
  const fox = await finished({ prompt: 'somebody else' });
  const kept = await finished({ prompt: `not ${fox.id}` });
  const doubled = await finished({ operation: 'upscale', image: `task:${fox.id}`, scale: 2 });
  // Drawn by another engine: it is not told what the first was drawn from.
  const other = { workflow: 'rr3', prompt: 'in the snow' } as const;
  const painted = await finished({ operation: 'edit', image: `task:${doubled.id}`, ...other });
  const mask = `task:${fox.id}`;
  const masked = await finished({ operation: 'edit', image: `task:${kept.id}`, mask, prompt: 'a bear' });
  expect(JSON.parse(await run('task', 'delete', fox.id, '--json'))).toMatchObject([
    { task: fox.id, 'made from it': 3, 'deleted pictures': 4 },
  ]);
  for (const { id, url } of [fox, doubled, painted, masked])
    expect([(await fetch(url)).status, (await world.status(id)).status]).toEqual([404, 404]);
  expect((await fetch(kept.url)).status).toBe(200);
});

test('while something is made from the picture of a task, that is deleted only by force', async () => {
  const { storage, run } = await operator();
  const rr3Engine = { ...controlledEngine(), operations: async () => ALL_OPERATIONS };
  const world = await serviceWorld({ storage, rr3Engine });
  const fox = await world.submitted({ prompt: 'somebody else' });
  await world.until(fox);
  const varied = await world.submitted({
    operation: 'edit',
    image: `task:${fox}`,
    prompt: 'in the snow',
    workflow: 'rr3',
  });
  await expect(run('task', 'delete', fox)).rejects.toThrow(`Task ${varied} of ${world.username}, made from`);
  await run('task', 'delete', fox, '--force');
  expect([(await world.status(fox)).status, (await world.status(varied)).status]).toEqual([404, 404]);
});

test('a task that is being drawn is deleted only by force, which cancels it', async () => {
  const { storage, run } = await operator();
  const engine = controlledEngine();
  const world = await serviceWorld({ storage, engine });
  const id = await world.submitted({ prompt: 'somebody else' });
  const drawing = await engine.next();
  await expect(run('task', 'delete', id)).rejects.toThrow('add --force to cancel it');
  await run('task', 'delete', id, '--force');
  expect((await world.status(id)).status).toBe(404);
  await drawing.finish();
  expect(await world.balance()).toBe(100);
  expect(await run('ledger', 'check')).toContain('every entry matches');
});
