import { createServer } from 'node:net';
import { UserError } from '../errors.ts';

/** How many ports after the wanted one are tried. */
const TRIES = 50;

/** The wanted port of this host, or the next one that is free; 0 stays 0, which means any. */
export async function freePort(host: string, wanted: number): Promise<number> {
  if (wanted === 0) return 0;
  for (let port = wanted; port < wanted + TRIES && port <= 65_535; port++) {
    if (await isFree(host, port)) return port;
  }
  throw new UserError(
    `No port from ${wanted} on is free on ${host}. Set PLAYGROUND_PORT and SERVICE_PORT to others.`,
  );
}

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
