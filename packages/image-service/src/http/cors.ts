import { HEADERS } from '@darkroom/image-api/contract';
import type { FastifyInstance } from 'fastify';

/** Headers of answers that a page may read beside the few that any page may. */
const EXPOSED = [
  HEADERS.requestId,
  HEADERS.idempotencySupported,
  'retry-after',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
];

/** How long a browser remembers what it may send, in seconds. */
const REMEMBERED_SECONDS = 600;

/** Lets pages of `origins` call the service from a browser. No cookies: who calls says so by a key. */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  app.register(import('@fastify/cors'), {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'POST'],
    allowedHeaders: ['authorization', 'content-type', HEADERS.key, HEADERS.idempotencyKey],
    exposedHeaders: EXPOSED,
    maxAge: REMEMBERED_SECONDS,
    // What is none would be refused in a text of its own.
    strictPreflight: false,
  });
}
