import { accounts } from './0001-accounts.ts';
import { ledger } from './0002-ledger.ts';
import { tasks } from './0003-tasks.ts';
import { keyHolders } from './0004-key-holders.ts';
import { claims } from './0005-claims.ts';
import { charges } from './0006-charges.ts';
import { tokenTimes } from './0007-token-times.ts';
import { submissionRates } from './0008-submission-rates.ts';
import { usage } from './0009-usage.ts';
import { webhooks } from './0010-webhooks.ts';
import { allowances } from './0011-allowances.ts';
import { installation } from './0012-installation.ts';
import { deadlines } from './0013-deadlines.ts';
import { notDrawn } from './0014-not-drawn.ts';
import { vaultProof } from './0015-vault-proof.ts';
import { remembered } from './0016-remembered.ts';
import { webhookReceivers } from './0017-webhook-receivers.ts';
import { tasksByState } from './0018-tasks-by-state.ts';
import { expenses } from './0019-expenses.ts';
import { references } from './0020-references.ts';
import { spendableGrants } from './0021-spendable-grants.ts';
import { uploads } from './0022-uploads.ts';
import { places } from './0023-places.ts';
import { lanes } from './0024-lanes.ts';
import { repeatedKeys } from './0025-repeated-keys.ts';
import { endsAndDeadlines } from './0026-ends-and-deadlines.ts';
import { longIds } from './0027-long-ids.ts';
import { webhooksByReceiver } from './0028-webhooks-by-receiver.ts';
import type { Migration } from './migration.ts';

/** All migrations, in the order in which they are made. */
export const MIGRATIONS: readonly Migration[] = [
  accounts,
  ledger,
  tasks,
  keyHolders,
  claims,
  charges,
  tokenTimes,
  submissionRates,
  usage,
  webhooks,
  allowances,
  installation,
  deadlines,
  notDrawn,
  vaultProof,
  remembered,
  webhookReceivers,
  tasksByState,
  expenses,
  references,
  spendableGrants,
  uploads,
  places,
  lanes,
  repeatedKeys,
  endsAndDeadlines,
  longIds,
  webhooksByReceiver,
];
