import type { Caller } from '../../src/jobs/job-request.ts';

/** Credits as people write them, in the caller's language. */
export const written = (credits: number, { member }: Caller): string =>
  credits.toLocaleString(member.locale, { maximumFractionDigits: 3 });
