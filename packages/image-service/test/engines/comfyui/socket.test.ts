import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { listen } from '@darkroom/testing';
import { expect, onTestFinished, test } from 'vitest';
import { readAddress } from '../../../src/engines/address.ts';
import { openSocket } from '../../../src/engines/comfyui/socket.ts';

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
