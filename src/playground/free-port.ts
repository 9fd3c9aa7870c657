import { createServer } from 'node:net';
import { OperatorError } from '@darkroom/process';

const MAX_ATTEMPTS = 50;

/** The preferred port of this host, or the next one that is free; 0 stays 0, which means any. */
export async function freePort(host: string, preferred: number): Promise<number> {
  if (preferred === 0) return 0;
  for (let port = preferred; port < preferred + MAX_ATTEMPTS && port <= 65_535; port++) {
    if (await isFree(host, port)) return port;
  }
  throw new OperatorError(
    `No port from ${preferred} on is free on ${host}. Set PLAYGROUND_PORT and SERVICE_PORT to others.`,
  );
}

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
