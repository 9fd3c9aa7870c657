import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';

interface Client {
  socket: WebSocket;
  supportsMetadata: boolean;
}

/**
 * The WebSocket side, with its known fault: who comes back under the same id is unregistered with its former self.
 */
export function createSockets() {
  const server = new WebSocketServer({ noServer: true });
  const clients = new Map<string, Client>();
  const open = new Set<WebSocket>();
  const ids: string[] = [];
  const announced: string[] = [];

  return {
    /** Client ids in the order in which they came. */
    ids,
    /** Those that asked for previews that say whose they are. */
    announced,
    get count() {
      return open.size;
    },

    accept(request: IncomingMessage, stream: Duplex, head: Buffer): void {
      server.handleUpgrade(request, stream, head, (socket) => {
        const id = new URL(`http://fake${request.url}`).searchParams.get('clientId') ?? 'none';
        const client = { socket, supportsMetadata: false };
        ids.push(id);
        open.add(socket);
        clients.set(id, client);
        socket.on('close', () => {
          open.delete(socket);
          clients.delete(id);
        });
        socket.on('error', () => undefined);
        socket.once('message', (raw) => {
          const { type, data } = JSON.parse(String(raw));
          if (type === 'feature_flags') announced.push(id);
          client.supportsMetadata = type === 'feature_flags' && data?.supports_preview_metadata === true;
        });
        socket.send(
          JSON.stringify({
            type: 'status',
            data: { status: { exec_info: { queue_remaining: 0 } }, sid: id },
          }),
        );
      });
    },

    tell(id: string | undefined, type: string, data: object): void {
      if (id !== undefined) clients.get(id)?.socket.send(JSON.stringify({ type, data }));
    },

    /** Sends the frame for what this client understands; to everybody, of a prompt that is nobody's. */
    async show(id: string | undefined, frame: (supportsMetadata: boolean) => Promise<Buffer>): Promise<void> {
      const client = id === undefined ? undefined : clients.get(id);
      const bytes = await frame(client?.supportsMetadata ?? false);
      for (const socket of id === undefined ? open : [client?.socket]) socket?.send(bytes);
    },

    drop(): void {
      for (const socket of open) socket.terminate();
    },
  };
}
