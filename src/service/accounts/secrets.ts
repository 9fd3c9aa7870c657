import { hash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 24;

/** A new secret: its kind and 48 hexadecimal characters. */
export function makeSecret(kind: 'sk' | 'lt'): string {
  return `${kind}-${randomBytes(SECRET_BYTES).toString('hex')}`;
}

/**
 * What a secret is looked up by. With 192 random bits in a secret, one fast hash is enough; and as only hashes are
 * compared, the time a look-up takes says nothing about the secret.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret.toLowerCase());
}
