/**
 * Milliseconds that a `Retry-After` header asks to wait: whole or broken seconds, or an HTTP date, which is compared
 * with `now`. Undefined where the header is absent or makes no sense.
 */
export function readRetryAfter(header: string | string[] | undefined, now: number): number | undefined {
  const value = (Array.isArray(header) ? header[0] : header)?.trim();
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Math.min(Math.ceil(Number(value) * 1_000), Number.MAX_SAFE_INTEGER);
  const moment = Date.parse(value);
  return Number.isNaN(moment) || /^[+-]/.test(value) ? undefined : Math.max(0, moment - now);
}
