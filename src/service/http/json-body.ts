import type { FastifyInstance } from 'fastify';

/**
 * Takes bodies in JSON and no others. An empty one counts as none: clients say that they send JSON, even where an
 * operation needs nothing of them. Names that JavaScript's objects have of themselves are parameters like any that does
 * not exist: nothing here merges a body into an object.
 */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('remove', 'ignore');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) =>
    body.trim() === '' ? done(null, undefined) : parse(request, body, done),
  );
}
