import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readOrCreateKeyFile, refuseMissingKey, type Sealed } from './key-file.ts';

const VERSION = 'v1';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Keys of 64 hex characters each. The first one seals; each of them opens. */
export type VaultKeys = readonly [string, ...string[]];

export type Vault = ReturnType<typeof createVault>;

/**
 * Encrypts secrets at rest with AES-256-GCM. `context` says whose secret it is and is authenticated, so that a sealed
 * text copied into another row does not open.
 */
export function createVault(keys: VaultKeys) {
  const keyById = new Map(
    keys.map((hex) => {
      const key = Buffer.from(hex, 'hex');
      return [createHash('sha256').update(key).digest('hex').slice(0, 8), key] as const;
    }),
  );
  const [first] = keyById;
  if (!first) throw new Error('a vault needs a key');
  const [sealingId, sealingKey] = first;

  return {
    seal(secret: string, context: string): string {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealingKey, iv).setAAD(Buffer.from(context));
      const body = Buffer.concat([iv, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return [VERSION, sealingId, body.toString('base64url')].join('.');
    },

    /** Throws where the text was altered, belongs to another context, or was sealed with a key that is not here. */
    open(sealed: string, context: string): string {
      const [version, keyId, text] = sealed.split('.');
      const key = keyId && keyById.get(keyId);
      if (version !== VERSION || !key || !text) {
        throw new Error('a sealed secret cannot be opened: SECRET_KEY does not hold the key that sealed it');
      }
      const body = Buffer.from(text, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key, body.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(context))
        .setAuthTag(body.subarray(-TAG_BYTES));
      return decipher.update(body.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    },

    /** Whether it was sealed with a key other than the first, and should be sealed again. */
    isStale: (sealed: string): boolean => sealed.split('.')[1] !== sealingId,
  };
}

export const keyFileIn = (folder: string): string => join(folder, 'secret.key');

/**
 * A vault with `keys`; without, with the key that `folder` keeps, which is created the first time: not where `sealed`
 * is there already. Rejects as `readOrCreateKeyFile` and `refuseMissingKey` do.
 */
export async function openVault(
  keys: VaultKeys | undefined,
  folder: string,
  sealed?: Sealed,
): Promise<Vault> {
  if (keys !== undefined) return createVault(keys);
  const file = keyFileIn(folder);
  if (sealed !== undefined) refuseMissingKey(file, sealed);
  return createVault([await readOrCreateKeyFile(file)]);
}
