/**
 * The contract: every operation that there is, imported as `OPERATIONS`. `dryRun`, `cancel`, `list`, `capabilities`,
 * `usage`, `upload` and what is about webhooks are ours; the interface has no such operations. `wait`, `reference`
 * and what a submission says of pictures are additions to its own.
 */
export { balance } from './balance.ts';
export { capabilities } from './capabilities.ts';
export { dryRun } from './dry-run.ts';
export { generateKey, getKey, getKeyByGet, revokeKey } from './keys.ts';
export { submit } from './submission.ts';
export { cancel, list, resendWebhook, status } from './task.ts';
export { upload } from './upload.ts';
export { usage } from './usage.ts';
export { getWebhookSecret, rotateWebhookSecret, testWebhook } from './webhook.ts';
