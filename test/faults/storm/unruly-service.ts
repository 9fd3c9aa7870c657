import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { listen } from '../../support/listen.ts';
import type { Random } from './random.ts';

/** A submission that reached the service. */
export interface Submission {
  idempotencyKey: string;
  /** The task that the service made of it, or answered again. */
  taskId: string | undefined;
}

/**
 * Stands before an image service and lets calls fail at random: before they arrive, or after they did. With
 * `idempotent: false` it hides that the service knows a submission again, and makes it forget.
 */
export async function createUnrulyService(upstream: string, random: Random, idempotent: boolean) {
  const submissions: Submission[] = [];
  let calm = false;

  const server = createServer(async (request, response) => {
    const body = await buffer(request).catch(() => Buffer.alloc(0));
    const fault = calm ? 1 : random.next();
    if (fault < 0.03) {
      request.socket.resetAndDestroy();
      return;
    }
    if (fault < 0.05) {
      response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad Gateway</html>');
      return;
    }
    if (fault < 0.06) {
      response.writeHead(429, { 'retry-after': '1' }).end('{"success":false,"error":"busy"}');
      return;
    }
    if (fault < 0.2) await delay(random.between(10, 300));
    const key = `${request.headers['idempotency-key'] ?? ''}`;
    const answer = await fetch(`${upstream}${request.url}`, {
      method: request.method ?? 'GET',
      headers: {
        'x-api-key': `${request.headers['x-api-key'] ?? ''}`,
        ...(body.length > 0 && { 'content-type': 'application/json' }),
        ...(idempotent && key !== '' && { 'idempotency-key': key }),
      },
      ...(body.length > 0 && { body }),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const type = answer.headers.get('content-type') ?? 'application/octet-stream';
    const isJson = type.includes('json');
    if (request.url?.includes('endpoint=image_generation')) {
      const read: { data?: { id?: string } | null } = JSON.parse(bytes.toString());
      submissions.push({ idempotencyKey: key, taskId: read.data?.id });
    }
    if (fault >= 0.2 && fault < 0.24) {
      request.socket.resetAndDestroy();
      return;
    }
    const supported = answer.headers.get('idempotency-key-supported');
    response.writeHead(answer.status, {
      'content-type': type,
      ...(idempotent && supported && { 'idempotency-key-supported': supported }),
    });
    response.end(isJson ? bytes.toString().replaceAll(upstream, url) : bytes);
  });
  server.on('clientError', () => undefined);
  const url = `http://127.0.0.1:${await listen(server)}`;

  return {
    url,
    submissions,
    /** From now on nothing fails. */
    settle(): void {
      calm = true;
    },
    async close(): Promise<void> {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
