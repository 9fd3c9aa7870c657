import { z } from 'zod';
import type { ServiceWorld } from './service.ts';

/** A JSON schema. */
export const schema = z.record(z.string(), z.unknown());
const content = z.record(
  z.string(),
  z.object({ schema, example: schema.optional(), encoding: schema.optional() }),
);
const requirements = z.array(z.record(z.string(), z.array(z.string())));

const links = z.record(
  z.string(),
  z.object({ operationId: z.string() }).catchall(z.record(z.string(), z.string())),
);

const operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()).min(1),
  summary: z.string(),
  description: z.string().optional(),
  parameters: z
    .array(z.object({ name: z.string(), in: z.string(), required: z.boolean(), schema }))
    .default([]),
  requestBody: z.object({ required: z.boolean(), content }).optional(),
  responses: z.record(
    z.string(),
    z.object({ description: z.string(), headers: schema, content, links: links.default({}) }),
  ),
  security: requirements.optional(),
});

const document = z.object({
  openapi: z.literal('3.1.0'),
  info: z.object({ description: z.string() }),
  paths: z.record(z.string(), z.partialRecord(z.enum(['get', 'post']), operation)),
  webhooks: schema,
  security: requirements,
  components: z.object({
    schemas: z.record(z.string(), schema),
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

/** JSON with each reference to a schema replaced by it; one that refers to itself stands for anything. */
function resolved(value: unknown, schemas: Readonly<Record<string, unknown>>): unknown {
  const within = (inner: unknown, open: readonly string[]): unknown => {
    if (Array.isArray(inner)) return inner.map((each) => within(each, open));
    if (typeof inner !== 'object' || inner === null) return inner;
    const [, name] = /^#\/components\/schemas\/(\w+)$/.exec(String(Reflect.get(inner, '$ref'))) ?? [];
    if (name !== undefined) return open.includes(name) ? {} : within(schemas[name], [...open, name]);
    return Object.fromEntries(Object.entries(inner).map(([key, each]) => [key, within(each, open)]));
  };
  return within(value, []);
}

/** A schema of what is sent that takes no other fields than it names: the service sends none besides. */
export const exactly = (sent: Record<string, unknown>): z.ZodType =>
  z.fromJSONSchema(
    JSON.parse(
      JSON.stringify(sent, (_, value) =>
        value?.type === 'object' && value.properties ? { additionalProperties: false, ...value } : value,
      ),
    ),
  );

/** What a service says of itself at `/openapi.json`. */
export async function describedApi(world: Pick<ServiceWorld, 'call'>) {
  const whole: unknown = await (await world.call('/openapi.json')).json();
  const { components, info } = document.parse(whole);
  const { paths, webhooks, security } = document.parse(resolved(whole, components.schemas));
  return {
    components,
    info,
    webhooks,
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
const anyOfThem = z.object({ allOf: z.tuple([refused, refused]) });

/** The codes that a schema of an API error lists: those of its answer, of all that there are. */
export function codesOf(described: unknown): string[] {
  const [, own] = anyOfThem.safeParse(described).data?.allOf ?? [];
  return (own ?? refused.parse(described)).properties.error.properties.code.enum;
}
