import { lookup as lookupOfSystem } from 'node:dns';
import { createGuardedConnector, IDLE_CONNECTION_MS, USER_AGENT } from '@darkroom/image-api';
import { ServiceError } from '@darkroom/image-api/contract';
import { isTimeout } from '@darkroom/time';
import { Agent, type Dispatcher } from 'undici';
import { createNameLookup } from './name-lookup.ts';

/** How an address that a stranger names is reached. */
export interface GuardedAgentOptions {
  /** Origins that are reached wherever they are. */
  trustedOrigins: readonly string[];
  /** Those of this machine unless given. */
  nameServers?: readonly string[] | undefined;
  connectTimeoutMs: number;
  /** Bytes of an answer, of which more is an error; any number (-1) unless given. */
  maxResponseSize?: number;
  /** Each call has a connection of its own; unless given, one that was used before is used again. */
  reconnects?: boolean;
}

/**
 * Calls addresses that strangers name, on the public internet only: the address that was checked is the one that is
 * connected to. Redirects are not followed. A call has no bound but its signal, for the whole of it.
 */
export function createGuardedAgent({
  trustedOrigins,
  nameServers,
  connectTimeoutMs,
  maxResponseSize = -1,
  reconnects = false,
}: GuardedAgentOptions) {
  const names = createNameLookup(nameServers);
  const agent = new Agent({
    connect: createGuardedConnector({
      trustedOrigins,
      lookup: names.lookup,
      trustedLookup: lookupOfSystem,
      timeoutMs: connectTimeoutMs,
    }),
    keepAliveMaxTimeout: IDLE_CONNECTION_MS,
    pipelining: reconnects ? 0 : 1,
    maxResponseSize,
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  return {
    dispatcher: agent,

    request: (
      { origin, pathname, search }: URL,
      {
        headers,
        ...options
      }: Pick<Dispatcher.RequestOptions, 'method' | 'body' | 'signal'> & {
        headers?: Readonly<Record<string, string>>;
      },
    ): Promise<Dispatcher.ResponseData> =>
      agent.request({
        origin,
        path: `${pathname}${search}`,
        headers: { 'user-agent': USER_AGENT, ...headers },
        ...options,
      }),

    async close(): Promise<void> {
      names.close();
      await agent.destroy();
    },
  };
}

/** In our words, or by the code of Node: the rest may tell more of this machine than a caller should know. */
export function explainFailedCall(
  error: unknown,
  { slow, hidden }: { slow: string; hidden: string },
): string {
  if (isTimeout(error)) return slow;
  if (error instanceof ServiceError) return `${hidden} is on this machine or in a private network`;
  const code = error instanceof Error && 'code' in error && error.code;
  return code ? `the connection failed (${code})` : 'the connection failed';
}
