import { expect, test } from 'vitest';
import type { z } from 'zod';
import { currentKey, generatedKey, readKey, readRevoked, revokedKeys } from '../../src/contract/api-key.ts';
import { balance, readBalance } from '../../src/contract/balance.ts';
import { envelope, readEnvelope, refusedEnvelope } from '../../src/contract/envelope.ts';
import { graphTaskQueued, readQueued, rr3TaskQueued, submission } from '../../src/contract/submission.ts';
import { readTask, taskStatus } from '../../src/contract/task.ts';
import { fixture } from '../support/fixture.ts';

const A_KEY = 'sk-0123456789abcdef0123456789abcdef0123456789abcdef';
const AN_ID = '0d2f3a52-6b0c-4f6e-9a3e-5f6f1f0a9c11';

test.each<[string, z.ZodType, z.ZodType, object]>([
  ['queued-graph', graphTaskQueued, readQueued, { taskId: AN_ID }],
  ['queued-rr3', rr3TaskQueued, readQueued, { taskId: '1763727517123' }],
  ['task-pending', taskStatus, readTask, { id: AN_ID, state: 'pending', progress: 0 }],
  [
    'task-processing',
    taskStatus,
    readTask,
    { id: AN_ID, state: 'processing', progress: 45, createdAt: undefined },
  ],
  [
    'task-completed',
    taskStatus,
    readTask,
    { id: AN_ID, state: 'completed', imageUrl: 'https://images.example.com/output/0d2f3a52.png' },
  ],
  ['task-failed', taskStatus, readTask, { state: 'failed', reason: 'Task processing failed or timed out' }],
  ['balance', balance, readBalance, { accountId: '7', username: 'ada', balance: 128.5, currency: 'credits' }],
  ['key-generated', generatedKey, readKey, { apiKey: A_KEY }],
  ['key-current', currentKey, readKey, { apiKey: A_KEY }],
  ['keys-revoked', revokedKeys, readRevoked, { revoked: 2 }],
])('the answer %s is what the interface writes and what the client reads', (name, wire, reader, expected) => {
  const answer = fixture(name);
  expect(envelope(wire).parse(answer)).toEqual(answer);
  const read = readEnvelope.parse(answer);
  expect(read.refused).toBe(false);
  expect(reader.parse(read.data)).toMatchObject(expected);
});

test.each(['default', 'anime', 'z-image', 'rr3', 'graph'])(
  'the submission %s passes as it stands',
  (workflow) => {
    const body = fixture(`submission-${workflow}`);
    expect(submission.parse(body)).toEqual(body);
  },
);

test('a refusal is written with a code and read as one', () => {
  const answer = fixture('refusal');
  expect(refusedEnvelope.parse(answer)).toEqual(answer);
  expect(readEnvelope.parse(answer)).toMatchObject({
    refused: true,
    problem: { code: 'parameter_out_of_range', message: 'width must be between 64 and 2048, not 4096' },
  });
});
