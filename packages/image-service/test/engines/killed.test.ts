import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@darkroom/time';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import { createExpenses } from '../../src/ledger/expenses.ts';
import { createFakeComfy } from '../support/fake-comfyui.ts';
import { createFakeHorde, HORDE_KEY } from '../support/fake-horde.ts';
import { createFakeOpenai, OPENAI_KEY } from '../support/fake-openai.ts';
import { createServiceWorld, serviceWorld } from '../support/service.ts';
import { startService } from '../support/service-process.ts';
import { testStorage } from '../support/storage.ts';

type Ask = (query: string, init?: RequestInit) => Promise<Record<string, unknown>>;

const PROGRAM = fileURLToPath(new URL('../../../../dist/test-bundle/killable-service.js', import.meta.url));

/** A service whose process is killed by the test, and started again. `env` sets up its engine. */
async function killableWorld(env: Readonly<Record<string, string>>) {
  const storage = await testStorage();
  const setup = await createServiceWorld({ storage });
  await setup.close();
  const headers = { 'x-api-key': setup.key, 'content-type': 'application/json' };

  async function start(): Promise<{ ask: Ask; submit(): Promise<string>; kill(): Promise<void> }> {
    const args = [PROGRAM, storage.databaseUrl, join(storage.folder, 'pictures')];
    const child: ChildProcess = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...env },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    if (!child.stdout) throw new Error('it has no standard output');
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`the service has ended with ${code} before it listens`);
    });
    const [url] = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
    const ask: Ask = async (query, init = {}) => {
      const answer = await fetch(`${url}/v1/index.php?endpoint=${query}`, { headers, ...init });
      return JSON.parse(await answer.text()).data;
    };
    return {
      ask,
      async submit() {
        const body = JSON.stringify({ prompt: 'a fox', width: 64, height: 64 });
        return String((await ask('image_generation', { method: 'POST', body })).id);
      },
      async kill() {
        child.kill('SIGKILL');
        await once(child, 'exit');
      },
    };
  }
  return { storage, start };
}

test('a service that is killed while ComfyUI draws is followed by one that fetches the picture', async () => {
  const comfy = await createFakeComfy();
  const { start } = await killableWorld({ COMFYUI_URL: comfy.url });
  comfy.prompts.hold();
  const first = await start();
  const id = await first.submit();
  await comfy.running(id);
  await first.kill();
  comfy.prompts.release();

  const second = await start();
  await expect.poll(() => second.ask(`task_status&task_id=${id}`)).toMatchObject({ id, status: 'completed' });
  expect(comfy.submitted.map((prompt) => prompt.id)).toEqual([id]);
  expect((await second.ask('user_balance')).balance).toBe(99);
});

test('a service that is killed while the AI Horde draws is followed by one that finds the request by its id', async () => {
  const horde = await createFakeHorde();
  const { start } = await killableWorld({ AI_HORDE_KEY: HORDE_KEY, AI_HORDE_URL: horde.url });
  const first = await start();
  const id = await first.submit();
  const request = await horde.request();
  // It is asked about once its id is written down.
  await expect.poll(() => horde.asked.map(({ path }) => path).join()).toContain(`/check/${request.id}`);
  await first.kill();
  await horde.finish(request);

  const second = await start();
  await expect.poll(() => second.ask(`task_status&task_id=${id}`)).toMatchObject({ id, status: 'completed' });
  expect(horde.requests).toHaveLength(1);
  expect(request.cancelled).toBe(false);
  expect((await second.ask('user_balance')).balance).toBe(99);
});

test('a service that is killed while a provider draws does not ask again, counts the picture as paid and takes nothing', async () => {
  const openai = await createFakeOpenai();
  const { start, storage } = await killableWorld({
    HOSTED_MODEL: 'openai:gpt-image-2.6-flare',
    HOSTED_API_KEY: OPENAI_KEY,
    HOSTED_BASE_URL: openai.baseUrl,
    HOSTED_COST: '0.04',
  });
  openai.answer('silence');
  const first = await start();
  const id = await first.submit();
  await openai.request();
  await first.kill();

  const second = await start();
  await expect
    .poll(() => second.ask(`task_status&task_id=${id}`))
    .toMatchObject({
      status: 'failed',
      error: expect.stringContaining('Whether it charges for that cannot be known'),
    });
  expect(openai.requests).toHaveLength(1);
  expect((await second.ask('user_balance')).balance).toBe(100);
  const db = await openDatabase(storage.databaseUrl);
  onTestFinished(() => db.destroy());
  expect(await createExpenses({ db, budget: { day: 5 }, clock: systemClock }).readings()).toMatchObject([
    { period: 'day', spent: 0.04 },
  ]);
});

test('a service that is told to stop while a provider draws ends once it has the picture', async () => {
  const openai = await createFakeOpenai();
  const storage = await testStorage();
  const setup = await createServiceWorld({ storage });
  await setup.close();
  const env = {
    HOSTED_MODEL: 'openai:gpt-image-2.6-flare',
    HOSTED_API_KEY: OPENAI_KEY,
    HOSTED_BASE_URL: openai.baseUrl,
  };
  const service = startService(storage, env);
  const url = `${await service.url()}/v1/index.php?endpoint=image_generation`;
  const answered = openai.hold();
  const headers = { 'x-api-key': setup.key, 'content-type': 'application/json' };
  const accepted = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ prompt: 'a fox' }) });
  const { id } = JSON.parse(await accepted.text()).data;
  await openai.request();
  const ended = service.end('SIGTERM');
  await service.says('the stop waits for it');
  answered();
  expect((await ended).code).toBe(0);
  const next = await serviceWorld({ storage });
  expect(await next.until(id, undefined, setup.key)).toMatchObject({ status: 'completed' });
});
