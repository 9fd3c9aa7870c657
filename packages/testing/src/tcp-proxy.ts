import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { listen } from './listen.ts';
import { until } from './wait.ts';

/**
 * A proxy in front of the server at `target` that can drop all data or refuse connections, as a broken network does.
 * `delayMs`: how much later all data arrives, either way. Closes with the test.
 */
export async function startTcpProxy(target: URL, { delayMs = 0 }: { delayMs?: number } = {}) {
  const sockets = new Set<Socket>();
  let silent = false;
  let refusing = false;
  let trigger: string | undefined;

  const server = createServer((near) => {
    if (refusing) return void near.destroy();
    const far = connect(Number(target.port), target.hostname);
    // A connection that has lost data stays silent.
    let lost = silent;
    const forward = (from: Socket, to: Socket) => {
      sockets.add(from);
      from.on('error', () => {});
      const later = (work: () => unknown) => void (delayMs > 0 ? setTimeout(work, delayMs) : work());
      from.on('data', (bytes) => {
        lost ||= silent;
        if (!lost) later(() => to.write(bytes));
        if (trigger !== undefined && bytes.includes(trigger)) silent = true;
      });
      from.on('close', () => {
        lost ||= silent;
        if (!lost) later(() => to.destroy());
      });
    };
    forward(near, far);
    forward(far, near);
  });
  const port = await listen(server);
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(port);

  return {
    url: url.href,

    /** Drops everything after the next data that contains `text`; resolves then. */
    async silenceAfter(text: string): Promise<void> {
      trigger = text;
      await until(() => silent, text);
    },

    /** Ends all connections, and every new one at once, as where the server is down. */
    refuse(): void {
      refusing = true;
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    },

    /** Forwards new connections again. */
    recover(): void {
      refusing = false;
      trigger = undefined;
      silent = false;
    },
  };
}
