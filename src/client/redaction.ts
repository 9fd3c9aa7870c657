import { scrub } from '../log.ts';

/**
 * `text` from outside, fit to be shown: on one line, at most `max` characters, free of `secrets` (the very strings
 * that were sent, whatever their form) and of anything that looks like a secret.
 */
export function redact(text: string, secrets: readonly string[], max: number): string {
  const bare = secrets.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text.slice(0, 10 * max));
  const line = scrub(bare)
    .replaceAll(/[\p{Cc}\p{Cs}\s]+/gu, ' ')
    .trim();
  return line.length > max ? `${line.slice(0, max - 1).replace(/\p{Cs}$/u, '')}…` : line;
}
