import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'undici';
import { type ComfyEvent, readEvent } from './events.ts';
import { previewIn } from './frames.ts';
import type { ComfySocket } from './socket.ts';

const OPEN_TIMEOUT_MS = 2_000;
const FEATURES = JSON.stringify({ type: 'feature_flags', data: { supports_preview_metadata: true } });

export interface Feed {
  /** Submit the prompt with this id, to hear of it; undefined where there is no connection. */
  clientId: string | undefined;
  close(): void;
}

/**
 * Listens to what a server tells of one prompt, as long as that works: a drawing never depends on it.
 *
 * One connection for each prompt, under an id that is never used again. ComfyUI tells of a prompt only to the id that
 * it was submitted with, and a connection that comes back under its old id is unregistered when the server cleans up
 * after the one before (Comfy-Org/ComfyUI#16010). So a lost connection is not made again.
 */
export async function openFeed({
  connect,
  onEvent,
  onPreview,
  signal,
}: {
  connect(clientId: string): ComfySocket;
  onEvent(event: ComfyEvent): void;
  onPreview(picture: Uint8Array): void;
  signal: AbortSignal;
}): Promise<Feed> {
  const clientId = randomUUID();
  const { socket, close } = connect(clientId);
  // A failed connection closes; without a listener its error would be thrown.
  socket.onerror = () => undefined;
  socket.onmessage = ({ data }) => {
    if (data instanceof ArrayBuffer) {
      const picture = previewIn(data);
      if (picture) onPreview(picture);
    } else if (typeof data === 'string') {
      const event = readEvent(data);
      if (event) onEvent(event);
    }
  };
  const opened = await isOpened(socket, AbortSignal.any([signal, AbortSignal.timeout(OPEN_TIMEOUT_MS)]));
  if (!opened) {
    close();
    return { clientId: undefined, close };
  }
  socket.send(FEATURES);
  return { clientId, close };
}

function isOpened(socket: WebSocket, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    socket.addEventListener('open', () => resolve(true));
    socket.addEventListener('close', () => resolve(false));
    signal.addEventListener('abort', () => resolve(false));
    if (signal.aborted) resolve(false);
  });
}
