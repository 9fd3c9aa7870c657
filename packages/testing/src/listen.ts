import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Makes a server listen on this machine only, on a free port unless given; resolves with the port. */
export async function listen(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a host and port has an address of this form.
  return (server.address() as AddressInfo).port;
}
