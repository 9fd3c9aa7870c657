import type { Socket } from 'node:net';
import { buildConnector, Client, WebSocket } from 'undici';
import type { Address } from './address.ts';

const CONNECT_TIMEOUT_MS = 2_000;
/** How long the other side has to answer a goodbye; the connection would stay open until it does. */
const GOODBYE_MS = 1_000;
/** A preview is a few hundred kilobytes. */
const MAX_MESSAGE_BYTES = 16 * 1024 ** 2;

export interface ComfySocket {
  socket: WebSocket;
  /** Says goodbye, and hangs up where that is not answered. */
  close(): void;
}

/** A WebSocket on which ComfyUI tells what it does for prompts that are submitted with this client id. */
export function openSocket({ origin, base, headers }: Address, clientId: string): ComfySocket {
  const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS });
  let connection: Socket | undefined;
  const dispatcher = new Client(origin, {
    webSocket: { maxPayloadSize: MAX_MESSAGE_BYTES },
    connect: (target, done) =>
      connect(target, (...outcome) => {
        connection = outcome[1] ?? undefined;
        done(...outcome);
      }),
  });
  const url = `${origin.replace(/^http/, 'ws')}${base}/ws?clientId=${encodeURIComponent(clientId)}`;
  const socket = new WebSocket(url, { dispatcher, headers });
  socket.binaryType = 'arraybuffer';
  return {
    socket,
    close() {
      socket.close();
      const hangUp = setTimeout(() => {
        connection?.destroy();
        dispatcher.destroy();
      }, GOODBYE_MS).unref();
      socket.addEventListener('close', () => {
        clearTimeout(hangUp);
        dispatcher.destroy();
      });
    },
  };
}
