import { createServer } from 'node:http';
import { listen } from '@darkroom/testing';
import { expect, onTestFinished, test } from 'vitest';
import { type LocalEngine, lookAt } from '../../src/setup/engine-search.ts';

/** A server that has one path, and says how it was asked. */
async function serving(path: string, answer: unknown, status = 200) {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers.authorization);
    response.statusCode = request.url === path ? status : 404;
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });
  onTestFinished(() => void server.close());
  return { host: `127.0.0.1:${await listen(server)}`, asked };
}

const look = (engine: LocalEngine, url: string) =>
  lookAt(engine, url, { signal: AbortSignal.timeout(60_000) });

test('a ComfyUI is known by its version', async () => {
  const { host } = await serving('/system_stats', { system: { comfyui_version: '0.3.64' } });
  expect(await look('comfyui', `http://${host}`)).toMatchObject({ about: 'ComfyUI 0.3.64' });
});

test('a WebUI is known by its models, and shown the name and password of its address', async () => {
  const { host, asked } = await serving('/sdapi/v1/sd-models', [{ model_name: 'dreamshaper' }]);
  expect(await look('sdwebui', `http://me:secret@${host}/`)).toMatchObject({ models: ['dreamshaper'] });
  expect(asked).toEqual([`Basic ${btoa('me:secret')}`]);
});

test('a lone % in a password is itself, as for the service that draws there', async () => {
  const { host, asked } = await serving('/sdapi/v1/sd-models', [{ model_name: 'dreamshaper' }]);
  await look('sdwebui', `http://me:50%@${host}`);
  expect(asked).toEqual([`Basic ${btoa('me:50%')}`]);
});

test('a server that speaks as OpenAI is found at its address with or without the version', async () => {
  const { host } = await serving('/v1/models', { data: [{ id: 'sd-turbo' }] });
  for (const end of ['', '/v1', '/v1/'])
    expect(await look('openai', `http://${host}${end}`)).toMatchObject({ models: ['sd-turbo'] });
});

test('what answers nonsense, an error or a refusal is none of them', async () => {
  const page = await serving('/system_stats', '<html>');
  await expect(look('comfyui', `http://${page.host}`)).rejects.toThrow();
  const other = await serving('/system_stats', { system: {} });
  await expect(look('comfyui', `http://${other.host}`)).rejects.toThrow();
  const locked = await serving('/sdapi/v1/sd-models', {}, 401);
  await expect(look('sdwebui', `http://${locked.host}`)).rejects.toThrow('401');
});
