import { rename } from 'node:fs/promises';
import { codeOf } from '@darkroom/process';
import { type RetryPolicy, retry, systemClock } from '@darkroom/time';

/** What Windows says of a file that somebody else has open, as a virus scanner has for moments. */
const IN_USE = ['EPERM', 'EACCES', 'EBUSY'];

const POLICY: RetryPolicy = {
  budgetMs: 1_000,
  firstMs: 20,
  maxMs: 200,
  isRetryable: (error) => process.platform === 'win32' && IN_USE.includes(`${codeOf(error)}`),
};

/** As Node's `rename`; on Windows it tries again for a second where the file is in use. */
export const renameFile = (from: string, to: string): Promise<void> =>
  retry(() => rename(from, to), { policy: POLICY, clock: systemClock });
