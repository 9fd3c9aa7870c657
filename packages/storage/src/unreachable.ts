/**
 * The codes of errors of connections that nobody takes; https://nodejs.org/api/errors.html#common-system-errors, and of
 * DNS.
 */
export const UNREACHABLE: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
]);
