import type { IncomingMessage } from 'node:http';

/**
 * How often a piece of what is left of bodies is read, of about 64 kB: 12 MB a second, however many connections send
 * what nobody wants.
 */
const PIECES_MS = 5;
/** After this time the connection is closed, whatever is still being sent. */
const MAX_MS = 10_000;

/** Reads and forgets the rest of a request that is answered before it has arrived whole. */
export type Drain = (request: IncomingMessage) => void;

/**
 * A connection that is closed with something unread is reset, and the client may lose the answer, or never read it
 * because it still sends. So the rest of a body is read, in turn with the rests of all others: together they take
 * little of the process.
 */
export function createDrain(): Drain {
  /** By when each is closed; the first has waited longest for its turn. */
  const draining = new Map<IncomingMessage, number>();
  let timer: NodeJS.Timeout | undefined;

  function readPiece(): void {
    for (const [request, until] of draining) {
      draining.delete(request);
      if (request.readableEnded || request.destroyed) continue;
      request.read();
      if (performance.now() > until) request.destroy();
      else draining.set(request, until);
      return;
    }
    clearInterval(timer);
    timer = undefined;
  }

  return (request) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    if (request.complete || (!Number(length) && encoding === undefined)) return;
    // Node reads at full speed what nobody has begun to read by the end of the answer. Asked for nothing, a full
    // buffer begins nothing.
    request.read();
    draining.set(request, performance.now() + MAX_MS);
    timer ??= setInterval(readPiece, PIECES_MS).unref();
  };
}
