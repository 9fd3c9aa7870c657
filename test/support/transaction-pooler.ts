import { connect, createServer, type Socket } from 'node:net';
import { listen } from '@darkroom/testing';
import { onTestFinished } from 'vitest';

/** How PostgreSQL begins to tell a new session which process serves it (BackendKeyData). */
const BACKEND_KEY = Buffer.from([0x4b, 0, 0, 0, 12]);

/**
 * What matters of PgBouncer in transaction mode, in front of the server at `target`: sessions are told of a process that is
 * not PostgreSQL's, and who begins a transaction does so on the connection that another one had. Closes with the test.
 */
export async function startTransactionPooler(target: URL): Promise<string> {
  const clients: { near: Socket; far: Socket }[] = [];
  const server = createServer((near) => {
    const client = { near, far: connect(Number(target.port), target.hostname) };
    const { far } = client;
    clients.push(client);
    near.on('data', (bytes) => {
      const other = clients.find((one) => one !== client);
      if (bytes.includes('begin') && other) [client.far, other.far] = [other.far, client.far];
      client.far.write(bytes);
    });
    far.on('data', (bytes) => {
      const key = bytes.indexOf(BACKEND_KEY);
      if (key >= 0) bytes.writeInt32BE(1, key + BACKEND_KEY.length);
      clients.find((one) => one.far === far)?.near.write(bytes);
    });
    for (const socket of [near, far]) socket.on('error', () => undefined);
  });
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = `${await listen(server)}`;
  onTestFinished(() => {
    for (const { near, far } of clients) for (const socket of [near, far]) socket.destroy();
    server.close();
  });
  return url.href;
}
