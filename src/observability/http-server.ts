import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Log, portError } from '@darkroom/process';

/** For a request to arrive whole. */
const REQUEST_TIMEOUT_MS = 5_000;

/** Probes and scrapers come one at a time. */
const MAX_CONNECTIONS = 64;

interface Answer {
  status: number;
  contentType: string;
  body: string;
}

/**
 * Answers GET and HEAD on a few paths. By Node itself: three answers without parameters need no framework, and a bot
 * that uses another's image service loads none. Rejects with a sentence for the operator where it cannot listen.
 */
export async function listenHttp({
  host,
  port,
  routes,
  log,
}: {
  host: string;
  /** 0 takes a free one. */
  port: number;
  routes: Readonly<Record<string, () => Answer | Promise<Answer>>>;
  log: Log;
}) {
  const paths = new Map(Object.entries(routes));

  async function answer({ method = '', url = '' }: IncomingMessage): Promise<Answer> {
    const route = paths.get(url.replace(/\?.*$/, ''));
    if (!route) return text(404, `There is ${[...paths.keys()].join(', ')}.`);
    if (method !== 'GET' && method !== 'HEAD') return text(405, 'Only GET and HEAD.');
    try {
      return await route();
    } catch (error) {
      log.error({ err: error }, 'a request to HTTP_PORT failed');
      return text(500, 'The log says what went wrong.');
    }
  }

  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    void answer(request).then(({ status, contentType, body }) => {
      const headers = { 'content-type': contentType, 'cache-control': 'no-store' };
      response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body);
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    throw portError(error, { host: 'HTTP_HOST', port: 'HTTP_PORT' }, port);
  }
  server.on('error', (error) => log.error({ err: error }, 'the listener on HTTP_PORT failed'));
  // A server that listens on a host and port has an address of this form.
  const bound = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound.port}`,
    async close(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const text = (status: number, body: string): Answer => ({
  status,
  contentType: 'text/plain; charset=utf-8',
  body: `${body}\n`,
});
