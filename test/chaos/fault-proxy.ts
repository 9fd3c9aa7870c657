import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '@darkroom/process';
import { listen } from '@darkroom/testing';
import { Agent, request as send } from 'undici';
import type { ChooseFault, Fault, FaultResponse } from './faults.ts';
import { idsIn, type Trace } from './trace.ts';

export interface ProxiedRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

interface UpstreamResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Headers that belong to one connection, or are set anew. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host', 'expect'];

const forwarded = (
  headers: IncomingHttpHeaders,
  removed: readonly string[],
): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || HOP_BY_HOP.includes(name) || removed.includes(name) ? [] : [[name, value]],
    ),
  );

/** A proxy in front of a server that injects faults, and adds every request to the trace. */
export async function createFaultProxy({
  name,
  upstream,
  chooseFault,
  trace,
  removedHeaders = [],
  onRequest = () => undefined,
  onResponse = (_, { body }) => body,
}: {
  /** Of the server, for the trace. */
  name: string;
  /** The server's address; `undefined` while it is down. */
  upstream: () => string | undefined;
  chooseFault: ChooseFault;
  trace: Trace;
  /** Removed in both directions; in lower case. */
  removedHeaders?: readonly string[];
  /** Sees every request, also one that meets a fault. */
  onRequest?: (request: ProxiedRequest) => void;
  /** Sees every response of the server; returns the body to forward. `proxyUrl`: the proxy's address. */
  onResponse?: (request: ProxiedRequest, response: UpstreamResponse, proxyUrl: string) => Buffer;
}) {
  const agent = new Agent({ connections: 64 });
  let faultsOn = true;

  async function forward(request: ProxiedRequest): Promise<UpstreamResponse> {
    const { method, path, headers, body } = request;
    const server = upstream();
    if (server === undefined) throw new Error('the server is down');
    const answer = await send(`${server}${path}`, {
      // undici names the methods that it knows; every other one would be refused by the server.
      method: method as 'GET',
      headers: forwarded(headers, removedHeaders),
      body: body.length > 0 ? body : null,
      dispatcher: agent,
    });
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    const response = { status: answer.statusCode, headers: answer.headers, body: bytes };
    return { ...response, body: onResponse(request, response, url) };
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/', headers } = request;
    const body = await buffer(request);
    onRequest({ method, path, headers, body });
    const shown = readable(path);
    const ids = idsIn(shown, JSON.stringify(headers), body.toString('latin1'));
    const reset = () => void request.socket.resetAndDestroy();
    const record = (what: string, ...moreIds: string[]) =>
      trace.record(name, `${method} ${shown} → ${what}`, [...ids, ...moreIds]);

    const fault = faultsOn ? chooseFault({ method, path }) : undefined;
    if (fault === 'hang') return record('never answered');
    if (fault === 'reset') {
      record('reset, not forwarded');
      return reset();
    }
    if (isResponse(fault)) {
      record(`${fault.status} by the proxy, not forwarded`);
      const text = typeof fault.body === 'string' ? fault.body : JSON.stringify(fault.body);
      response.writeHead(fault.status, fault.headers).end(text);
      return;
    }
    if (fault !== undefined && fault !== 'response-lost') await delay(fault.delayMs);
    const answer = await forward({ method, path, headers, body }).catch((error: unknown) => {
      record(messageOf(error));
      reset();
    });
    if (!answer) return;
    record(
      `${answer.status}${fault === 'response-lost' ? ', response lost' : ''}`,
      ...idsIn(answer.body.toString('latin1')),
    );
    if (fault === 'response-lost') return reset();
    response.writeHead(answer.status, forwarded(answer.headers, removedHeaders)).end(answer.body);
  }

  const server = createServer((request, response) => {
    // The client may be killed in the middle of it.
    serve(request, response).catch(() => response.destroy());
  });
  server.on('clientError', () => undefined);
  const url = `http://127.0.0.1:${await listen(server)}`;

  return {
    url,
    /** Injects no fault from now on. */
    stopFaults(): void {
      faultsOn = false;
    },
    async close(): Promise<void> {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      await agent.destroy();
    },
  };
}

const isResponse = (fault: Fault | undefined): fault is FaultResponse =>
  typeof fault === 'object' && 'status' in fault;

/** The path, with the interaction's id in place of its token, which contains it. */
const readable = (path: string): string =>
  path.replace(/^\/api\/v\d+/, '').replace(/(?<=^\/(?:webhooks|interactions)\/\d+\/)[\w-]{40,}/, (token) => {
    const [, id = ''] = Buffer.from(token, 'base64url').toString('latin1').split(':');
    return `[token of ${id}]`;
  });
