/**
 * Keys (`sk-` + 48 hex) and login tokens (`lt-` + 48 hex) wherever they are, and any value in a place for
 * credentials: a query parameter, a field of a body, a header, a password in an address.
 */
const CREDENTIALS: readonly [RegExp, string][] = [
  [/(sk|lt)-[0-9a-f]{44}([0-9a-f]{4})/gi, '$1-…$2'],
  [/([?&](?:api_key|token)=)[^&\s"\\]+/gi, '$1[secret]'],
  [/("(?:api_key|token|x-api-key|authorization)\\*"\s*:\s*\\*")[^"\\]+/gi, '$1[secret]'],
  [
    /((?:x-api-key|authorization)\\*['"]?\s*[:=](?!\s*\[?\\*['"]?\[secret\])\s*\[?\\*['"]?)(?:(?:bearer|basic|bot) +)?[^\s'",\\\]}]+/gi,
    '$1[secret]',
  ],
  [/(\w:\/\/[^\s:@/]*:)[^\s:@/]+(?=@)/g, '$1[secret]'],
];

/** `text` without the credentials in it; the last four characters of a key stay. */
export const redactCredentials = (text: string): string =>
  CREDENTIALS.reduce((redacted, [form, replacement]) => redacted.replace(form, replacement), text);

/**
 * Whether who reads this address has a key of the interface, or a password. Storage signs addresses that are meant to
 * be passed on with parameters of other names, such as `token` (Firebase, Supabase) and `Authorization` (Backblaze).
 */
export const holdsKey = (address: string): boolean =>
  /(?:^|[^a-z0-9]|%[0-9a-f]{2})(?:sk|lt)-[0-9a-f]{48}|[?&]api_key=|:\/\/[^\s:@/]*:[^\s:@/]+@/i.test(address);

/**
 * `text` from outside, made safe to show: one line of at most `max` characters, in one direction, without `secrets`
 * (the exact strings that were sent, whatever their form) and without anything that looks like a credential.
 */
export function redact(text: string, secrets: readonly string[], max: number): string {
  const bare = secrets.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text.slice(0, 10 * max));
  const line = redactCredentials(bare)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ')
    .trim();
  return line.length > max ? `${line.slice(0, max - 1).replace(/\p{Cs}$/u, '')}…` : line;
}
