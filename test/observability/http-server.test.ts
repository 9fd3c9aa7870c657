import { createServer } from 'node:net';
import { captureLog, listen } from '@darkroom/testing';
import { expect, onTestFinished, test } from 'vitest';
import { listenHttp } from '../../src/observability/http-server.ts';

async function open({ host = '127.0.0.1', port = 0 } = {}) {
  const { log, lines } = captureLog();
  const server = await listenHttp({
    host,
    port,
    log,
    routes: {
      '/well': () => ({ status: 200, contentType: 'text/plain', body: 'well' }),
      '/broken': () => Promise.reject(new Error('with a secret')),
    },
  });
  onTestFinished(server.close);
  const ask = (path: string, method = 'GET') => fetch(`${server.url}${path}`, { method });
  return { server, lines, ask };
}

test('a path is answered with or without a query, and never kept by a cache', async () => {
  const { ask } = await open();
  for (const path of ['/well', '/well?since=1']) {
    const answer = await ask(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/plain');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.text()).toBe('well');
  }
});

test('HEAD is answered without a body', async () => {
  const { ask } = await open();
  const answer = await ask('/well', 'HEAD');
  expect([answer.status, await answer.text()]).toEqual([200, '']);
});

test('another path says which there are', async () => {
  const { ask } = await open();
  const answer = await ask('/');
  expect([answer.status, await answer.text()]).toEqual([404, 'There is /well, /broken.\n']);
});

test('nothing can be sent', async () => {
  const { ask } = await open();
  expect((await ask('/well', 'POST')).status).toBe(405);
});

test('a failure is told to the log, not to who asked', async () => {
  const { ask, lines } = await open();
  const answer = await ask('/broken');
  expect(answer.status).toBe(500);
  expect(await answer.text()).not.toContain('secret');
  expect(lines.join('')).toContain('with a secret');
});

test('a port that is taken is an error that names HTTP_PORT', async () => {
  const other = createServer();
  const port = await listen(other);
  onTestFinished(() => void other.close());
  await expect(open({ port })).rejects.toThrow(`Port ${port} is taken. Set HTTP_PORT to another one.`);
});

test('a host that is not of this machine is an error that names HTTP_HOST', async () => {
  await expect(open({ host: '192.0.2.1' })).rejects.toThrow('HTTP_HOST is not an address of this machine.');
});

test('once it is closed, nobody is answered', async () => {
  const { server, ask } = await open();
  await ask('/well');
  await server.close();
  await expect(ask('/well')).rejects.toThrow();
});
