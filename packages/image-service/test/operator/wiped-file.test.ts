import { readFile } from 'node:fs/promises';
import { openSqlite, sqlitePath } from '@darkroom/storage';
import { expect, onTestFinished, test } from 'vitest';
import { operator } from '../support/operator.ts';
import { serviceWorld } from '../support/service.ts';

/** A service that has drawn the words, also so many that they have pages of their own; and where they stand. */
async function drawnWorld() {
  const { storage, run } = await operator();
  const world = await serviceWorld({ storage });
  const words = 'a vermilion ocelot';
  const task = await world.submitted({ prompt: words });
  await world.until(task);
  await world.until(await world.submitted({ prompt: `${words} `.repeat(200) }));
  const path = sqlitePath(storage.databaseUrl) ?? '';
  return {
    run,
    world,
    task,
    path,
    async written(): Promise<string[]> {
      const files = ['', '-wal'].map(async (end) => ({ end, bytes: await readFile(`${path}${end}`) }));
      return (await Promise.all(files))
        .filter(({ bytes }) => bytes.includes(words))
        .map(({ end }) => `file${end}`);
    },
  };
}

test('of a deleted account no prompt is left in the file, nor in its log', async () => {
  const { run, world, written } = await drawnWorld();
  expect(await written()).not.toEqual([]);
  await run('account', 'delete', world.username, '--yes');
  expect(await written()).toEqual([]);
});

test('the operator is told where a backup keeps the log from being emptied, also by JSON', async () => {
  const { run, world, path, task } = await drawnWorld();
  const backup = openSqlite(path, { timeoutMs: 0 });
  onTestFinished(backup.close);
  backup.exec('begin');
  backup.prepare('select count(*) from accounts').all();
  expect(JSON.parse(await run('task', 'delete', task, '--json'))).toMatchObject([{ wiped: 'no' }]);
  expect(await run('account', 'delete', world.username, '--yes')).toContain('until the service is restarted');
});
