import { balance } from './balance.ts';
import { generateKey, getKey, getKeyByGet, revokeKey } from './keys.ts';
import type { Operation } from './operation.ts';
import { submit } from './submission.ts';
import { cancel, list, status } from './task.ts';

/** The contract: every operation that there is. `cancel` and `list` are ours; the interface has no such operations. */
export const OPERATIONS = {
  submit,
  status,
  cancel,
  list,
  balance,
  generateKey,
  getKey,
  getKeyByGet,
  revokeKey,
} as const satisfies Record<string, Operation>;
