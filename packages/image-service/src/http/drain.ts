import type { IncomingMessage } from 'node:http';

/** How often pieces of what is left of bodies are read: of about 64 kB each. */
const PIECES_MS = 20;
/** How many pieces then, of all bodies together: about 12 MB a second, however many connections send what nobody wants. */
const PIECES = 4;
/** After this time the connection is closed, whatever is still being sent. */
const MAX_MS = 10_000;

/** Reads and forgets the rest of a request that is answered before it has arrived whole. */
export type Drain = (request: IncomingMessage) => void;

/**
 * A connection that is closed with something unread is reset, and the client may lose the answer, or never read it because it
 * still sends. So the rest of a body is read, in turn with the rests of all others: together they take little of the process.
 */
export function createDrain(): Drain {
  /** By when each is closed; the first has waited longest for its turn. */
  const draining = new Map<IncomingMessage, number>();
  let timer: NodeJS.Timeout | undefined;

  function readPieces(): void {
    for (const [request, until] of [...draining].slice(0, PIECES)) {
      draining.delete(request);
      if (request.readableEnded || request.destroyed) continue;
      request.read();
      if (performance.now() > until) request.destroy();
      else draining.set(request, until);
    }
    if (draining.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return (request) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    if (request.complete || (!Number(length) && encoding === undefined)) return;
    // Node reads at full speed what nobody has begun to read by the end of the answer. Asked for nothing, a full buffer begins
    // nothing.
    request.read();
    draining.set(request, performance.now() + MAX_MS);
    timer ??= setInterval(readPieces, PIECES_MS).unref();
  };
}
