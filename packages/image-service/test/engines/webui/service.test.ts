import { contents, expectNoSecrets, silentLog } from '@darkroom/testing';
import { createFastClock } from '@darkroom/time/testing';
import { expect, test } from 'vitest';
import { createWebuiEngine } from '../../../src/engines/webui/engine.ts';
import { createFakeSdcpp } from '../../support/fake-sdcpp.ts';
import { createFakeWebui } from '../../support/fake-webui.ts';
import { createServiceWorld, problemOf, serviceWorld } from '../../support/service.ts';
import { serviceBySettings } from '../../support/service-by-settings.ts';
import { testStorage } from '../../support/storage.ts';

/** Its waits of seconds pass in tens of milliseconds. */
const engineOn = ({ url }: { url: string }) =>
  createWebuiEngine({ servers: [url], clock: createFastClock({ factor: 50 }), log: silentLog() });

test('a submission becomes a picture in a size that can be drawn, and is paid for', async () => {
  const webui = await createFakeWebui();
  const world = await serviceWorld({ engine: engineOn(webui) });
  const answer = await world.submit({ prompt: 'a fox', width: 250, height: 130 });
  const { data } = JSON.parse(await answer.text());
  expect(data.warnings).toEqual([
    'width and height are rounded to multiples of 8: this picture has 248 × 128 pixels',
  ]);
  await (await webui.request()).finish();
  expect(await world.until(data.id)).toMatchObject({ status: 'completed' });
  expect(await world.balance()).toBe(99);
});

test('a task that is cancelled is interrupted on the server, and its credits come back', async () => {
  const webui = await createFakeWebui();
  const world = await serviceWorld({ engine: engineOn(webui) });
  const id = await world.submitted({ prompt: 'a fox' });
  const request = await webui.request();
  await world.call('/v1/index.php?endpoint=cancel_task', { json: { task_id: id } });
  await expect.poll(() => request.interrupted).toBe(true);
  expect(await world.balance()).toBe(100);
});

test('a service that stops while a WebUI draws has the picture drawn anew, and charged once', async () => {
  const webui = await createFakeWebui();
  const storage = await testStorage();
  const before = await createServiceWorld({ storage, engine: engineOn(webui) });
  const id = await before.submitted({ prompt: 'a fox' });
  const first = await webui.request();
  await before.close();
  expect(first.interrupted).toBe(true);
  const after = await serviceWorld({ storage, engine: engineOn(webui) });
  const second = await webui.request(1);
  expect(second.body.seed).toBe(first.body.seed);
  await second.finish();
  expect(await after.until(id, undefined, before.key)).toMatchObject({ status: 'completed' });
  expect(await after.balance(before.key)).toBe(99);
});

test('a service that stops while stable-diffusion.cpp draws goes on with the same job', async () => {
  const sdcpp = await createFakeSdcpp();
  const storage = await testStorage();
  const before = await createServiceWorld({ storage, engine: engineOn(sdcpp) });
  const id = await before.submitted({ prompt: 'a fox' });
  const job = await sdcpp.job();
  job.status = 'generating';
  await before.until(id, (task) => task.status === 'processing' && task.progress > 0);
  await before.close();
  await sdcpp.finish(job);
  const after = await serviceWorld({ storage, engine: engineOn(sdcpp) });
  expect(await after.until(id, undefined, before.key)).toMatchObject({ status: 'completed' });
  expect(sdcpp.jobs).toHaveLength(1);
  expect(await after.balance(before.key)).toBe(99);
});

test('capabilities name models, sizes, previews and whether a drawing can be cancelled', async () => {
  const webui = await createFakeWebui();
  const sdcpp = await createFakeSdcpp();
  const told = async (engine: ReturnType<typeof engineOn>) => {
    const world = await serviceWorld({ engine });
    const answer = await world.call('/v1/index.php?endpoint=capabilities');
    const { data } = JSON.parse(await answer.text());
    return data.workflows;
  };
  const models = ['sdxl/animagine-xl-4.0.safetensors', 'v1-5-pruned-emaonly.safetensors'];
  const drawn = { engine: 'sdwebui', models, graphs: false, previews: true, cancelling: true };
  expect(await told(engineOn(webui))).toMatchObject([
    { ...drawn, name: 'default' },
    { ...drawn, name: 'anime' },
    { name: 'rr3', engine: 'instant' },
  ]);
  const [first] = await told(engineOn(sdcpp));
  expect(first).toMatchObject({ models: ['v1-5-pruned-emaonly'], previews: false, cancelling: false });
});

test('while no server answers its workflows are refused, and cost nothing', async () => {
  const webui = await createFakeWebui();
  await webui.stop();
  const world = await serviceWorld({ engine: engineOn(webui) });
  const refused = await world.submit({ prompt: 'a fox' });
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await problemOf(refused)).toMatchObject({ code: 'engine_unavailable' });
  const graph = { 1: { class_type: 'KSampler', inputs: {} } };
  expect(await problemOf(await world.submit({ prompt: graph }))).toMatchObject({
    code: 'graph_not_supported',
  });
  expect(await world.balance()).toBe(100);
});

test('SDWEBUI_URL is the one setting that it takes, and its password stays in it', async () => {
  const webui = await createFakeWebui({ auth: 'ann:pass-word-of-ann' });
  const { folder, ask } = await serviceBySettings({ SDWEBUI_URL: webui.url });
  const request = await webui.request();
  expect(request.body.prompt).toBe('a fox');
  webui.answer('POST /sdapi/v1/interrupt', { status: 500 });
  await webui.stop();
  const calls = ['capabilities', 'task_list'].map((query) => `/v1/index.php?endpoint=${query}`);
  const outside = await Promise.all([...calls, '/readyz', '/metrics'].map((path) => ask(path)));
  expectNoSecrets(['pass-word-of-ann', Buffer.from('ann:pass-word-of-ann').toString('base64')], {
    outside: outside.join('\n'),
    files: await contents(folder),
  });
});
