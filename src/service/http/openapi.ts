import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { HEADERS } from '../../contract/endpoints.ts';
import { refusedEnvelope } from '../../contract/envelope.ts';

const DESCRIPTION = `
Generates images from text prompts. A submission creates a task; ask for the task's status every 2 to 3 seconds until it
is \`completed\` or \`failed\`.

Operations that share a path are told apart by the query parameter \`endpoint\` or \`action\`, which is shown here as part
of the path. Every answer is an envelope of \`success\`, \`data\` and \`error\`; \`error.code\` is stable.`.trim();

/** Describes every route that is registered after it, at `/openapi.json`, from the schemas that the routes use. */
export function describeApi(app: FastifyInstance): void {
  const schemaRegistry = z.registry<{ id: string }>();
  schemaRegistry.add(refusedEnvelope, { id: 'Refusal' });
  const transform = createJsonSchemaTransform({ schemaRegistry });

  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Darkroom image service', version: '1', description: DESCRIPTION },
      components: {
        securitySchemes: {
          header: {
            type: 'apiKey',
            in: 'header',
            name: HEADERS.key,
            description: 'Takes precedence over the others.',
          },
          bearer: { type: 'http', scheme: 'bearer' },
          query: {
            type: 'apiKey',
            in: 'query',
            name: 'api_key',
            description: 'Shows up in the logs of proxies; a header does not.',
          },
        },
      },
      security: [{ header: [] }, { bearer: [] }, { query: [] }],
    },
    transform(route) {
      const { schema, url } = transform(route);
      const { operation } = route.route.config ?? {};
      return { schema, url: operation ? `${url}?${operation}` : url };
    },
    transformObject: createJsonSchemaTransformObject({ schemaRegistry }),
  });
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
}
