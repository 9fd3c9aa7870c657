import { createFakeClock } from '@darkroom/time/testing';
import { Pool } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { createCaller } from '../../src/client/call.ts';
import * as OPERATIONS from '../../src/contract/operations.ts';
import { createHostileService } from '../support/hostile-service.ts';
import { A_KEY } from '../support/polite-service.ts';

test('a call is typed by its operation, and what the contract does not have does not compile', async () => {
  const service = await createHostileService();
  const pool = new Pool(service.baseUrl);
  onTestFinished(() => pool.destroy());
  const call = createCaller({
    pool,
    basePath: '',
    timeoutMs: 30_000,
    clock: createFakeClock(),
    random: () => 0.5,
    onIdempotencyHeader: () => {},
  });
  const apiKey = A_KEY;
  const { state } = await call(OPERATIONS.status, { apiKey, query: { task_id: '7' } });
  expect(state satisfies 'pending' | 'processing' | 'completed' | 'failed').toBe('pending');
  const { revoked } = await call(OPERATIONS.revokeKey, { apiKey, body: { all: true } });
  expect(revoked satisfies number | undefined).toBe(1);
  expect([
    // @ts-expect-error a status needs a task
    () => call(OPERATIONS.status, { apiKey }),
    // @ts-expect-error an id is text
    () => call(OPERATIONS.status, { apiKey, query: { task_id: 7 } }),
    // @ts-expect-error a status has no body
    () => call(OPERATIONS.status, { apiKey, query: { task_id: '7' }, body: {} }),
    // @ts-expect-error a submission has a body
    () => call(OPERATIONS.submit, { apiKey }),
  ]).toHaveLength(4);
});
