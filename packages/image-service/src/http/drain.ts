import type { IncomingMessage } from 'node:http';

/** How often a piece of what is left of a body is read: about 3 MB a second, so that many of them take little of the process. */
const PIECE_MS = 20;
/** After this time the connection is closed, whatever is still being sent. */
const MAX_MS = 10_000;

/**
 * Reads and forgets the rest of a request that is answered before it has arrived whole. A connection that is closed with
 * something unread is reset, and the client may lose the answer, or never read it because it still sends.
 */
export function drain(request: IncomingMessage): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (request.complete || (!Number(length) && encoding === undefined)) return;
  const until = performance.now() + MAX_MS;
  // Node reads at full speed what nobody has begun to read by the end of the answer.
  request.read(0);
  const timer = setInterval(() => {
    if (request.readableEnded || request.destroyed) return void clearInterval(timer);
    request.read();
    if (performance.now() > until) request.destroy();
  }, PIECE_MS).unref();
}
