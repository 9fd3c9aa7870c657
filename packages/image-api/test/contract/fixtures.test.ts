import { expect, test } from 'vitest';
import { apiError, envelope, readEnvelope } from '../../src/contract/envelope.ts';
import type { Operation } from '../../src/contract/operation.ts';
import * as OPERATIONS from '../../src/contract/operations.ts';
import { submission } from '../../src/contract/submission.ts';
import { fixture } from '../support/fixture.ts';

const A_KEY = 'sk-0123456789abcdef0123456789abcdef0123456789abcdef';
const AN_ID = '0d2f3a52-6b0c-4f6e-9a3e-5f6f1f0a9c11';

const { submit, status, balance, generateKey, getKey, revokeKey } = OPERATIONS;

test.each<[string, Operation, object]>([
  ['queued-graph', submit, { taskId: AN_ID }],
  ['queued-rr3', submit, { taskId: '1763727517123' }],
  ['task-pending', status, { id: AN_ID, state: 'pending', progress: 0 }],
  ['task-processing', status, { id: AN_ID, state: 'processing', progress: 45, createdAt: undefined }],
  [
    'task-completed',
    status,
    { id: AN_ID, state: 'completed', imageUrl: 'https://images.example.com/output/0d2f3a52.png' },
  ],
  ['task-failed', status, { state: 'failed', reason: 'Task processing failed or timed out' }],
  ['balance', balance, { accountId: '7', username: 'ada', balance: 128.5, currency: 'credits' }],
  ['key-generated', generateKey, { apiKey: A_KEY }],
  ['key-current', getKey, { apiKey: A_KEY }],
  ['keys-revoked', revokeKey, { revoked: 2 }],
])('the answer %s is what the contract sends and what it reads', (name, { answer }, expected) => {
  const json = fixture(name);
  expect(envelope(answer.sent).parse(json)).toEqual(json);
  const read = readEnvelope.parse(json);
  expect(read.failed).toBe(false);
  expect(answer.read.parse(read.data)).toMatchObject(expected);
});

test.each(['default', 'anime', 'z-image', 'rr3', 'graph'])(
  'the submission %s passes as it stands',
  (workflow) => {
    const body = fixture(`submission-${workflow}`);
    expect(submission.parse(body)).toEqual(body);
  },
);

test('an error is sent with a code and read with it', () => {
  const answer = fixture('error');
  expect(apiError.parse(answer)).toEqual(answer);
  expect(readEnvelope.parse(answer)).toMatchObject({
    failed: true,
    error: { code: 'parameter_out_of_range', message: 'width must be between 64 and 2048, not 4096' },
  });
});
