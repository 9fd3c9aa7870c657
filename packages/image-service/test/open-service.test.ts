import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { captureLog, listen, silentLog } from '@darkroom/testing';
import { expect, onTestFinished, test } from 'vitest';
import { loadServiceConfig } from '../src/config.ts';
import { openService } from '../src/open-service.ts';
import { testStorage } from './support/storage.ts';

async function open(env: NodeJS.ProcessEnv, log = silentLog(), storage = testStorage()) {
  const { databaseUrl } = await storage;
  const config = loadServiceConfig({ SERVICE_DATABASE_URL: databaseUrl, SECRET_KEY: '5'.repeat(64), ...env });
  return openService(config, { log });
}

test('a port that is in use is an error that names SERVICE_PORT', async () => {
  const other = createServer();
  const port = await listen(other);
  onTestFinished(() => void other.close());
  await expect(open({ SERVICE_PORT: `${port}` })).rejects.toThrow(
    `Port ${port} is taken. Set SERVICE_PORT to another one.`,
  );
});

test.each(['192.0.2.1', 'nowhere.invalid'])(
  '%s, which is no address of this machine, is an error that names SERVICE_HOST',
  async (host) => {
    await expect(open({ SERVICE_HOST: host, SERVICE_PORT: '0' })).rejects.toThrow(
      'SERVICE_HOST is not an address of this machine.',
    );
  },
);

test.each([
  { env: {}, said: '"workflows":["default","anime","z-image","rr3"]' },
  {
    env: { SERVICE_WORKFLOWS: '{"anime": "sketch"}', COMFYUI_URL: 'http://127.0.0.1:9' },
    said: '["anime","rr3"]',
  },
])('what is sketched is said once, with what draws it for real: $said', async ({ env, said }) => {
  const { log, lines } = captureLog();
  const { service } = await open({ SERVICE_PORT: '0', ...env }, log);
  onTestFinished(service.close);
  const [line, ...others] = lines.filter((one) => one.includes('sketched by rules'));
  expect(line).toContain(said);
  expect(line).toMatch(/COMFYUI_URL or .*AI_HORDE_KEY/);
  expect(others).toEqual([]);
});

test('a service that does not start leaves none of its engines open', async () => {
  const storage = testStorage();
  const { service } = await open({ SERVICE_PORT: '0' }, silentLog(), storage);
  await service.close();
  const comfy = createHttpServer((_, reply) => void reply.setHeader('keep-alive', 'timeout=300').end('{}'));
  comfy.keepAliveTimeout = 0;
  const port = await listen(comfy);
  onTestFinished(() => void comfy.close());
  const connected = once(comfy, 'connection');
  const otherKey = { SECRET_KEY: '6'.repeat(64), COMFYUI_URL: `http://127.0.0.1:${port}` };
  await expect(open(otherKey, silentLog(), storage)).rejects.toThrow('SECRET_KEY');
  const [socket]: Socket[] = await connected;
  if (socket?.closed === false) await once(socket, 'close');
});
