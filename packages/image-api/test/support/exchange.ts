import type { IncomingMessage, ServerResponse } from 'node:http';
import type * as OPERATIONS from '../../src/contract/operations.ts';

/** An operation of the contract, or `picture` for everything below `/pictures/`. */
export type Route = keyof typeof OPERATIONS | 'picture';

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
