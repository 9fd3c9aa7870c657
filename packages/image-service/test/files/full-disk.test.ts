import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '@darkroom/testing';
import { expect, test } from 'vitest';
import { runCommand } from '../../src/operator/command-line.ts';
import { problemOf } from '../support/service.ts';
import { startService } from '../support/service-process.ts';
import { testStorage } from '../support/storage.ts';

/** Runs what follows with a small disk of its own at `$PICTURES`, which needs no rights on this machine. */
const ON_A_SMALL_DISK = [
  'unshare',
  '--user',
  '--map-root-user',
  '--mount',
  'sh',
  '-c',
  'mount -t tmpfs -o size=4m none "$PICTURES" && exec "$@"',
  'sh',
];

function hasOwnDisks(): boolean {
  try {
    const [program = '', ...args] = ON_A_SMALL_DISK;
    execFileSync(program, [...args, 'true'], { env: { ...process.env, PICTURES: '/mnt' }, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test.skipIf(!hasOwnDisks())(
  'on a full disk nothing more is charged, what there is can be fetched, and with room all goes on',
  async () => {
    const storage = await testStorage();
    const pictures = join(storage.folder, 'disk');
    await mkdir(pictures);
    const settings = {
      SERVICE_DATABASE_URL: storage.databaseUrl,
      SECRET_KEY: '5'.repeat(64),
      PICTURES_URL: `file://${pictures}`,
    };
    const { printed } = await runCommand(
      ['account', 'add', 'studio', '--create', '--credits', '10', '--json'],
      settings,
    );
    const token = /lt-[0-9a-f]+/.exec(printed)?.[0];
    const service = startService(storage, { ...settings, PICTURES: pictures }, ON_A_SMALL_DISK);
    const url = await service.url();
    const ask = async (path: string, body?: object) =>
      fetch(`${url}${path}`, {
        headers: { 'content-type': 'application/json', ...(key && { 'x-api-key': key }) },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });
    const dataOf = async (answer: Response) => JSON.parse(await answer.text()).data;
    const submit = () => ask('/v1/image_generation', { prompt: 'a fox', width: 256, height: 256 });
    const status = async (id: string) => dataOf(await ask(`/v1/task_status?task_id=${id}`));
    const balance = async () => (await dataOf(await ask('/v1/user_balance'))).balance;
    let key = '';
    key = (await dataOf(await ask('/api/generate_api_key', { token }))).api_key;

    const first = await dataOf(await submit());
    const done = await until(async () => {
      const task = await status(first.id);
      return task.status === 'completed' && task;
    }, 'the first picture');
    const second = await dataOf(await submit());
    // The disk as the service sees it.
    const filler = `/proc/${service.child.pid}/root${pictures}/filler`;
    await writeFile(filler, Buffer.alloc(8_000_000)).catch(() => undefined);
    await service.says('pictures cannot be stored, and new tasks are refused');
    expect(service.output()).toContain('ENOSPC');

    const refused = await submit();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30']);
    expect((await problemOf(refused)).message).toContain('the place for pictures is full');
    expect((await fetch(done.result.image_url)).status).toBe(200);
    expect((await status(first.id)).status).toBe('completed');
    expect(await balance()).toBeGreaterThanOrEqual(8);

    await rm(filler);
    await service.says('pictures can be stored again');
    const third = await dataOf(await submit());
    await until(async () => (await status(third.id)).status === 'completed', 'a picture with room for it');
    const { status: how } = await until(async () => {
      const task = await status(second.id);
      return /completed|failed/.test(task.status) && task;
    }, 'the end of the second task');
    expect(await balance()).toBe(how === 'completed' ? 7 : 8);
  },
);
