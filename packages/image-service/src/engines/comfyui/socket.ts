import type { Socket } from 'node:net';
import { buildConnector, Client, WebSocket } from 'undici';
import type { Address } from '../address.ts';

const CONNECT_TIMEOUT_MS = 2_000;
/** How long the server has to answer a close frame; until it does, the connection would stay open. */
const CLOSE_TIMEOUT_MS = 1_000;
/** A preview is a few hundred kilobytes. */
const MAX_MESSAGE_BYTES = 16 * 1024 ** 2;

export type ComfySocket = ReturnType<typeof openSocket>;

/** A WebSocket that receives the events of prompts that are submitted with this client id. */
export function openSocket({ origin, base, headers }: Address, clientId: string) {
  const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS });
  let connection: Socket | undefined;
  const dispatcher = new Client(origin, {
    webSocket: { maxPayloadSize: MAX_MESSAGE_BYTES },
    connect: (target, done) =>
      connect(target, (...result) => {
        connection = result[1] ?? undefined;
        done(...result);
      }),
  });
  const url = `${origin.replace(/^http/, 'ws')}${base}/ws?clientId=${encodeURIComponent(clientId)}`;
  const socket = new WebSocket(url, { dispatcher, headers });
  socket.binaryType = 'arraybuffer';
  return {
    socket,
    /** Closes the connection; by force where the server does not answer. */
    close(): void {
      socket.close();
      const forceClose = setTimeout(() => {
        connection?.destroy();
        dispatcher.destroy();
      }, CLOSE_TIMEOUT_MS).unref();
      socket.addEventListener('close', () => {
        clearTimeout(forceClose);
        dispatcher.destroy();
      });
    },
  };
}
