import { hash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 24;

/** A new secret: its kind and 48 hexadecimal characters. */
export function makeSecret(kind: 'sk' | 'lt'): string {
  return `${kind}-${randomBytes(SECRET_BYTES).toString('hex')}`;
}

/** The last four characters, which may be shown: enough to tell the keys of an account apart. */
export const tailOf = (key: string): string => key.slice(-4);

/** A key of which only the tail can be read. */
export const masked = (tail: string): string => `sk-…${tail}`;

/**
 * The hash that a secret is looked up by. A fast hash is enough for 192 random bits; and as only hashes are compared,
 * the time of a look-up tells nothing about the secret.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret.toLowerCase());
}
