import { z } from 'zod';
import type { ServiceWorld } from './service.ts';

/** A JSON schema. */
export const schema = z.record(z.string(), z.unknown());
const content = z.record(z.string(), z.object({ schema }));
const requirements = z.array(z.record(z.string(), z.array(z.string())));

const operation = z.object({
  summary: z.string(),
  description: z.string().optional(),
  parameters: z
    .array(z.object({ name: z.string(), in: z.string(), required: z.boolean(), schema }))
    .default([]),
  requestBody: z.object({ required: z.boolean(), content }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string(), headers: schema, content })),
  security: requirements.optional(),
});

const document = z.object({
  openapi: z.literal('3.1.0'),
  paths: z.record(z.string(), z.partialRecord(z.enum(['get', 'post']), operation)),
  security: requirements,
  components: z.object({
    schemas: z.object({ ApiError: schema }),
    securitySchemes: z.record(
      z.string(),
      z.union([
        z.object({ type: z.literal('apiKey'), in: z.enum(['header', 'query']), name: z.string() }),
        z.object({ type: z.literal('http'), scheme: z.literal('bearer') }),
      ]),
    ),
  }),
});

export type DescribedOperation = Awaited<ReturnType<typeof describedApi>>['operations'][number];

/** What a service says of itself at `/openapi.json`. */
export async function describedApi(world: Pick<ServiceWorld, 'call'>) {
  const { paths, security, components } = document.parse(await (await world.call('/openapi.json')).json());
  return {
    components,
    operations: Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) => ({
        path,
        method: method === 'post' ? ('POST' as const) : ('GET' as const),
        ...described,
        security: described.security ?? security,
      })),
    ),
  };
}

const refused = z.object({
  properties: z.object({
    error: z.object({ properties: z.object({ code: z.object({ enum: z.array(z.string()) }) }) }),
  }),
});

/** The codes that a schema of an API error lists. */
export const codesOf = (described: unknown): string[] =>
  refused.parse(described).properties.error.properties.code.enum;
