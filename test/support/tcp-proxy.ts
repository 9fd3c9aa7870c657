import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { listen } from './listen.ts';
import { until } from './patience.ts';

/** Stands between a client and the server at `target`, and can fall silent as a broken network does. Ends with the test. */
export async function startTcpProxy(target: URL) {
  const sockets = new Set<Socket>();
  let silent = false;
  let lastWords: string | undefined;

  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    // What was silent once has lost bytes, and stays silent.
    let lost = silent;
    const forward = (from: Socket, to: Socket) => {
      sockets.add(from);
      from.on('error', () => {});
      from.on('data', (bytes) => {
        lost ||= silent;
        if (!lost) to.write(bytes);
        if (lastWords !== undefined && bytes.includes(lastWords)) silent = true;
      });
      from.on('close', () => {
        lost ||= silent;
        if (!lost) to.destroy();
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

    /** Forwards nothing after the next bytes that contain `words`; resolves then. */
    async silenceAfter(words: string): Promise<void> {
      lastWords = words;
      await until(() => silent, words);
    },

    /** Serves new connections again. */
    recover(): void {
      lastWords = undefined;
      silent = false;
    },
  };
}
