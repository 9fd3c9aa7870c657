import querystring from 'node:querystring';
import { envelope, OPERATIONS, type Operation, operationName } from '@darkroom/image-api/contract';
import type { FastifyServerOptions } from 'fastify';
import { ApiError } from '../api-error.ts';
import { errorResponses } from './responses.ts';
import { securityOf } from './security-schemes.ts';

declare module 'fastify' {
  interface RouteConstraint {
    operation?: string;
  }
  interface FastifyContextConfig {
    operation?: string;
    /** Whether its body is a form with a file, in which no credentials are looked for. */
    takesFile?: boolean;
    /** Whether there is a limit on how often it is asked for, of which every answer tells. */
    limited?: boolean;
  }
}

type ConstraintStrategy = NonNullable<
  NonNullable<FastifyServerOptions['routerOptions']>['constraints']
>[string];
type Storage = ReturnType<ConstraintStrategy['storage']>;

/**
 * Which query parameter of a path selects the operation. It is found by a regular expression, because the router asks
 * for every request, and parsing the whole query costs as much as the rest of routing.
 */
const SELECTORS: Readonly<Record<string, { selector: 'endpoint' | 'action'; pattern: RegExp }>> = {
  '/v1/index.php': { selector: 'endpoint', pattern: /[?&]endpoint=([^&]*)/ },
  '/api.php': { selector: 'action', pattern: /[?&]action=([^&]*)/ },
};

/** Every operation by its name in the contract, which is also its `operationId`. */
export const OPERATIONS_BY_NAME: ReadonlyMap<string, Operation> = new Map(Object.entries(OPERATIONS));

const operations: readonly Operation[] = [...OPERATIONS_BY_NAME.values()];

/** `/v1/task_status` or `/api/get_api_key`, with or without a query. */
const ALIAS = /^\/(v1|api)\/([a-z_]+)(?:\?(.*))?$/s;

/**
 * The alias of an operation such as `endpoint=task_status`: `/v1/task_status`. It is a path without a query, which is
 * the only kind that OpenAPI and what is generated from it can tell apart.
 */
export function aliasOf(operation: string): string {
  const [selector, name] = operation.split('=');
  return `/${selector === 'endpoint' ? 'v1' : 'api'}/${name}`;
}

/** The address of a request as the interface writes it, where it is an alias; any other as it is. */
export function withoutAlias({ url = '' }: { url?: string | undefined }): string {
  const [, family, name, query = ''] = ALIAS.exec(url) ?? [];
  if (name === undefined) return url;
  const more = query === '' ? '' : `&${query}`;
  return family === 'v1' ? `/v1/index.php?endpoint=${name}${more}` : `/api.php?action=${name}${more}`;
}

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

/** The route of an operation, for Fastify's `route`: where it is, what it takes, and every answer. */
export function routeOf<Served extends Operation>(operation: Served) {
  /** `operation[name]` with this operation's own type; `operation.query` would have the type of any operation. */
  const part = <Name extends keyof Served>(name: Name): Served[Name] => operation[name];
  return {
    method: operation.method,
    url: operation.path,
    constraints: { operation: operationName(operation) },
    config: {
      operation: operationName(operation),
      authentication: operation.auth,
      takesFile: operation.file !== undefined,
    },
    schema: {
      operationId: nameOf(operation),
      tags: [operation.tag],
      summary: operation.summary,
      ...(operation.description !== undefined && { description: operation.description }),
      ...(operation.auth !== 'key' && { security: securityOf(operation) }),
      ...withoutUndefined({ headers: part('headers'), querystring: part('query'), body: part('body') }),
      response: {
        ...errorResponses(operation.errors),
        200: envelope<Served['answer']['sent']>(operation.answer.sent),
      },
    },
  };
}

function nameOf(operation: Operation): string {
  const [name] = [...OPERATIONS_BY_NAME].find(([, known]) => known === operation) ?? [];
  if (name === undefined) throw new Error(`the contract does not export ${operationName(operation)}`);
  return name;
}

/** Fastify warns of a schema that is there but undefined. */
const withoutUndefined = <Schemas extends object>(schemas: Schemas) =>
  // To who reads it, a property that is missing is the same as one that is undefined.
  Object.fromEntries(Object.entries(schemas).filter(([, schema]) => schema !== undefined)) as Schemas;

/** The error for a request that no route takes: a wrong path, operation or method. */
export function routeNotFound(request: { url: string; method: string }): ApiError {
  const { path, selector, operation } = selected(request.url);
  if (!selector) {
    return new ApiError(
      'not_found',
      'There is nothing at this address. The interface is at /v1/index.php and /api.php.',
    );
  }
  const here = operations.filter((known) => known.path === path);
  const known = here.filter((candidate) => operationName(candidate) === operation);
  if (known.length === 0) {
    const names = [...new Set(here.map((other) => other.selector[selector]))];
    return new ApiError(
      selector === 'endpoint' ? 'unknown_endpoint' : 'unknown_action',
      `The query parameter ${selector} must be one of ${names.join(', ')}.`,
      { details: { field: selector, allowed: names } },
    );
  }
  const methods = known.map(({ method }) => method).sort();
  return new ApiError(
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
  const { selector, pattern } = known;
  return { path, selector, operation: `${selector}=${querystring.unescape(pattern.exec(url)?.[1] ?? '')}` };
}
