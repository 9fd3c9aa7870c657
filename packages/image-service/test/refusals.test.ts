import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { apiError } from '@darkroom/image-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createServiceWorld, problemOf, type ServiceWorld } from './support/service.ts';

let world: ServiceWorld;
beforeAll(async () => {
  world = await createServiceWorld();
});
afterAll(() => world.close());

const refused: [string, unknown, string, object?][] = [
  ['no prompt', {}, 'missing_prompt', { field: 'prompt' }],
  ['an empty prompt', { prompt: '  ' }, 'missing_prompt', { field: 'prompt' }],
  ['a prompt that is null', { prompt: null }, 'missing_prompt', { field: 'prompt' }],
  ['a prompt that is a number', { prompt: 5 }, 'invalid_request', { field: 'prompt' }],
  ['an empty graph', { prompt: {} }, 'invalid_request', { field: 'prompt' }],
  [
    'too wide',
    { prompt: 'a', width: 4096 },
    'parameter_out_of_range',
    { field: 'width', max: 2048, received: 4096 },
  ],
  [
    'too low',
    { prompt: 'a', height: '8' },
    'parameter_out_of_range',
    { field: 'height', min: 64, received: '8' },
  ],
  ['too many steps', { prompt: 'a', steps: 51 }, 'parameter_out_of_range', { field: 'steps', max: 50 }],
  ['half a step', { prompt: 'a', steps: 1.5 }, 'invalid_request', { field: 'steps' }],
  ['a width in words', { prompt: 'a', width: 'wide' }, 'invalid_request', { field: 'width' }],
  [
    'a width beyond any integer',
    { prompt: 'a', width: 1e23 },
    'parameter_out_of_range',
    { field: 'width', max: 2048, received: 1e23 },
  ],
  [
    'a novel',
    { prompt: 'a'.repeat(10_001) },
    'parameter_out_of_range',
    { field: 'prompt', max: 10_000, received: 10_001 },
  ],
  [
    'a negative novel',
    { prompt: 'a', negative_prompt: 'a'.repeat(10_001) },
    'parameter_out_of_range',
    { field: 'negative_prompt', max: 10_000, received: 10_001 },
  ],
  [
    'a model with an endless name',
    { prompt: 'a', model: 'a'.repeat(256) },
    'parameter_out_of_range',
    { field: 'model', max: 255, received: 256 },
  ],
  ['no name of a model', { prompt: 'a', model: '' }, 'parameter_out_of_range', { field: 'model', min: 1 }],
  ['a strong cfg', { prompt: 'a', cfg: 31 }, 'parameter_out_of_range', { field: 'cfg', max: 30 }],
  [
    'another workflow',
    { prompt: 'a', workflow: 'oil' },
    'unknown_workflow',
    { allowed: ['default', 'anime', 'z-image', 'rr3'] },
  ],
  ['a graph of the editor', { prompt: { nodes: [], links: [] } }, 'workflow_format_ui', { field: 'prompt' }],
  [
    'a graph for rr3',
    { prompt: { 1: { class_type: 'KSampler', inputs: {} } }, workflow: 'rr3' },
    'graph_not_supported',
  ],
  ['a list', [], 'invalid_request'],
];

for (const [name, submission, code, details] of refused) {
  test(`a submission with ${name} is refused as ${code}`, async () => {
    const answer = await world.submit(submission);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    const problem = await problemOf(answer);
    expect(problem).toMatchObject({ code, ...(details && { details }) });
    expect(problem.request_id).toBe(answer.headers.get('x-request-id'));
  });
}

test('the graph of the editor comes with how to export it', async () => {
  const { message } = await problemOf(await world.submit({ prompt: { nodes: [] } }));
  expect(message).toContain('Export (API)');
});

const requests: [string, string, RequestInit, number, string][] = [
  ['an unknown endpoint', '/v1/index.php?endpoint=dance', {}, 404, 'unknown_endpoint'],
  ['no endpoint', '/v1/index.php', {}, 404, 'unknown_endpoint'],
  ['an unknown action', '/api.php?action=dance', {}, 404, 'unknown_action'],
  ['another path', '/v2/index.php?endpoint=user_balance', {}, 404, 'not_found'],
  ['the wrong method', '/v1/index.php?endpoint=image_generation', {}, 405, 'method_not_allowed'],
  [
    'the wrong method for an action',
    '/api.php?action=revoke_api_key',
    { method: 'GET' },
    405,
    'method_not_allowed',
  ],
  [
    'an operation whose characters are escaped, and no task id',
    '/v1/index.php?endpoint=task%5Fstatus',
    {},
    400,
    'invalid_request',
  ],
  ['an operation that no escape makes one', '/v1/index.php?endpoint=task%zz', {}, 404, 'unknown_endpoint'],
  ['no task id', '/v1/index.php?endpoint=task_status', {}, 400, 'invalid_request'],
  ['a task that is not', '/v1/index.php?endpoint=task_status&task_id=17', {}, 404, 'task_not_found'],
  ['a task id that is none', '/v1/index.php?endpoint=task_status&task_id=%00', {}, 404, 'task_not_found'],
  ['an address that is none', '/%zz', {}, 400, 'invalid_request'],
  [
    'a body that is no JSON',
    '/v1/index.php?endpoint=image_generation',
    { method: 'POST', body: '{"prompt":', headers: { 'content-type': 'application/json' } },
    400,
    'invalid_request',
  ],
  [
    'a form',
    '/v1/index.php?endpoint=image_generation',
    { method: 'POST', body: new URLSearchParams({ prompt: 'a' }) },
    415,
    'unsupported_media_type',
  ],
  [
    'a body in plain text',
    '/v1/index.php?endpoint=image_generation',
    { method: 'POST', body: '{"prompt":"a"}', headers: { 'content-type': 'text/plain' } },
    415,
    'unsupported_media_type',
  ],
  [
    'a body beyond 1 MiB',
    '/v1/index.php?endpoint=image_generation',
    {
      method: 'POST',
      body: JSON.stringify({ prompt: 'a'.repeat(1_048_576) }),
      headers: { 'content-type': 'application/json' },
    },
    413,
    'body_too_large',
  ],
];

for (const [name, path, init, status, code] of requests) {
  test(`a request with ${name} is refused as ${code}`, async () => {
    const headers = { ...init.headers, 'x-api-key': world.key };
    const answer = await world.call(path, { ...init, headers });
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect([answer.status, (await problemOf(answer)).code]).toEqual([status, code]);
  });
}

test('an id of nothing is missing, wherever it stands', async () => {
  for (const call of [
    world.call('/v1/task_status?task_id='),
    world.call('/v1/cancel_task', { json: { task_id: ' ' }, headers: { 'x-api-key': world.key } }),
  ])
    expect((await problemOf(await call)).message).toBe('task_id is missing: add it to the request.');
});

test('the wrong method comes with the right one', async () => {
  const answer = await world.call('/v1/index.php?endpoint=image_generation');
  expect(answer.headers.get('allow')).toBe('POST');
});

test.each([
  [{ prompt: 'a', steps: 1.5 }, 'steps must be a whole number.'],
  [{ prompt: 'a', cfg: 'strong' }, 'cfg must be a number.'],
  [{ prompt: 'a', model: 7 }, 'model must be text.'],
  [{ prompt: 'a', model: '' }, 'model must not be empty.'],
  [{ prompt: 'a', width: 1e23 }, 'width must be at most 2048.'],
  [
    { prompt: 'a', negative_prompt: 'a'.repeat(10_001) },
    'negative_prompt must have at most 10000 characters.',
  ],
  [
    { prompt: { '3': { class_type: 'KSampler' } } },
    /^prompt must be text, or a graph .* class_type and inputs\.$/,
  ],
])('%j is refused in words that say what is expected', async (submission, words) => {
  expect((await problemOf(await world.submit(submission))).message).toMatch(words);
});

test.each([
  ['/api.php?action=get_api_key&reveal=perhaps', 'reveal must be true or false.'],
  [
    '/v1/index.php?endpoint=task_list&status=late',
    'status must be one of pending, processing, completed, failed.',
  ],
  ['/v1/index.php?endpoint=task_list&limit=1e23', 'limit must be at most 100.'],
  ['/v1/index.php?endpoint=task_list&limit=some', 'limit must be a number.'],
])('%s is refused in words that say what is expected', async (path, words) => {
  const answer = await world.call(path);
  expect([answer.status, (await problemOf(answer)).message]).toEqual([400, words]);
});

test('a request that expects something of the server is answered as any other', async () => {
  const socket = connect(Number(new URL(world.url).port), '127.0.0.1');
  socket.write(
    'GET /v1/index.php?endpoint=user_balance HTTP/1.1\r\nHost: a\r\nExpect: x\r\nConnection: close\r\n\r\n',
  );
  const [head = '', answered = ''] = (await text(socket)).split('\r\n\r\n');
  const { error } = apiError.strict().parse(JSON.parse(answered));
  expect([head.split(' ')[1], error.code]).toEqual(['401', 'missing_api_key']);
  expect(head).toContain(`x-request-id: ${error.request_id}\r\n`);
});

test('parameters with names that objects have of themselves are ignored like any other', async () => {
  const body = '{"prompt":"a fox","constructor":{"prototype":{"steps":99}},"__proto__":{"steps":99}}';
  const headers = { 'x-api-key': world.key, 'content-type': 'application/json' };
  const path = '/v1/index.php?endpoint=image_generation';
  expect((await world.call(path, { method: 'POST', body, headers })).status).toBe(200);
});
