import type { FastifyInstance } from 'fastify';

/** Takes an empty body for none: clients say that they send JSON, even where an operation needs nothing of them. */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) =>
    body.trim() === '' ? done(null, undefined) : parse(request, body, done),
  );
}
