import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createVault, openSqlite, sqlitePath } from '@darkroom/storage';
import { captureLog, listen, NOWHERE, silentLog, startTcpProxy, until } from '@darkroom/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { loadServiceConfig } from '../src/config.ts';
import { createFolder } from '../src/files/folder.ts';
import { openService } from '../src/open-service.ts';
import { createService } from '../src/service.ts';
import { startS3 } from './support/bucket.ts';
import { instantEngine } from './support/engines.ts';
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
    env: { SERVICE_WORKFLOWS: '{"anime": "sketch"}', COMFYUI_URL: NOWHERE },
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

test('a service whose bucket is not there yet waits for it, says so once, and starts', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'S3RVER');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'S3RVER');
  onTestFinished(() => void vi.unstubAllEnvs());
  const bucket = await startTcpProxy(new URL((await startS3()).endpoint));
  bucket.refuse();
  const { log, lines } = captureLog();
  const opened = open(
    { SERVICE_PORT: '0', PICTURES_URL: 's3://pictures', PICTURES_ENDPOINT: bucket.url },
    log,
  );
  const said = () => lines.filter((one) => one.includes('(PICTURES_URL) does not answer: '));
  await Promise.race([opened, until(() => said().length > 0, 'that it waits')]);
  bucket.recover();
  const { service } = await opened;
  onTestFinished(service.close);
  expect(said()).toHaveLength(1);
});

/** Less than a connection that nobody closes stays open. */
const STALLED_MS = 60_000;

/** A server that keeps its connections open, and the first one that an engine opens to it. */
async function connectedServer() {
  const server = createHttpServer((_, reply) => void reply.setHeader('keep-alive', 'timeout=300').end('{}'));
  server.keepAliveTimeout = 0;
  const port = await listen(server);
  onTestFinished(() => void server.close());
  const connected: Promise<Socket[]> = once(server, 'connection');
  return {
    url: `http://127.0.0.1:${port}`,
    async disconnected(): Promise<void> {
      const [socket] = await connected;
      if (socket?.closed === false) await once(socket, 'close');
    },
  };
}

test('a service that does not start leaves none of its engines open', { timeout: STALLED_MS }, async () => {
  const storage = testStorage();
  const { service } = await open({ SERVICE_PORT: '0' }, silentLog(), storage);
  await service.close();
  const { url, disconnected } = await connectedServer();
  const otherKey = { SECRET_KEY: '6'.repeat(64), COMFYUI_URL: url };
  await expect(open(otherKey, silentLog(), storage)).rejects.toThrow('SECRET_KEY');
  await disconnected();
});

test('a service that cannot read its tasks leaves its database closed', async () => {
  const storage = testStorage();
  const { service } = await open({ SERVICE_PORT: '0' }, silentLog(), storage);
  await service.close();
  const path = sqlitePath((await storage).databaseUrl) ?? '';
  const sqlite = openSqlite(path, { timeoutMs: 0 });
  sqlite.exec('alter table tasks rename to lost');
  sqlite.close();
  await expect(open({ SERVICE_PORT: '0' }, silentLog(), storage)).rejects.toThrow('no such table: tasks');
  // Whoever closes such a file last removes it.
  expect(existsSync(`${path}-wal`)).toBe(false);
});

test('a service that knows no proxy of that name leaves nothing open', async () => {
  const { databaseUrl, folder } = await testStorage();
  const closed: string[] = [];
  const place = { ...createFolder(join(folder, 'pictures')), close: () => void closed.push('place') };
  const engine = { ...instantEngine(), close: async () => void closed.push('engine') };
  const service = createService({
    storage: { databaseUrl, place, vault: createVault(['5'.repeat(64)]) },
    engines: [engine],
    http: { trustProxy: ['nowhere'] },
    log: silentLog(),
  });
  await expect(service).rejects.toThrow('nowhere');
  expect(closed).toEqual(['engine', 'place']);
  // Whoever closes such a file last removes it.
  expect(existsSync(`${sqlitePath(databaseUrl)}-wal`)).toBe(false);
});

test('an engine that cannot be opened leaves none of those before it open', {
  timeout: STALLED_MS,
}, async () => {
  vi.stubEnv('OPENAI_API_KEY', undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { url, disconnected } = await connectedServer();
  const keyless = { COMFYUI_URL: url, HOSTED_MODEL: 'openai:gpt-image-2.6-flare' };
  await expect(open(keyless)).rejects.toThrow('HOSTED_API_KEY: missing; OpenAI draws');
  await disconnected();
});
