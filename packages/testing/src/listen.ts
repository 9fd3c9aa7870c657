import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

/**
 * An address of this machine where nobody listens: a port that no test is given, as a closed server's may be, and
 * that is none of those to which `fetch` does not even connect.
 */
export const NOWHERE = 'http://127.0.0.1:2';

/** Makes a server listen on this machine only, on a free port unless given; resolves with the port. */
export async function listen(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a host and port has an address of this form.
  return (server.address() as AddressInfo).port;
}

/** A port that was free a moment ago, for a program that takes its port as a setting. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  await once(server, 'close');
  return port;
}
