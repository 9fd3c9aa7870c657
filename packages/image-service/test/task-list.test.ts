import { randomUUID } from 'node:crypto';
import { envelope, OPERATIONS, type TaskStatusAnswer } from '@darkroom/image-api';
import { openSqlite, sqlitePath } from '@darkroom/storage';
import { createFakeClock } from '@darkroom/time/testing';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../src/database/database.ts';
import { failingEngine } from './support/engines.ts';
import { body, problemOf, type ServiceWorld, serviceWorld } from './support/service.ts';
import { testStorage } from './support/storage.ts';

const list = async (world: ServiceWorld, query = '', key = world.key) => {
  const answer = await world.call(`/v1/index.php?endpoint=task_list${query}`, {
    headers: { 'x-api-key': key },
  });
  return (await body(answer, envelope(OPERATIONS.list.answer.sent))).data;
};

const placeOf = (task: TaskStatusAnswer) => (task.status === 'pending' ? task.queue_position : undefined);

test("a list has the account's own tasks, newest first, page by page, each once", async () => {
  const world = await serviceWorld();
  const other = await world.addAccount();
  await world.submitted({ prompt: 'not mine' }, other.key);
  const ids = [];
  for (let more = 0; more < 5; more++) ids.push(await world.submitted({ prompt: `fox ${more}` }));
  const seen: string[] = [];
  const times: string[] = [];
  let after = '';
  let pages = 0;
  do {
    const page = await list(world, `&limit=2${after}`);
    seen.push(...page.tasks.map(({ id }) => id));
    times.push(...page.tasks.map(({ created_at }) => created_at ?? ''));
    after = page.next === null ? '' : `&after=${page.next}`;
    pages++;
  } while (after !== '');
  expect(pages).toBe(3);
  expect(new Set(seen)).toEqual(new Set(ids));
  expect(seen).toHaveLength(5);
  expect(times).toEqual([...times].sort().reverse());
});

test('a list can be of one state', async () => {
  const world = await serviceWorld({ rr3Engine: failingEngine() });
  const completed = await world.submitted({ prompt: 'a fox' });
  const failed = await world.submitted({ prompt: 'a fox', workflow: 'rr3' });
  await world.until(completed);
  await world.until(failed);
  expect((await list(world, '&status=failed')).tasks.map(({ id }) => id)).toEqual([failed]);
  expect((await list(world, '&status=completed')).tasks.map(({ id }) => id)).toEqual([completed]);
  expect((await list(world, '&status=pending')).tasks).toEqual([]);
});

test('a list says of tasks that wait the same places in the queue as each of them', async () => {
  const world = await serviceWorld({ limits: { slots: 0 } });
  const other = await world.addAccount();
  for (let more = 0; more < 5; more++) {
    await world.submitted({ prompt: 'mine' });
    if (more % 2 === 0) await world.submitted({ prompt: 'theirs' }, other.key);
  }
  const { tasks } = await list(world);
  expect(tasks.map(placeOf)).toEqual([8, 7, 5, 3, 1]);
  for (const task of tasks) expect(placeOf(await world.until(task.id, () => true))).toBe(placeOf(task));
});

test('lists of many tasks in a long queue cost about as much as asking for one', async () => {
  const storage = await testStorage();
  const world = await serviceWorld({ storage, limits: { slots: 0 } });
  const id = await world.submitted({ prompt: 'a fox' });
  const db = await openDatabase(storage.databaseUrl);
  onTestFinished(() => db.destroy());
  const task = await db.selectFrom('tasks').selectAll().executeTakeFirstOrThrow();
  for (let first = 1; first < 20_000; first += 500) {
    const more = Array.from({ length: 500 }, (_, next) => ({
      ...task,
      id: randomUUID(),
      turn: task.turn + first + next,
      createdAt: task.createdAt + first + next,
    }));
    await db.insertInto('tasks').values(more).execute();
  }
  // What the caller does with an answer is no part of it.
  const twenty = async (ask: () => Promise<Response>) => {
    const before = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const answer = await ask();
        await answer.arrayBuffer();
        return answer.status;
      }),
    );
    const ms = performance.now() - before;
    expect(answers).toEqual(answers.map(() => 200));
    return ms;
  };
  const last = (await list(world, '&limit=1')).tasks[0]?.id ?? id;
  await world.status(last);
  // Both are measured again where something else held up the one and not the other, as often as an account may list.
  await expect
    .poll(
      async () => {
        const single = await twenty(() => world.status(last));
        const hundred = '/v1/index.php?endpoint=task_list&limit=100';
        return (await twenty(() => world.call(hundred))) / single;
      },
      { interval: 12_000 },
    )
    .toBeLessThan(15);
});

test('a list tells what each task was asked for, what became of it and when', async () => {
  const world = await serviceWorld({ rr3Engine: failingEngine() });
  const before = Date.now();
  await world.until(await world.submitted({ prompt: 'a fox', width: 128, height: 64, steps: 8, seed: 7 }));
  await world.until(await world.submitted({ prompt: 'a lighthouse', workflow: 'rr3' }));
  const [failed, completed] = (await list(world)).tasks;
  expect(failed).toMatchObject({
    workflow: 'rr3',
    prompt: 'a lighthouse',
    error: 'the brush broke',
    cost: 0,
  });
  expect(completed).toMatchObject({
    status: 'completed',
    workflow: 'default',
    prompt: 'a fox',
    width: 128,
    height: 64,
    steps: 8,
    seed: 7,
    cost: 1,
    result: { image_url: expect.stringContaining('/files/') },
  });
  const finishedAt = Date.parse(completed?.finished_at ?? '');
  expect(finishedAt >= before && finishedAt <= Date.now()).toBe(true);
});

test('of a graph a list tells what can be read from it, and nothing of one that is very long', async () => {
  const world = await serviceWorld({ limits: { slots: 0 } });
  const graph = (note: string) => ({
    '1': { class_type: 'KSampler', inputs: { positive: ['2', 0], steps: 9, note } },
    '2': { class_type: 'CLIPTextEncode', inputs: { text: 'a whale' } },
  });
  const ids = [
    await world.submitted({ prompt: graph('') }),
    await world.submitted({ prompt: { ...graph(''), '3': { class_type: 'Note', inputs: manyTexts() } } }),
    await world.submitted({ prompt: { '1': { class_type: 'KSampler', inputs: {} } } }),
  ];
  const { tasks } = await list(world);
  const [read, long, silent] = ids.map((id) => tasks.find((task) => task.id === id));
  expect(read).toMatchObject({ workflow: 'default', prompt: 'a whale', steps: 9 });
  for (const unread of [read?.width, long?.prompt, long?.steps, silent?.prompt])
    expect(unread).toBeUndefined();
  expect(long?.workflow).toBe('default');
});

/** Texts of 70 kB together, each within the bounds of a graph's. */
const manyTexts = () =>
  Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`text${at}`, 'x'.repeat(10_000)]));

test('a list leaves out what a task was asked for where this version cannot read it', async () => {
  const storage = await testStorage();
  const world = await serviceWorld({ storage, limits: { slots: 0 } });
  const db = await openDatabase(storage.databaseUrl);
  onTestFinished(() => db.destroy());
  const ids = [];
  for (const prompt of ['a fox', 'a bear', 'a whale']) ids.push(await world.submitted({ prompt }));
  for (const [at, drawing] of ['{"prompt":"as a later version writes it"}', 'torn'].entries())
    await db
      .updateTable('tasks')
      .set({ drawing })
      .where('id', '=', ids[at] ?? '')
      .execute();
  const { tasks } = await list(world);
  expect(tasks.map(({ prompt, workflow }) => [prompt, workflow])).toEqual([
    ['a whale', 'default'],
    [undefined, 'default'],
    [undefined, 'default'],
  ]);
});

test('a list without tasks is empty', async () => {
  const world = await serviceWorld();
  expect(await list(world)).toEqual({ tasks: [], next: null });
});

test('a page that is too long, a state and a place that are none are refused', async () => {
  const world = await serviceWorld();
  for (const [query, code] of [
    ['limit=101', 'parameter_out_of_range'],
    ['status=lost', 'invalid_request'],
    ['after=yesterday', 'invalid_request'],
  ] as const) {
    const answer = await world.call(`/v1/index.php?endpoint=task_list&${query}`);
    const problem = await problemOf(answer);
    expect([answer.status, problem.code, problem.details?.field]).toEqual([400, code, query.split('=')[0]]);
  }
});

test('a page of one state is read by an index, however many tasks are in another', async () => {
  const { databaseUrl } = await testStorage();
  const path = sqlitePath(databaseUrl);
  if (path === undefined) return;
  await (await openDatabase(databaseUrl)).destroy();
  const sqlite = openSqlite(path, { timeoutMs: 0 });
  const plan = sqlite
    .prepare(
      `explain query plan select "id" from tasks where "accountId" = 1 and "state" = 'failed'
       and ("createdAt", "id") < (5, 'a') order by "createdAt" desc, "id" desc limit 20`,
    )
    .all();
  sqlite.close();
  expect(JSON.stringify(plan)).toContain('tasksOfAccountByState (accountId=? AND state=?');
  expect(JSON.stringify(plan)).not.toContain('TEMP B-TREE');
});

test('an account lists its tasks as often as it may, and others go on', async () => {
  const world = await serviceWorld({ clock: createFakeClock() });
  const other = await world.addAccount();
  const list = (key: string) =>
    world.call('/v1/index.php?endpoint=task_list', { headers: { 'x-api-key': key } });
  const answers = await Promise.all(Array.from({ length: 121 }, () => list(world.key)));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.map(({ headers }) => headers.get('retry-after'))).toEqual(['60']);
  expect((await list(other.key)).status).toBe(200);
});
