import { isIPv6 } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * How long responses may take to be sent while the service closes: half of the time that a process has for stopping.
 */
const CLOSE_TIMEOUT_MS = 5_000;

/** Opens an app to callers, and closes it. */
export function createListener(app: Pick<FastifyInstance, 'listen' | 'addresses' | 'server' | 'close'>) {
  return {
    /** The address by which this machine reaches it, and whether others may. Rejects where the port is in use. */
    async listen(at: { host: string; port: number }): Promise<{ url: string; isOpenToOthers: boolean }> {
      await app.listen(at);
      const [bound] = app.addresses();
      if (!bound || typeof bound === 'string') throw new Error('the service does not listen on a port');
      const { address, port } = bound;
      return { url: `http://${hostOf(address)}:${port}`, isOpenToOthers: isAnyAddress(address) };
    },

    /** Finishes open requests within 5 s. */
    async close(): Promise<void> {
      // Node closes idle connections once; one that becomes idle later would stay open for its keep-alive time.
      const closeIdle = setInterval(() => app.server.closeIdleConnections(), 50);
      const closeAll = setTimeout(() => app.server.closeAllConnections(), CLOSE_TIMEOUT_MS);
      try {
        await app.close();
      } finally {
        clearInterval(closeIdle);
        clearTimeout(closeAll);
      }
    },
  };
}

function hostOf(address: string): string {
  if (isAnyAddress(address)) return '127.0.0.1';
  return isIPv6(address) ? `[${address}]` : address;
}

/** Whether this is the wildcard address, on which a listener accepts callers from other machines. */
const isAnyAddress = (address: string): boolean => address === '0.0.0.0' || address === '::';
