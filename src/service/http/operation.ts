import querystring from 'node:querystring';
import type { FastifyInstance, FastifyServerOptions } from 'fastify';
import { ENDPOINTS, type Endpoint } from '../../contract/endpoints.ts';
import { Refusal } from '../refusal.ts';

declare module 'fastify' {
  interface RouteConstraint {
    operation?: string;
  }
  interface FastifyContextConfig {
    operation?: string;
  }
}

type ConstraintStrategy = NonNullable<
  NonNullable<FastifyServerOptions['routerOptions']>['constraints']
>[string];
type Storage = ReturnType<ConstraintStrategy['storage']>;

/**
 * Which query parameter of a path names the operation, and where it stands in an address. Read by expression, because a
 * router asks for every request, and taking the whole query apart costs as much as the rest of routing.
 */
const SELECTORS: Readonly<Record<string, { selector: 'endpoint' | 'action'; place: RegExp }>> = {
  '/v1/index.php': { selector: 'endpoint', place: /[?&]endpoint=([^&]*)/ },
  '/api.php': { selector: 'action', place: /[?&]action=([^&]*)/ },
};

const operations: readonly Endpoint[] = Object.values(ENDPOINTS);

/** `endpoint=task_status` of an operation's query: what tells it from the others on its path. */
const nameOf = ({ query }: Endpoint): string =>
  Object.entries(query)
    .map(([key, value]) => `${key}=${value}`)
    .join('&');

/** Lets operations that share a path be routes of their own, told apart by the query, as the interface has it. */
export const operationConstraint: ConstraintStrategy = {
  name: 'operation',
  storage(): Storage {
    const handlers = new Map<string, Parameters<Storage['set']>[1]>();
    return {
      get: (operation) => handlers.get(operation) ?? null,
      set: (operation, handler) => void handlers.set(operation, handler),
    };
  },
  deriveConstraint: ({ url = '' }) => selected(url).operation ?? '',
  mustMatchWhenDerived: false,
};

/** Where an operation of the interface is found: for Fastify's `route`. */
export const at = <Method extends Endpoint['method']>(operation: Endpoint & { method: Method }) => ({
  method: operation.method,
  url: operation.path,
  constraints: { operation: nameOf(operation) },
  config: { operation: nameOf(operation) },
});

/** Explains a request that no route takes. */
export function missing(app: FastifyInstance, request: { url: string; method: string }): Refusal {
  const { path, selector, operation } = selected(request.url);
  if (!selector) {
    return new Refusal(
      'not_found',
      'There is nothing at this address. The interface is at /v1/index.php and /api.php.',
    );
  }
  const here = operations.filter((known) => known.path === path);
  const known = here.filter((candidate) => nameOf(candidate) === operation);
  if (known.length === 0) {
    const names = here.map(({ query }) => query[selector]);
    return new Refusal(
      selector === 'endpoint' ? 'unknown_endpoint' : 'unknown_action',
      `The query parameter ${selector} must be one of ${names.join(', ')}.`,
      { details: { field: selector, allowed: names } },
    );
  }
  const methods = (['GET', 'POST'] as const).filter((method) =>
    app.hasRoute({ method, url: path, constraints: { operation } }),
  );
  return new Refusal(
    'method_not_allowed',
    `${operation} takes ${methods.join(' or ')}, not ${request.method}.`,
    {
      details: { allowed: methods },
      headers: { allow: methods.join(', ') },
    },
  );
}

function selected(url: string) {
  const question = url.indexOf('?');
  const path = question < 0 ? url : url.slice(0, question);
  const known = SELECTORS[path];
  if (!known) return { path };
  const { selector, place } = known;
  return { path, selector, operation: `${selector}=${querystring.unescape(place.exec(url)?.[1] ?? '')}` };
}
