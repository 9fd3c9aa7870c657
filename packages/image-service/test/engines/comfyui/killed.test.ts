import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createFakeComfy } from '../../support/fake-comfyui.ts';
import { createServiceWorld } from '../../support/service.ts';
import { testStorage } from '../../support/storage.ts';

type Ask = (query: string, init?: RequestInit) => Promise<Record<string, unknown>>;

const PROGRAM = fileURLToPath(
  new URL('../../../../../dist/packages/image-service/test/support/killable-service.js', import.meta.url),
);

test('a service that is killed while ComfyUI draws is followed by one that fetches the picture', async () => {
  const storage = await testStorage();
  const comfy = await createFakeComfy();
  const setup = await createServiceWorld({ storage });
  await setup.close();
  const headers = { 'x-api-key': setup.key, 'content-type': 'application/json' };

  async function start(): Promise<{ child: ChildProcess; ask: Ask }> {
    const args = [PROGRAM, storage.databaseUrl, join(storage.folder, 'pictures'), comfy.url];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [url] = await once(createInterface(child.stdout), 'line');
    const ask: Ask = async (query, init = {}) => {
      const answer = await fetch(`${url}/v1/index.php?endpoint=${query}`, { headers, ...init });
      return JSON.parse(await answer.text()).data;
    };
    return { child, ask };
  }

  comfy.prompts.hold();
  const first = await start();
  const body = JSON.stringify({ prompt: 'a fox', width: 64, height: 64 });
  const id = String((await first.ask('image_generation', { method: 'POST', body })).id);
  await comfy.running(id);
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  comfy.prompts.release();

  const second = await start();
  await expect.poll(() => second.ask(`task_status&task_id=${id}`)).toMatchObject({ id, status: 'completed' });
  expect(comfy.submitted.map((prompt) => prompt.id)).toEqual([id]);
  expect((await second.ask('user_balance')).balance).toBe(99);
});
