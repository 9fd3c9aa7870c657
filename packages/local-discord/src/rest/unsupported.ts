import type { Logger } from 'pino';

/** Something that a bot asked for in vain. */
export interface UnsupportedRequest {
  /** Of HTTP, in upper case; `GATEWAY` for what was sent over the gateway. */
  method: string;
  /** With names for ids, as in Discord's documentation: `/channels/{channel_id}/pins`; or an opcode. */
  route: string;
  count: number;
}

/** A bot that asks for a thousand different things that do not exist is enough to know. */
const MAX_ROUTES = 1000;

/** What bots asked for and the local Discord does not have. */
export function createUnsupportedRequests({ log }: { log: Logger }) {
  const counts = new Map<string, UnsupportedRequest>();

  return {
    record(method: string, route: string): void {
      const key = `${method} ${route}`;
      const known = counts.get(key) ?? { method, route, count: 0 };
      if (known.count === 0 && counts.size >= MAX_ROUTES) return;
      if (known.count === 0)
        log.warn({ method, route }, `a bot asked for ${key}, which the local Discord does not have`);
      known.count++;
      counts.set(key, known);
    },
    list: (): UnsupportedRequest[] => [...counts.values()].map((request) => ({ ...request })),
  };
}

export type UnsupportedRequests = ReturnType<typeof createUnsupportedRequests>;
