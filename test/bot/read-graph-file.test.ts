import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { readGraphFile } from '../../src/bot/read-graph-file.ts';
import { GRAPH_BOUNDS } from '../../src/graphs/named-graph.ts';
import { en } from '../../src/messages/locale/en.ts';
import { createInspector } from '../../src/requests/inspection/inspector.ts';
import { POSTER } from '../support/graph-file.ts';

/** What a file is read as that this server hands out. */
async function reading(answer: RequestListener, name = 'poster.json', size = 100) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  // A server on a port is no pipe, so its address has a port.
  const { port } = server.address() as AddressInfo;
  const inspector = createInspector();
  onTestFinished(inspector.close);
  const asked = {
    caller: { member: { id: '1', locale: 'en' } },
    texts: en,
    context: { requests: { inspector } },
  };
  return readGraphFile({ name, size, url: `http://127.0.0.1:${port}/poster.json` }, asked);
}

test('a graph is called as its file, without what turns or hides text, and never as a secret', async () => {
  const serve: RequestListener = (_request, response) => response.end(JSON.stringify(POSTER));
  expect((await reading(serve, 'My\u202e\n poster.JSON')).name).toBe('My poster');
  expect((await reading(serve, `sk-${'a'.repeat(48)}.json`)).name).toBe('graph');
  expect((await reading(serve, '.json')).name).toBe('graph');
});

test('a file that is larger than it says ends where too much has come', async () => {
  const endless: RequestListener = (_request, response) => {
    const chunk = Buffer.alloc(64 * 1024, ' ');
    const more = () => {
      while (response.write(chunk));
    };
    response.on('drain', more).on('error', () => undefined);
    more();
  };
  await expect(reading(endless)).rejects.toThrow(en.graph.fileTooLarge);
  await expect(reading(endless, 'x.json', GRAPH_BOUNDS.file + 1)).rejects.toThrow(en.graph.fileTooLarge);
});

test('a file that is not there, or somewhere else, is not fetched', async () => {
  await expect(reading((_request, response) => response.writeHead(404).end())).rejects.toThrow(
    en.graph.notFetched,
  );
  const elsewhere: RequestListener = (_request, response) =>
    response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end();
  await expect(reading(elsewhere)).rejects.toThrow(en.graph.notFetched);
  await expect(reading((request) => request.destroy())).rejects.toThrow(en.graph.notFetched);
});
