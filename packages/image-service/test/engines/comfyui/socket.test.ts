import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { createDeferred, listen, watchHeap } from '@darkroom/testing';
import type { WebSocket } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { readAddress } from '../../../src/engines/address.ts';
import { openEventStream } from '../../../src/engines/comfyui/event-stream.ts';
import { openSocket } from '../../../src/engines/comfyui/socket.ts';
import { createFakeComfy } from '../../support/fake-comfyui.ts';

/** Shakes hands as RFC 6455 wants it, and never says another word. */
async function silentServer() {
  const connections: Socket[] = [];
  const server = createServer().on('upgrade', (request, socket: Socket) => {
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    connections.push(socket.on('error', () => undefined).resume());
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
  });
  const port = await listen(server);
  onTestFinished(() => {
    for (const socket of connections) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${port}`, connections };
}

test('of a stream that is closed nothing stays in memory, however long its signal lives', async () => {
  const { url } = await createFakeComfy();
  const { signal } = new AbortController();
  const sockets: WeakRef<WebSocket>[] = [];
  async function openAndClose() {
    const closed = createDeferred<void>();
    const { close } = await openEventStream({
      connect(clientId) {
        const opened = openSocket(readAddress(url), clientId);
        opened.socket.addEventListener('close', () => closed.resolve());
        sockets.push(new WeakRef(opened.socket));
        return opened;
      },
      onEvent: () => undefined,
      onPreview: () => undefined,
      signal,
    });
    close();
    await closed.promise;
  }
  for (let count = 0; count < 5; count += 1) await openAndClose();
  const collectGarbage = watchHeap();
  await expect
    .poll(() => {
      collectGarbage();
      return sockets.filter((socket) => socket.deref()).length;
    })
    .toBe(0);
});

test('a server that does not answer a goodbye is hung up on', async () => {
  const { url, connections } = await silentServer();
  const { socket, close } = openSocket(readAddress(url), 'me');
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  const [connection] = connections;
  if (!connection) throw new Error('no connection arrived');
  const hungUp = once(connection, 'end');
  close();
  await hungUp;
  expect(connection.readableEnded).toBe(true);
});
