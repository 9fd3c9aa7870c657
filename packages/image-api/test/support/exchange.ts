import type { IncomingMessage, ServerResponse } from 'node:http';
import type * as OPERATIONS from '../../src/contract/operations.ts';

/** An operation of the contract, `picture` for everything below `/pictures/`, or `ping` for the address itself. */
export type Route = keyof typeof OPERATIONS | 'picture' | 'ping';

export interface ReceivedRequest {
  route: Route;
  method: string;
  /** Path and query. */
  url: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
}

/** How one request is answered, or not. Whatever is left open is cut off when the service closes. */
export type Behaviour = (exchange: {
  request: ReceivedRequest;
  response: ServerResponse;
  /** The service's own address. */
  baseUrl: string;
}) => unknown;
