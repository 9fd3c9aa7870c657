import { createVault } from '@darkroom/storage';
import { systemClock } from '@darkroom/time';
import { expect, onTestFinished, test } from 'vitest';
import { createAccounts } from '../../src/accounts/accounts.ts';
import { openDatabase } from '../../src/database/database.ts';
import { SERVICE_LIMITS } from '../../src/limits.ts';
import { createWebhookQueue } from '../../src/webhooks/webhook-queue.ts';
import { queryPlans } from '../support/query-plans.ts';
import { testStorage } from '../support/storage.ts';

test('what is due is looked for receiver by receiver in an index, however much is due to one that hangs', async () => {
  const db = await openDatabase((await testStorage()).databaseUrl);
  onTestFinished(() => db.destroy());
  const vault = createVault(['5'.repeat(64)]);
  const { id: accountId } = await createAccounts({ db, clock: systemClock }).add('ada');
  const webhook = { taskId: 'task', accountId, receiver: 'answers', sealedUrl: '', attempts: 0, status: '' };
  await db
    .insertInto('webhooks')
    .values({ ...webhook, dueAt: 1 })
    .execute();
  const plans = await queryPlans(db, (db) =>
    createWebhookQueue({ db, vault, clock: systemClock, limits: SERVICE_LIMITS }).due({
      accounts: [accountId + 1],
      receivers: ['hangs'],
    }),
  );
  const reading = plans.filter((step) => /^(SCAN|SEARCH)/.test(step));
  expect(reading.filter((step) => step.startsWith('SCAN'))).toEqual(['SCAN receivers', 'SCAN receivers']);
  expect(reading).toContain('SEARCH webhooks USING INDEX webhooksByDue (dueAt<?)');
  expect(reading).toContain('SEARCH due USING INDEX webhooksByReceiver (receiver>?)');
});
