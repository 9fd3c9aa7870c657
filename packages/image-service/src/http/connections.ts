import type { Server, Socket } from 'node:net';

/** How long a connection may go on whose answer is sent: after that it is reset, whatever still arrives. */
const CLOSING_MS = 1_000;

/** Closes each connection beyond `max` of one network at once. */
export function boundConnections(server: Server, max: number): void {
  const open = new Map<string, number>();
  server.prependListener('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    const count = (open.get(network) ?? 0) + 1;
    open.set(network, count);
    socket.once('close', () => {
      const left = (open.get(network) ?? 0) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
    if (count > max) socket.destroy();
  });
}

/**
 * Sends the last that is said on a connection. A client that goes on sending would keep a connection that is only
 * ended.
 */
export function endConnection(socket: Socket, last: string): void {
  const timer = setTimeout(() => socket.destroy(), CLOSING_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.end(last);
}

/** The address, or the first half of one of IPv6: whoever has one of these has all that begin like it. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [before = [], after = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}
