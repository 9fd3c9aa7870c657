import { hash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 24;

/** A new secret: its kind and 48 hexadecimal characters. */
export function makeSecret(kind: 'sk' | 'lt'): string {
  return `${kind}-${randomBytes(SECRET_BYTES).toString('hex')}`;
}

/** The part of a key that may be seen: enough to tell it from the account's others. */
export const tailOf = (key: string): string => key.slice(-4);

/** A key of which only the tail can be read. */
export const masked = (tail: string): string => `sk-…${tail}`;

/**
 * What a secret is looked up by. With 192 random bits in a secret, one fast hash is enough; and as only hashes are
 * compared, the time a look-up takes says nothing about the secret.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret.toLowerCase());
}
