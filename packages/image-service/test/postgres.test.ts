import { describe } from 'vitest';
import { usePostgres } from './support/storage.ts';

const url = process.env.TEST_POSTGRES_URL;

describe.skipIf(url === undefined)('on PostgreSQL (TEST_POSTGRES_URL)', async () => {
  if (url === undefined) return;
  usePostgres(url);
  await import('./allowances.test.ts');
  await import('./balance.test.ts');
  await import('./cancel.test.ts');
  await import('./credentials.test.ts');
  await import('./database/migrate.test.ts');
  await import('./files/outage.test.ts');
  await import('./files/places.test.ts');
  await import('./files/proof.test.ts');
  await import('./progress.test.ts');
  await import('./idempotency.test.ts');
  await import('./keys.test.ts');
  await import('./killed.test.ts');
  await import('./ledger.test.ts');
  await import('./limits.test.ts');
  await import('./openapi.property.test.ts');
  await import('./openapi.test.ts');
  await import('./operator/account-deletion.test.ts');
  await import('./operator/command-line.test.ts');
  await import('./operator/grants.test.ts');
  await import('./operator/keys.test.ts');
  await import('./operator/ledger.test.ts');
  await import('./operator/tasks.test.ts');
  await import('./refusals.test.ts');
  await import('./restart.test.ts');
  await import('./retention.test.ts');
  await import('./status.test.ts');
  await import('./submission.test.ts');
  await import('./task-list.test.ts');
  await import('./usage.test.ts');
  await import('./webhooks/webhooks.test.ts');
});
