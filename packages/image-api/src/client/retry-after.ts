/**
 * Milliseconds that a `Retry-After` header asks to wait: whole or broken seconds, or an HTTP date, which is compared
 * with the answer's own `Date`, or with `now` where it has none: clocks differ. Undefined where the header is absent or
 * makes no sense.
 */
export function readRetryAfter(
  header: string | string[] | undefined,
  now: number,
  date = '',
): number | undefined {
  const value = (Array.isArray(header) ? header[0] : header)?.trim();
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Math.min(Math.ceil(Number(value) * 1_000), Number.MAX_SAFE_INTEGER);
  const moment = Date.parse(value);
  const sentAt = Date.parse(date);
  if (Number.isNaN(moment) || /^[+-]/.test(value)) return undefined;
  return Math.max(0, moment - (Number.isNaN(sentAt) ? now : sentAt));
}
