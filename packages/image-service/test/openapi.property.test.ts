import { anyCodePoint } from '@darkroom/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type DescribedOperation, describedApi, exactly, schema } from './support/described-api.ts';
import { type ServiceWorld, serviceWorld } from './support/service.ts';

/** Values that fit a JSON schema, as far as ours go, and now and then one that does not. */
function anyValue(described: Record<string, unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 5, arbitrary: fitting(described) }, { weight: 1, arbitrary: fc.jsonValue() });
}

function fitting(described: Record<string, unknown>): fc.Arbitrary<unknown> {
  const read = z
    .object({
      anyOf: z.array(schema).optional(),
      oneOf: z.array(schema).optional(),
      enum: z.array(z.unknown()).optional(),
      type: z.string().or(z.array(z.string())).optional(),
      properties: z.record(z.string(), schema).optional(),
      additionalProperties: schema.or(z.boolean()).optional(),
      minimum: z.number().optional(),
      maximum: z.number().optional(),
    })
    .parse(described);
  if (read.anyOf) return fc.oneof(...read.anyOf.map(fitting));
  if (read.oneOf) {
    const { oneOf: _, ...common } = described;
    const alternatives = fc.oneof(...read.oneOf.map(fitting));
    return fc.tuple(fitting(common), alternatives).map((both) => Object.assign({}, ...both));
  }
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
      return fc.string({ unit: anyCodePoint, maxLength: 50 });
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

/** Requests for an operation, more or less as it is described, by callers whom it knows or not. */
function requestsFor(operation: DescribedOperation, files: readonly string[], callers: readonly object[]) {
  const { method, path, parameters, requestBody } = operation;
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const names = fc.oneof(fc.constantFrom(...files), fc.stringMatching(/^[^./]{1,40}$/u));
  return fc.record({
    operation: fc.constant(operation),
    method: fc.constant(method),
    path: names.map((name) => path.replace('{name}', encodeURIComponent(name))),
    query: fc.record(Object.fromEntries(query.map(({ name, schema }) => [name, anyValue(schema)])), {
      requiredKeys: [],
    }),
    caller: fc.constantFrom(...callers),
    repeated: fc.constantFrom({}, {}, ...['one', 'k'.repeat(256)].map((key) => ({ 'idempotency-key': key }))),
    body: requestBody
      ? fc.option(anyValue(requestBody.content['application/json']?.schema ?? {}), { nil: undefined })
      : fc.constant(undefined),
    type: fc.oneof(
      { weight: 9, arbitrary: fc.constant('application/json') },
      { weight: 1, arbitrary: fc.constant('text/plain') },
    ),
  });
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Holds answers against what is described of their operation. */
function inspector() {
  const schemas = new Map<object, z.ZodType>();
  return (
    operation: DescribedOperation,
    answer: { statusCode: number; headers: Record<string, unknown>; body: string },
  ): void => {
    const { statusCode: status, headers } = answer;
    const described = operation.responses[status];
    if (!described) throw new Error(`${status} is not described: ${answer.body}`);
    const type = `${headers['content-type']}`.split(';')[0] ?? '';
    const content = described.content[type];
    if (!content) throw new Error(`${status} is not described as ${type}`);
    if (type === 'application/json') {
      const held = schemas.get(content) ?? exactly(content.schema);
      schemas.set(content, held);
      held.parse(JSON.parse(answer.body));
      expect(headers['cache-control']).toBe('no-store');
    }
    const always = ['x-request-id', 'idempotency-key-supported', ...(status === 429 ? ['retry-after'] : [])];
    expect(Object.keys(described.headers)).toEqual(expect.arrayContaining(always));
    expect(Object.keys(headers)).toEqual(expect.arrayContaining(always));
    for (const name of Object.keys(headers).filter((header) =>
      /^(ratelimit|retry|x-r|idem|www)/.test(header),
    ))
      expect(described.headers).toHaveProperty([name]);
  };
}

/** An account for everything, and one that may lose its keys. */
async function callersOf(world: ServiceWorld) {
  const sent = ({ key, loginToken }: Pick<ServiceWorld, 'key' | 'loginToken'>) => [
    { 'x-api-key': key },
    { 'x-api-key': key },
    { authorization: `Bearer ${loginToken}` },
    { 'x-api-key': 'sk-wrong' },
    {},
  ];
  return { everything: sent(world), keys: sent(await world.addAccount()) };
}

test('whatever is asked, the answer is one that the description has', async () => {
  const world = await serviceWorld({ credits: 1_000_000, limits: { perMinute: 60, waiting: 20 } });
  const task = await world.until(await world.submitted({ prompt: 'a fox' }));
  if (task.status !== 'completed') throw new Error(task.status);
  const file = new URL(task.result.image_url).pathname.replace('/files/', '');
  const { operations } = await describedApi(world);
  const callers = await callersOf(world);
  const requests = operations.map((operation) =>
    requestsFor(operation, [file], operation.path.startsWith('/api') ? callers.keys : callers.everything),
  );
  const inspect = inspector();
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(...requests),
      async ({ operation, method, path, query, caller, repeated, body, type }) => {
        const more = new URLSearchParams(
          Object.entries(query).map(([name, value]): [string, string] => [name, asText(value)]),
        );
        const answer = await world.service.app.inject({
          method,
          url: `${path}?${more}`,
          headers: { ...caller, ...repeated, ...(body !== undefined && { 'content-type': type }) },
          ...(body !== undefined && { payload: JSON.stringify(body) }),
        });
        expect(answer.statusCode).toBeLessThan(500);
        inspect(operation, answer);
        statuses.add(answer.statusCode);
      },
    ),
    { numRuns: 800 },
  );
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 404, 415]));
});
