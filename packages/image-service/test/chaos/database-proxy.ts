import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { listen } from '@darkroom/testing';

/** What is wrong with the way to the database. */
export type Fault = 'stall' | 'reset' | 'refuse';

/**
 * A proxy in front of PostgreSQL that stalls (nothing arrives, nothing is closed), resets, or refuses connections.
 */
export async function startDatabaseProxy(target: URL) {
  const sockets = new Set<Socket>();
  let fault: Fault | undefined;

  const server = createServer((near) => {
    if (fault === 'refuse') return void near.resetAndDestroy();
    const far = connect(Number(target.port || 5432), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      if (fault === 'stall') from.pause();
    }
  });
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(await listen(server));

  return {
    url: url.href,

    begin(next: Fault): void {
      fault = next;
      for (const socket of sockets) {
        if (next === 'stall') socket.pause();
        else socket.resetAndDestroy();
      }
    },

    recover(): void {
      if (fault === 'stall') for (const socket of sockets) socket.resume();
      fault = undefined;
    },

    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
