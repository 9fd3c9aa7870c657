import { STATUS_CODES } from 'node:http';
import { errorEnvelope, HEADERS } from '@darkroom/image-api';
import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { aliasOf } from './operation.ts';
import { BY_KEY, SECURITY_SCHEMES } from './security.ts';

const DESCRIPTION = `
Generates images from text prompts. A submission creates a task; ask for the task's status every 2 to 3 seconds until it
is \`completed\` or \`failed\`.

Each operation has two addresses with the same handler: the one shown here, and the interface's own, which stands in its
description and tells operations apart by the query parameter \`endpoint\` or \`action\`. Every answer but a picture is an envelope of \`success\`, \`data\` and \`error\`; \`error.code\` is stable. A key
may also be sent as \`api_key\` in the body of an operation that has one, where it is in none of the other places.`.trim();

const EVERYWHERE = {
  [HEADERS.requestId]: { type: 'string', format: 'uuid', description: 'Also `error.request_id`.' },
  [HEADERS.idempotencySupported]: {
    const: 'true',
    description: 'A submission that is repeated under its Idempotency-Key is drawn once.',
  },
};
const RATE_LIMIT = {
  'ratelimit-limit': { type: 'integer', description: 'Requests that are taken in the time of the limit.' },
  'ratelimit-remaining': { type: 'integer', description: 'How many of them are left.' },
  'ratelimit-reset': { type: 'integer', description: 'Seconds until there are all of them again.' },
};
const RETRY_AFTER = { 'retry-after': { type: 'integer', description: 'Seconds to wait.' } };

/** The headers of an answer. Those of the rate limit come with every answer of an operation that counts, and with 429. */
const headersOf = (status: string, { config }: RouteOptions) => ({
  ...EVERYWHERE,
  ...((status === '429' || config?.limited) && RATE_LIMIT),
  ...(status === '429' && RETRY_AFTER),
});

type Document = Parameters<NonNullable<FastifyDynamicSwaggerOptions['transformObject']>>[0];

/** The plugin marks every body as required. One that may be null may be left out as well. */
function markOptionalBodies(document: Document): void {
  if (!('openapiObject' in document)) return;
  for (const path of Object.values(document.openapiObject.paths ?? {})) {
    const body = path?.post?.requestBody;
    if (!body || '$ref' in body) continue;
    const schema = body.content['application/json']?.schema;
    const forms: readonly object[] = schema && 'anyOf' in schema ? (schema.anyOf ?? []) : [];
    body.required = !forms.some((form) => 'type' in form && form.type === 'null');
  }
}

/** Describes every route that is registered after it, at `/openapi.json`, from the schemas that the routes use. */
export function describeApi(app: FastifyInstance): void {
  const schemaRegistry = z.registry<{ id: string }>();
  schemaRegistry.add(errorEnvelope(), { id: 'ApiError' });
  const transform = createJsonSchemaTransform({ schemaRegistry });
  const transformObject = createJsonSchemaTransformObject({ schemaRegistry });

  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Darkroom image service', version: '1', description: DESCRIPTION },
      components: {
        securitySchemes: SECURITY_SCHEMES,
      },
      security: BY_KEY,
    },
    transform(described) {
      const { schema, url } = transform(described);
      const { operation } = described.route.config ?? {};
      for (const [status, answer] of Object.entries(schema?.response ?? {})) {
        Object.assign(answer, {
          description: STATUS_CODES[status],
          headers: headersOf(status, described.route),
        });
      }
      if (!operation) return { schema, url };
      const own = `The interface's own address: \`${url}?${operation}\`.`;
      const description = [schema.description, own].filter(Boolean).join(' ');
      return { schema: { ...schema, description }, url: aliasOf(operation) };
    },
    transformObject(document) {
      markOptionalBodies(document);
      return transformObject(document);
    },
  });
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
}
