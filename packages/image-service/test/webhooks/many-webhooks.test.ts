import { createVault } from '@darkroom/storage';
import { systemClock } from '@darkroom/time';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import { SERVICE_LIMITS } from '../../src/limits.ts';
import { createWebhookQueue } from '../../src/webhooks/webhook-queue.ts';
import { queryPlans } from '../support/query-plans.ts';
import { testStorage } from '../support/storage.ts';

test('what is due is looked for receiver by receiver in an index, however much is due to one that hangs', async () => {
  const db = await openDatabase((await testStorage()).databaseUrl);
  onTestFinished(() => db.destroy());
  const vault = createVault(['5'.repeat(64)]);
  const plans = await queryPlans(db, (db) =>
    createWebhookQueue({ db, vault, clock: systemClock, limits: SERVICE_LIMITS }).due({
      accounts: [1],
      receivers: ['hangs'],
    }),
  );
  const reading = plans.filter((step) => /^(SCAN|SEARCH)/.test(step));
  expect(reading.filter((step) => step.startsWith('SCAN'))).toEqual(['SCAN receivers', 'SCAN receivers']);
  expect(reading).toContain('SEARCH due USING INDEX webhooksByReceiver (receiver=? AND dueAt<?)');
});
