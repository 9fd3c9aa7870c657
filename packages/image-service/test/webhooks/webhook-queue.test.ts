import { createVault } from '@darkroom/storage';
import { createFakeClock } from '@darkroom/time/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createAccounts } from '../../src/accounts/accounts.ts';
import { openDatabase } from '../../src/database/database.ts';
import { SERVICE_LIMITS } from '../../src/limits.ts';
import { createWebhookQueue, DUE, readWebhookStatus } from '../../src/webhooks/webhook-queue.ts';
import { lendTestStorage, testStorage } from '../support/storage.ts';

/** A webhook that one process has claimed, and another once the lease of the first was over. */
async function claimedTwice() {
  const db = await openDatabase((await testStorage(lendTestStorage)).databaseUrl);
  onTestFinished(() => db.destroy());
  const clock = createFakeClock();
  const { id: accountId } = await createAccounts({ db, clock }).add('ada');
  const webhook = { taskId: 'task', accountId, receiver: 'any', sealedUrl: '', attempts: 0, status: DUE };
  await db
    .insertInto('webhooks')
    .values({ ...webhook, dueAt: clock.now() })
    .execute();
  const vault = createVault(['5'.repeat(64)]);
  const queue = createWebhookQueue({ db, vault, clock, limits: SERVICE_LIMITS });
  async function claim() {
    const [claimed] = await queue.claim([webhook]);
    if (!claimed) throw new Error('it was not due');
    return claimed;
  }
  const first = await claim();
  await clock.advance(SERVICE_LIMITS.webhookLeaseMs);
  const second = await claim();
  const written = async () => {
    const columns = ['attempts', 'dueAt', 'status'] as const;
    const row = await db.selectFrom('webhooks').select(columns).executeTakeFirstOrThrow();
    return { ...row, state: readWebhookStatus(row.status).state };
  };
  return { queue, first, second, written };
}

test('whoever sent a webhook for longer than its lease changes nothing of what came of it since', async () => {
  const { queue, first, second, written } = await claimedTwice();
  await queue.release(first);
  expect(await written()).toMatchObject({ attempts: 2 });
  await queue.finish(second, { outcome: 'delivered', status: 200 });
  await queue.finish(first, { outcome: 'failed', status: 503 });
  await queue.release(first);
  expect(await written()).toMatchObject({ state: 'delivered', attempts: 2, dueAt: null });
});
