import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '@darkroom/testing';
import { onTestFinished } from 'vitest';
import type { Operation } from '../../src/contract/operation.ts';
import * as OPERATIONS from '../../src/contract/operations.ts';
import type { Behaviour, ReceivedRequest, Route } from './exchange.ts';
import { polite } from './polite-service.ts';

/**
 * An image service on real sockets that does as it is told. A route without a script answers as the interface says;
 * a request to no known route answers 404, and its test fails. It is closed at the end of the test.
 */
export async function createHostileService() {
  const scripts = new Map<Route, Behaviour[]>();
  const received: ReceivedRequest[] = [];
  const unknown: string[] = [];
  const manners = polite();
  const politely: Behaviour = (exchange) => manners[exchange.request.route](exchange);
  let baseUrl = '';

  const server = createServer(async (incoming, response) => {
    const url = new URL(incoming.url ?? '/', 'http://service.invalid');
    const method = incoming.method ?? '';
    const route = routeOf(method, url);
    const body = await text(incoming).catch(() => '');
    if (!route) {
      unknown.push(`${method} ${url.pathname}${url.search}`);
      response.writeHead(404).end();
      return;
    }
    const { headers } = incoming;
    const request = {
      route,
      method,
      url: `${url.pathname}${url.search}`,
      query: url.searchParams,
      headers,
      body,
    };
    received.push(request);
    const script = scripts.get(route) ?? [];
    const behaviour = (script.length > 1 ? script.shift() : script[0]) ?? politely;
    await behaviour({ request, response, baseUrl });
  });
  baseUrl = `http://127.0.0.1:${await listen(server)}`;

  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
    if (unknown.length > 0) throw new Error(`requests to no route: ${unknown.join(', ')}`);
  });

  return {
    baseUrl,
    /** As the interface says; ends a script of faults. */
    politely,
    /** Answers the next requests to `route` in this order; the last behaviour stays. */
    script(route: Route, ...behaviours: Behaviour[]): void {
      scripts.set(route, behaviours);
    },
    /** What has arrived, in order; of one route if given. */
    requests: (route?: Route) => received.filter((request) => route === undefined || request.route === route),
  };
}

function routeOf(method: string, url: URL): Route | undefined {
  if (url.pathname.includes('/pictures/')) return 'picture';
  if (url.pathname === '/') return 'ping';
  // The module exports nothing else.
  const operations = Object.entries(OPERATIONS) as [keyof typeof OPERATIONS, Operation][];
  return operations.find(([, operation]) => {
    const selected = Object.entries(operation.selector).every(
      ([parameter, value]) => url.searchParams.get(parameter) === value,
    );
    return operation.method === method && url.pathname.endsWith(operation.path) && selected;
  })?.[0];
}
