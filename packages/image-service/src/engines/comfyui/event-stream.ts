import { randomUUID } from 'node:crypto';
import { withTimeout } from '@darkroom/time';
import type { WebSocket } from 'undici';
import { type ComfyEvent, readEvent } from './events.ts';
import type { ComfySocket } from './socket.ts';

const OPEN_TIMEOUT_MS = 2_000;
const FEATURE_FLAGS = JSON.stringify({ type: 'feature_flags', data: { supports_preview_metadata: true } });

export type EventStream = Awaited<ReturnType<typeof openEventStream>>;

/**
 * Receives the events and previews of one prompt over a WebSocket. They are a convenience: a drawing never depends on
 * them.
 *
 * Each prompt has a connection of its own, under an id that is used once. ComfyUI sends the events of a prompt only
 * to the client id that it was submitted with; and where a client reconnects with its old id, the server unregisters
 * the new connection when it cleans up the old one (Comfy-Org/ComfyUI#16010). So a lost connection is not reopened.
 *
 * Submit the prompt with `clientId` to receive its events; it is undefined where there is no connection.
 */
export async function openEventStream({
  connect,
  onEvent,
  onPreview,
  signal,
}: {
  connect(clientId: string): ComfySocket;
  onEvent(event: ComfyEvent): void;
  onPreview(picture: Uint8Array): void;
  signal: AbortSignal;
}) {
  const clientId = randomUUID();
  const { socket, close } = connect(clientId);
  // `close` follows; without a listener the error would be thrown.
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
  const opened = await withTimeout(OPEN_TIMEOUT_MS, () => opening(socket), { signal }).catch(() => false);
  if (opened) socket.send(FEATURE_FLAGS);
  else close();
  return { clientId: opened ? clientId : undefined, close };
}

const opening = (socket: WebSocket): Promise<boolean> =>
  new Promise((resolve) => {
    socket.addEventListener('open', () => resolve(true));
    socket.addEventListener('close', () => resolve(false));
  });

/**
 * Binary messages begin with their kind, a big-endian word. Kind 2 never leaves the server; 3 is text for the editor.
 */
const PREVIEW = 1;
const PREVIEW_WITH_METADATA = 4;
const WORD = 4;

/** The picture (JPEG or PNG) in a binary message; undefined for one without a picture. Never throws. */
export function previewIn(message: ArrayBuffer): Uint8Array | undefined {
  if (message.byteLength <= 2 * WORD) return undefined;
  const view = new DataView(message);
  switch (view.getUint32(0)) {
    case PREVIEW:
      // The second word says whether it is a JPEG or a PNG; so does the picture itself.
      return new Uint8Array(message, 2 * WORD);
    case PREVIEW_WITH_METADATA: {
      const start = 2 * WORD + view.getUint32(WORD);
      return start < message.byteLength ? new Uint8Array(message, start) : undefined;
    }
    default:
      return undefined;
  }
}
