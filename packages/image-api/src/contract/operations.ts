import { balance } from './balance.ts';
import { capabilities } from './capabilities.ts';
import { dryRun } from './dry-run.ts';
import { generateKey, getKey, getKeyByGet, revokeKey } from './keys.ts';
import type { Operation } from './operation.ts';
import { submit } from './submission.ts';
import { cancel, list, status } from './task.ts';
import { usage } from './usage.ts';
import { getWebhookSecret, rotateWebhookSecret } from './webhook.ts';

/** The contract: every operation that there is. `dryRun`, `cancel`, `list`, `capabilities`, `usage` and what is about webhooks are ours; the interface has no such operations. */
export const OPERATIONS = {
  submit,
  dryRun,
  status,
  cancel,
  list,
  capabilities,
  balance,
  generateKey,
  getKey,
  getKeyByGet,
  revokeKey,
  usage,
  getWebhookSecret,
  rotateWebhookSecret,
} as const satisfies Record<string, Operation>;
