import type { Server, Socket } from 'node:net';

/** How long a connection may go on whose answer is sent: after that it is reset, whatever still arrives. */
const CLOSING_MS = 1_000;

/**
 * Closes each connection beyond `ofNetwork` of one network at once. Beyond `max` in all, it closes the newest of the
 * network that has most: a few addresses that hold all there are keep nobody else out.
 */
export function boundConnections(
  server: Server,
  { max, ofNetwork }: { max: number; ofNetwork: number },
): void {
  const open = new Map<string, Set<Socket>>();
  let count = 0;

  function forget(network: string, socket: Socket): void {
    const sockets = open.get(network);
    if (!sockets?.delete(socket)) return;
    count -= 1;
    if (sockets.size === 0) open.delete(network);
  }

  function close(network: string, [...sockets]: Iterable<Socket>): void {
    const newest = sockets.at(-1);
    if (!newest) return;
    forget(network, newest);
    newest.destroy();
  }

  server.prependListener('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress);
    const own = (open.get(network) ?? new Set()).add(socket);
    open.set(network, own);
    count += 1;
    socket.once('close', () => forget(network, socket));
    if (own.size > ofNetwork) return close(network, own);
    if (count <= max) return;
    const most = Math.max(...Array.from(open.values(), ({ size }) => size));
    const [largest] = own.size === most ? [] : [...open].filter(([, { size }]) => size === most);
    close(...(largest ?? [network, own]));
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

/**
 * The address, or the first half of one of IPv6: whoever has one of these has all that begin like it. Empty for a
 * socket that is closed, which may have none any more.
 */
export function networkOf(address = ''): string {
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [before = [], after = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}
