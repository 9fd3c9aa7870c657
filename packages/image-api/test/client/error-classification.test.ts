import { failureOf } from '@darkroom/testing';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { classifyError } from '../../src/client/error-classification.ts';
import { readResponse } from '../../src/client/response.ts';
import type { ServiceErrorKind } from '../../src/service-error.ts';

/** Of a call that brought a prompt. */
const BY_SERVICE = { byService: true, carriesContent: true, retryAfterMs: undefined };

test.each<[number, string, ServiceErrorKind]>([
  [409, 'too_many_keys', 'refused'],
  [400, 'parameter_out_of_range', 'refused'],
  [400, 'width must be at most 2048', 'refused'],
  [422, 'prompt is missing', 'refused'],
  [409, 'idempotency_conflict', 'refused'],
  [413, '', 'refused'],
  [401, '', 'unauthorized'],
  [403, '', 'unauthorized'],
  [403, 'Not enough credits', 'insufficient-balance'],
  [403, 'insufficient permissions', 'unauthorized'],
  [403, 'permission_denied', 'unauthorized'],
  [403, 'Access denied', 'unauthorized'],
  [403, 'Forbidden', 'unauthorized'],
  [403, 'Invalid API key', 'unauthorized'],
  [403, 'content_policy_violation', 'refused'],
  [403, 'Your prompt was flagged by our moderation', 'refused'],
  [403, 'The prompt "access denied" is not allowed', 'refused'],
  [400, 'Invalid API key', 'unauthorized'],
  [200, 'invalid_api_key', 'unauthorized'],
  [200, 'The login token has expired', 'unauthorized'],
  [402, '', 'insufficient-balance'],
  [400, 'insufficient_balance', 'insufficient-balance'],
  [200, 'Your balance is too low', 'insufficient-balance'],
  [200, 'Insufficient balance', 'insufficient-balance'],
  [200, 'You have no credits left', 'insufficient-balance'],
  [200, 'Credits exhausted', 'insufficient-balance'],
  [400, 'prompt rejected: credit card numbers are not allowed', 'refused'],
  [400, 'The prompt "life in balance" is not allowed', 'refused'],
  [400, 'prompt rejected: at most 77 tokens', 'refused'],
  [404, '', 'not-found'],
  [410, '', 'not-found'],
  [200, 'Task not found', 'not-found'],
  [200, 'task_not_found', 'not-found'],
  [429, 'queue_full', 'busy'],
  [200, 'Rate limit exceeded', 'busy'],
  [408, '', 'timeout'],
  [500, 'insufficient memory', 'broken'],
  [503, '', 'broken'],
  [301, '', 'unreachable'],
  [308, '', 'unreachable'],
  [302, '', 'protocol'],
  [200, 'nothing of the kind', 'refused'],
])('%i with the words "%s" is %s', (status, words, kind) => {
  const [code, message] = /^\w+_\w+$/.test(words) ? [words, undefined] : [undefined, words];
  expect(classifyError({ status, ...BY_SERVICE, code, message })).toBe(kind);
});

test.each<[string, string, ServiceErrorKind]>([
  ['forbidden', 'Your prompt was flagged', 'refused'],
  ['PERMISSION_DENIED', 'The picture is not allowed here', 'refused'],
  ['forbidden', 'This key has no permission to generate', 'unauthorized'],
  ['insufficient_scope', 'Try another one', 'unauthorized'],
  ['AccessDeniedException', 'The picture shows a person', 'refused'],
  ['forbidden_words', 'Your prompt has some', 'refused'],
  ['account_banned', 'Ask for help', 'unauthorized'],
])('403 with the code %s and "%s" is %s', (code, message, kind) => {
  expect(classifyError({ status: 403, ...BY_SERVICE, code, message })).toBe(kind);
});

test.each<[string, ServiceErrorKind]>([
  ['Dein Schlüssel ist gesperrt', 'unauthorized'],
  ['No longer a member', 'unauthorized'],
  ['Not enough credits', 'insufficient-balance'],
  ['Rate limit exceeded', 'busy'],
  ['There is no such task', 'not-found'],
])('403 with %j is %s where no prompt was sent', (message, kind) => {
  const response = { ...BY_SERVICE, status: 403, code: undefined, message };
  expect(classifyError({ ...response, carriesContent: false })).toBe(kind);
});

test.each<[number, ServiceErrorKind]>([
  [400, 'protocol'],
  [401, 'protocol'],
  [402, 'insufficient-balance'],
  [403, 'protocol'],
  [404, 'protocol'],
  [408, 'timeout'],
  [410, 'protocol'],
  [413, 'refused'],
  [429, 'busy'],
  [502, 'broken'],
])('a page with %i is %s', (status, kind) => {
  const page = { ...BY_SERVICE, byService: false, code: undefined, message: undefined };
  expect(classifyError({ status, ...page })).toBe(kind);
});

test.each<[string, ServiceErrorKind]>([
  ['{"error":"Invalid API key"}', 'unauthorized'],
  ['{"success":true,"data":null,"error":"Invalid API key"}', 'unauthorized'],
  ['{"message":"Forbidden"}', 'protocol'],
  ['<h1>401</h1>', 'protocol'],
])('401 with %s is %s: an `error` in the body comes from the service', async (text, kind) => {
  const read = async () =>
    readResponse({ status: 401, headers: {}, body: Buffer.from(text) }, z.unknown(), {
      what: 'balance',
      carriesContent: false,
      secrets: [],
      now: 0,
    });
  expect(await failureOf(read())).toMatchObject({ kind });
});

test('503 is busy when it says how long to wait', () => {
  expect(
    classifyError({
      ...BY_SERVICE,
      status: 503,
      byService: false,
      code: undefined,
      message: undefined,
      retryAfterMs: 2_000,
    }),
  ).toBe('busy');
});

test('where a code is given, the message beside it decides about credits only', () => {
  const response = { ...BY_SERVICE, status: 400 };
  expect(classifyError({ ...response, code: 'bad_graph', message: 'Invalid key in record' })).toBe('refused');
  const moderated = {
    code: 'content_moderated',
    message: 'The prompt "the balance of credits" is not allowed.',
  };
  expect(classifyError({ ...response, ...moderated })).toBe('refused');
  expect(classifyError({ ...response, code: 'error', message: 'Not enough credits' })).toBe(
    'insufficient-balance',
  );
});

test.each([
  'Invalid prompt: "a monkey in a tree"',
  'Invalid prompt: a monkey in a tree',
  'Invalid prompt: too many tokens (max 77)',
  'Missing required key: width',
  'Missing key: width',
  "Unknown key 'sampler' in the graph",
  'Invalid token at position 12 of the graph',
  'The prompt "your API key is invalid" is not allowed',
  'The prompt has forbidden words',
  'The word "account" is blocked',
  'The keywords are blocked',
  'Your user name has a blocked word',
  'unknown_keyword',
  'blocked_keywords',
  'user_prompt_blocked',
  'invalidTokens',
])('a refusal that says %j says nothing of the key that paid', (words) => {
  const response = { ...BY_SERVICE, status: 400, code: undefined };
  expect(classifyError({ ...response, message: words })).toBe('refused');
});

test('a model that is not found is no key, whatever its name', () => {
  const response = { ...BY_SERVICE, status: 400, code: undefined };
  expect(classifyError({ ...response, message: 'turkey sandwich: model not found' })).toBe('not-found');
});

test.each([
  'Invalid API key',
  'invalid key',
  'Unknown key',
  'Invalid key.',
  'Error: Invalid token',
  'Missing or invalid key',
  'Missing required API key',
  'Missing X-API-Key header',
  'API key is missing',
  'Your api_key was revoked',
  'No access: the access token has expired',
  'The login token is unknown',
  'Token has been revoked',
  'Your key is invalid. Get another one.',
  'Key not found',
  'API key has been disabled',
  'The provided API key has been banned',
  'API key not valid. Please pass a valid API key.',
  'Incorrect API key provided',
  'Your key is no longer active',
  'Your account has been suspended',
  'Account temporarily blocked',
  'This organization has been disabled.',
  'User not found',
  'Missing Authorization header',
  'Authorization failed',
  'Error 403: Forbidden',
  'Permission denied',
  'Authentication required',
  'Access forbidden',
  'invalid_key',
  'invalid_token',
  'missing_api_key',
  'INVALID-API-KEY',
  'InvalidApiKey',
  'apiKeyMissing',
  'apikeyinvalid',
  'token_expired',
  'key_not_found',
  'key_disabled',
  'API_KEY_INACTIVE',
  'blocked_api_key',
  'account_deactivated',
  'userSuspended',
  'authorization_failed',
  'ForbiddenError',
  'auth/invalid-user-token',
])('where a service says %j, the key is the reason', (words) => {
  const response = { ...BY_SERVICE, status: 400 };
  expect(classifyError({ ...response, code: undefined, message: words })).toBe('unauthorized');
  expect(classifyError({ ...response, code: words, message: 'It cannot be done' })).toBe('unauthorized');
});
