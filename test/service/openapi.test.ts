import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { ENDPOINTS } from '../../src/contract/endpoints.ts';
import { envelope, refusedEnvelope } from '../../src/contract/envelope.ts';
import { createServiceWorld, type ServiceWorld } from '../support/service.ts';

let world: ServiceWorld;
beforeAll(async () => {
  world = await createServiceWorld({
    credits: 1_000_000,
    limits: { perMinute: 1_000_000, waiting: 1_000_000 },
  });
});
afterAll(() => world.close());

const schema = z.record(z.string(), z.unknown());
const operation = z.looseObject({
  summary: z.string(),
  parameters: z.array(z.looseObject({ name: z.string(), in: z.string(), schema })).default([]),
  requestBody: z.looseObject({ content: z.record(z.string(), z.object({ schema })) }).optional(),
});
const document = z.looseObject({
  openapi: z.string(),
  paths: z.record(
    z.string(),
    z.record(z.enum(['get', 'post', 'head']), operation).or(z.record(z.string(), operation)),
  ),
});

async function operations() {
  const { paths } = document.parse(await (await world.call('/openapi.json')).json());
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      path,
      method: method.toUpperCase(),
      ...described,
    })),
  );
}

test('every operation of the interface is described where it is', async () => {
  const described = (await operations()).map(({ method, path }) => `${method} ${path}`);
  for (const { method, path, query } of Object.values(ENDPOINTS)) {
    expect(described).toContain(`${method} ${path}?${new URLSearchParams(query)}`);
  }
});

/** Values that fit a JSON schema, as far as ours go, and now and then one that does not. */
function anyValue(described: Record<string, unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 5, arbitrary: fitting(described) }, { weight: 1, arbitrary: fc.jsonValue() });
}

function fitting(described: Record<string, unknown>): fc.Arbitrary<unknown> {
  const read = z
    .object({
      anyOf: z.array(schema).optional(),
      enum: z.array(z.unknown()).optional(),
      type: z.string().or(z.array(z.string())).optional(),
      properties: z.record(z.string(), schema).optional(),
      additionalProperties: schema.or(z.boolean()).optional(),
      minimum: z.number().optional(),
      maximum: z.number().optional(),
    })
    .parse(described);
  if (read.anyOf) return fc.oneof(...read.anyOf.map(fitting));
  if (read.enum) return fc.constantFrom(...read.enum);
  if (Array.isArray(read.type)) return fc.oneof(...read.type.map((type) => fitting({ ...described, type })));
  const bounds = {
    min: Math.max(-(2 ** 31), read.minimum ?? 0),
    max: Math.min(2 ** 31 - 1, read.maximum ?? 2 ** 31 - 1),
  };
  switch (read.type) {
    case 'integer':
      return fc.integer(bounds);
    case 'number':
      return fc.double({ ...bounds, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'string':
      return fc.string({ unit: 'binary', maxLength: 50 });
    case 'object': {
      const known = Object.entries(read.properties ?? {}).map(([name, value]) => [name, anyValue(value)]);
      const others =
        typeof read.additionalProperties === 'object' && Object.keys(read.additionalProperties).length > 0
          ? fc.dictionary(fc.string({ maxLength: 5 }), anyValue(read.additionalProperties), { maxKeys: 3 })
          : fc.constant({});
      return fc
        .tuple(fc.record(Object.fromEntries(known), { requiredKeys: [] }), others)
        .map(([own, more]) => ({ ...more, ...own }));
    }
    default:
      return fc.jsonValue();
  }
}

test('no request that the description allows, and few that it does not, is answered by a 500', async () => {
  const requests = (await operations()).map(({ path, method, parameters, requestBody }) => {
    const [body] = Object.values(requestBody?.content ?? {});
    const query = parameters.filter((parameter) => parameter.in === 'query');
    return fc.record({
      method: fc.constant(method),
      path: fc
        .string({ maxLength: 40 })
        .map((name) => path.replace('{name}', encodeURIComponent(name) || 'x')),
      query: fc.record(Object.fromEntries(query.map(({ name, schema }) => [name, anyValue(schema)])), {
        requiredKeys: [],
      }),
      body: body ? fc.option(anyValue(body.schema), { nil: undefined }) : fc.constant(undefined),
    });
  });
  const answered = z.union([envelope(z.unknown()), refusedEnvelope.strict()]);
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(fc.oneof(...requests), async ({ method, path, query, body }) => {
      const more = new URLSearchParams(
        Object.fromEntries(
          Object.entries(query).map(([name, value]) => [
            name,
            typeof value === 'string' ? value : JSON.stringify(value),
          ]),
        ),
      );
      const answer = await world.service.app.inject({
        method: method === 'POST' ? 'POST' : 'GET',
        url: `${path}${path.includes('?') ? '&' : '?'}${more}`,
        headers: {
          'x-api-key': world.key,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { payload: JSON.stringify(body) }),
      });
      expect(answer.statusCode).toBeLessThan(500);
      if (path !== '/openapi.json') answered.parse(answer.json());
      statuses.add(answer.statusCode);
    }),
    {
      numRuns: 600,
    },
  );
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 404]));
});
