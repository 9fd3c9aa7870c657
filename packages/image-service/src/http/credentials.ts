import { HEADERS } from '@darkroom/image-api/contract';
import type { FastifyRequest } from 'fastify';

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

const given = (holder: unknown, name: string): unknown =>
  typeof holder === 'object' && holder !== null ? Reflect.get(holder, name) : undefined;

const field = (holder: unknown, name: string): string | undefined => text(given(holder, name));

const isLoginToken = (secret: string | undefined): boolean => secret?.startsWith('lt-') ?? false;

function bearer(request: FastifyRequest): string | undefined {
  return text(/^Bearer\s+(.+)$/i.exec(request.headers.authorization ?? '')?.[1]);
}

/**
 * The key in a header or the query, which is known before the body. Of several, the first in the interface's order
 * counts.
 */
export function keyInHead(request: FastifyRequest): string | undefined {
  return text(request.headers[HEADERS.key]) ?? bearer(request) ?? field(request.query, 'api_key');
}

/** The key of a request; no other than the first is tried. */
export function keyIn(request: FastifyRequest): string | undefined {
  return keyInHead(request) ?? field(request.body, 'api_key');
}

/** The key that a request is about, whoever sends it; an empty text where the field is there but empty. */
export function keyNamedIn(request: FastifyRequest): string | undefined {
  const bearing = bearer(request);
  return [
    given(request.body, 'api_key'),
    given(request.query, 'api_key'),
    request.headers[HEADERS.key],
    isLoginToken(bearing) ? undefined : bearing,
  ]
    .find((value) => typeof value === 'string')
    ?.trim();
}

/** The login token of a request: in the body, the query, or as Bearer. */
export function loginTokenIn(request: FastifyRequest): string | undefined {
  const bearing = bearer(request);
  return (
    field(request.body, 'token') ??
    field(request.query, 'token') ??
    (isLoginToken(bearing) ? bearing : undefined)
  );
}
