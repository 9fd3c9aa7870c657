import { ERROR_CODES, OPERATIONS } from '@darkroom/image-api';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { codesOf, type DescribedOperation, describedApi, exactly } from './support/described-api.ts';
import { editingEngine, paint } from './support/engines.ts';
import { createServiceWorld, type ServiceWorld } from './support/service.ts';

let world: ServiceWorld;
let api: Awaited<ReturnType<typeof describedApi>>;
beforeAll(async () => {
  world = await createServiceWorld({ engine: editingEngine(), limits: { perMinute: 1_000 } });
  api = await describedApi(world);
});
afterAll(() => world.close());

const named = ({ method, path }: DescribedOperation) => `${method} ${path.replace(/^\/(v1|api)\//, '')}`;

test('every operation of the interface is described at its alias, with its own address', () => {
  for (const { method, path, selector } of Object.values(OPERATIONS)) {
    const [name] = Object.values(selector);
    const described = api.operations.find((operation) => named(operation) === `${method} ${name}`);
    expect(described?.description, `${method} ${name}`).toContain(
      `\`${path}?${new URLSearchParams(selector)}\``,
    );
  }
});

test('no path has a query, and every parameter of a path is described', () => {
  for (const { path, parameters } of api.operations) {
    expect(path).not.toMatch(/[?&=]/);
    const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
    expect([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)).toEqual(inPath);
  }
});

test('every code is described with its status, by an operation unless it says that there is none', () => {
  const listed = api.operations.flatMap(({ responses }) =>
    Object.entries(responses)
      .filter(([status]) => status !== '200')
      .flatMap(([status, { content }]) =>
        codesOf(content['application/json']?.schema).map((code) => `${status} ${code}`),
      ),
  );
  const ofNone = ['unknown_endpoint', 'unknown_action', 'method_not_allowed'];
  const expected = Object.entries(ERROR_CODES).filter(([code]) => !ofNone.includes(code));
  expect([...new Set(listed)].sort()).toEqual(expected.map(([code, status]) => `${status} ${code}`).sort());
  expect(codesOf(api.components.schemas.ApiError)).toEqual(Object.keys(ERROR_CODES));
});

test('what a program has to know of an answer beside its shape is described', () => {
  for (const operation of api.operations) {
    const { 415: unread, 429: tooMany, 503: away } = operation.responses;
    if (unread) expect(unread.headers, named(operation)).toHaveProperty('accept-encoding');
    for (const answer of [tooMany, away])
      if (answer) expect(answer.headers, named(operation)).toHaveProperty('retry-after');
  }
  expect(JSON.stringify(api.components.schemas.QueuedTask)).toMatch(
    /"check_status":\{[^}]*"description":"[^"]*\/v1\/index\.php/,
  );
});

test('the id of a task is described as text that is not empty', () => {
  const described = api.operations.flatMap(({ parameters, requestBody }) => [
    ...parameters.filter(({ name }) => name === 'task_id').map(({ schema }) => schema),
    ...Object.values(requestBody?.content ?? {}).flatMap(({ schema: { properties } }) =>
      Object.entries({ ...Object(properties) }).flatMap(([name, one]) => (name === 'task_id' ? [one] : [])),
    ),
  ]);
  const ids = described.map((one) => z.fromJSONSchema(Object(one)));
  expect(ids.map((id) => [id.safeParse('').success, id.safeParse('7').success])).toEqual(
    Array(3).fill([false, true]),
  );
});

test('what may be left out of a request is described as what may be left out', () => {
  const bodies = api.operations.flatMap((operation) =>
    operation.requestBody ? [[named(operation), operation.requestBody.required]] : [],
  );
  expect(Object.fromEntries(bodies)).toEqual({
    'POST image_generation': true,
    'POST dry_run': true,
    'POST upload': true,
    'POST cancel_task': true,
    'POST test_webhook': true,
    'POST resend_webhook': true,
    'POST generate_api_key': false,
    'POST get_api_key': false,
    'POST revoke_api_key': false,
    'POST rotate_webhook_secret': false,
  });
  const needed = api.operations.flatMap((operation) =>
    operation.parameters.filter(({ required }) => required).map(({ name }) => [named(operation), name]),
  );
  expect(Object.fromEntries(needed)).toEqual({ 'GET task_status': 'task_id', 'GET /files/{name}': 'name' });
});

test('a body may say more than is described, and a submission may be given an Idempotency-Key and a wait', () => {
  const bodies = api.operations.flatMap(({ requestBody }) => requestBody?.content['application/json'] ?? []);
  for (const { schema } of bodies) expect(schema.additionalProperties).not.toBe(false);
  const submitted = api.operations.find(({ path }) => path === '/v1/image_generation');
  expect(submitted?.parameters).toEqual([
    { name: 'wait', in: 'query', required: false, schema: { type: 'number', minimum: 0, maximum: 50 } },
    { name: 'idempotency-key', in: 'header', required: false, schema: { type: 'string', maxLength: 255 } },
  ]);
});

test('what is sent may have further fields some day, as the description says in words and leaves open in schemas', () => {
  expect(api.info.description).toContain('may get further fields');
  expect(JSON.stringify(api.webhooks)).toContain('error_code');
  for (const sent of [api.webhooks, ...api.operations.map(({ responses }) => responses)])
    expect(JSON.stringify(sent)).not.toContain('"additionalProperties":false');
});

test('the description is valid, and names its operations, their kinds and their schemas', async () => {
  const text = await (await world.call('/openapi.json')).text();
  expect(await new Validator().validate(JSON.parse(text))).toEqual({ valid: true });
  const names = api.operations.map(({ operationId }) => operationId);
  expect(names.sort()).toEqual([...Object.keys(OPERATIONS), 'picture'].sort());
  for (const { path, tags } of api.operations)
    expect(['tasks', 'account', 'keys', 'webhooks', 'pictures'], path).toEqual(expect.arrayContaining(tags));
  const referred = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
  expect(Object.keys(api.components.schemas).sort()).toEqual([...new Set(referred)].sort());
  expect(referred).toEqual(expect.arrayContaining(['Task', 'Submission', 'Graph', 'Balance', 'TaskEnded']));
});

const image = `upload:${'0'.repeat(32)}`;
const graph = { '1': { class_type: 'SaveImage', inputs: {} } };

test.each([
  { prompt: 'a fox', operation: 'generate', image: null },
  { prompt: graph, workflow: null },
  { operation: 'edit', prompt: 'a hat', image: [image, image] },
  { operation: 'upscale', image },
  { operation: 'remove_background', image: [image], prompt: null },
  { operation: 'expand', image, expand: { left: 0, top: 8 }, prompt: '' },
  {},
  { prompt: ' ' },
  { prompt: null },
  { prompt: {} },
  { prompt: 'a fox', image },
  { prompt: 'a fox', operation: 'generate', image },
  { prompt: graph, workflow: 'rr3' },
  { prompt: graph, operation: 'edit', image },
  { prompt: graph, operation: 'upscale', image },
  { operation: 'edit', prompt: 'a hat' },
  { operation: 'edit', image },
  { operation: 'edit', prompt: ' ', image },
  { operation: 'edit', prompt: 'a hat', image: Array(5).fill(image) },
  { operation: 'edit', prompt: 'a hat', image: 'data:image/png,fox' },
  { operation: 'edit', prompt: 'a hat', image: 'data:image/png;base64,_' },
  { operation: 'edit', prompt: 'a hat', image: 'https://' },
  { operation: 'upscale', image: [image, image] },
  { operation: 'expand', image },
  { operation: 'expand', image, expand: {} },
  { operation: 'expand', image, expand: { left: 0 } },
])('a submission such as %j is described as it is taken', async (submission) => {
  const { requestBody } =
    api.operations.find(({ operationId }) => operationId === 'dryRun') ?? expect.fail('it is described');
  const described = z.fromJSONSchema(requestBody?.content['application/json']?.schema ?? {});
  const { status } = await world.call('/v1/dry_run', { json: submission });
  expect([200, 400, 404]).toContain(status);
  // There is no such picture: all else is as it should be.
  expect(described.safeParse(submission).success).toBe(status !== 400);
});

test('an upload is described with its kinds and its bounds', () => {
  const { description, requestBody } =
    api.operations.find(({ operationId }) => operationId === 'upload') ?? expect.fail('it is described');
  const form = requestBody?.content['multipart/form-data'];
  expect(form?.encoding).toEqual({ file: { contentType: 'image/png, image/jpeg, image/webp' } });
  expect(form?.schema.properties).toMatchObject({ file: { minLength: 1, maxLength: 10 * 1024 ** 2 } });
  expect(description).toMatch(/10 MiB and 24 megapixels.* 2048 pixels.* less than 64/);
});

/** What a link puts into a request: each `$response.body#/data/id` from the answer that it belongs to. */
const carried = (expressions: Readonly<Record<string, string>>, data: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(expressions).map(([name, expression]) => [
      name,
      String(Reflect.get(data, expression.replace('$response.body#/data/', ''))),
    ]),
  );

async function formOfPicture(): Promise<FormData> {
  const { bytes } = await paint({ width: 64, height: 64 });
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(bytes)]), 'fox.png');
  return form;
}

test('every operation takes its own example, with what a link carries over, and answers as described', async () => {
  const { key, loginToken } = await world.addAccount();
  const headers = { 'x-api-key': key, authorization: `Bearer ${loginToken}` };
  const linked = new Map<string, { query: Record<string, string>; body: Record<string, string> }>();
  const image = { name: '' };

  async function succeeds({ operationId, path, method, requestBody, responses }: DescribedOperation) {
    const { query, body } = linked.get(operationId) ?? {};
    const example = requestBody?.content['application/json']?.example;
    const form = requestBody?.content['multipart/form-data'] && (await formOfPicture());
    const answer = await world.call(`${path.replace('{name}', image.name)}?${new URLSearchParams(query)}`, {
      method,
      headers,
      ...(form ? { body: form } : requestBody && { json: { ...example, ...body } }),
    });
    expect(answer.status, `${operationId}: ${await answer.clone().text()}`).toBe(200);
    const described = responses[200];
    const schema = described?.content['application/json']?.schema;
    if (!schema) return;
    const { data }: { data: object } = JSON.parse(JSON.stringify(exactly(schema).parse(await answer.json())));
    for (const { operationId: next, parameters, requestBody: taken } of Object.values(described.links)) {
      linked.set(next, { query: carried(parameters ?? {}, data), body: carried(taken ?? {}, data) });
    }
  }

  const task = await world.until(await world.submitted({ prompt: 'a fox' }));
  if (task.status === 'completed') image.name = `${new URL(task.result.image_url).pathname.split('/').pop()}`;
  const told = await world.submitted({ prompt: 'a fox', webhook: 'https://bot.example/hooks' }, key);
  linked.set('resendWebhook', { query: {}, body: { task_id: told } });
  // First those that others follow.
  const leading = ({ responses }: DescribedOperation) => Object.keys(responses[200]?.links ?? {}).length;
  for (const operation of api.operations.toSorted((one, other) => leading(other) - leading(one)))
    await succeeds(operation);
  expect([...linked.keys()].sort()).toEqual(['cancel', 'resendWebhook', 'revokeKey', 'status']);
});

test.each(['QUERY', 'PUT', 'DELETE', 'PATCH'])(
  '%s is no method of anything, whatever is sent',
  async (method) => {
    for (const path of ['/v1/task_list', '/v1/image_generation', '/files/1.png'])
      for (const body of ['{', 'null', '']) {
        const { statusCode, headers } = await world.service.app.inject({
          // Node knows more methods than the type does.
          method: method as 'PUT',
          url: path,
          payload: body,
          headers: { 'content-type': 'application/json' },
        });
        expect([statusCode, headers.allow === undefined], `${path} ${body}`).toEqual(
          path.startsWith('/files') ? [404, true] : [405, false],
        );
      }
  },
);

interface Asking {
  query: string;
  headers: Record<string, string>;
  json?: object;
}

/** A request with the credentials that a requirement names. */
function asking(requirement: object, { key, loginToken }: Pick<ServiceWorld, 'key' | 'loginToken'>): Asking {
  const [name] = Object.keys(requirement);
  if (name === undefined) return { query: '', headers: {}, json: { token: loginToken } };
  const secret = name.startsWith('token') ? loginToken : key;
  const scheme = api.components.securitySchemes[name];
  if (scheme?.type === 'http') return { query: '', headers: { authorization: `Bearer ${secret}` } };
  if (scheme?.in === 'query') return { query: `&${scheme.name}=${secret}`, headers: {} };
  return { query: '', headers: { [`${scheme?.name}`]: secret } };
}

test('a request with credentials by a described scheme is let in, and no other', async () => {
  for (const operation of api.operations.filter(({ security }) => security.length > 0)) {
    const path = `${operation.path}?task_id=1`;
    const ask = async ({ query, ...init }: Asking) =>
      (await world.call(`${path}${query}`, { method: operation.method, ...init })).status;
    for (const requirement of operation.security) {
      const status = await ask(asking(requirement, await world.addAccount()));
      expect(status, `${named(operation)} by ${JSON.stringify(requirement)}`).not.toBe(401);
    }
    expect(await ask({ query: '', headers: {} }), named(operation)).toBe(401);
  }
});

test('a picture is described as one, with the errors where it is not there', () => {
  const file = api.operations.find(({ path }) => path === '/files/{name}');
  const types = Object.entries(file?.responses ?? {}).map(([status, { content }]) => [
    status,
    Object.keys(content),
  ]);
  expect(Object.fromEntries(types)).toMatchObject({
    200: ['image/png', 'image/webp'],
    404: ['application/json'],
    410: ['application/json'],
  });
});
