import { createCipheriv, createDecipheriv, createHash, randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf, UserError } from './errors.ts';

const VERSION = 'v1';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Seals secrets at rest with AES-256-GCM. `context` (whose secret it is) is authenticated: a row moved elsewhere does not open. */
export interface Vault {
  seal(secret: string, context: string): string;
  /** Throws where the text was altered, belongs to another context, or was sealed with a key that is not here. */
  open(sealed: string, context: string): string;
  /** Sealed with a key other than the first: worth sealing anew. */
  isStale(sealed: string): boolean;
}

/** 64 hex characters each; the first seals, every one opens. */
export type VaultKeys = readonly [string, ...string[]];

export function createVault(keys: VaultKeys): Vault {
  const ring = new Map(
    keys.map((hex) => {
      const key = Buffer.from(hex, 'hex');
      return [createHash('sha256').update(key).digest('hex').slice(0, 8), key] as const;
    }),
  );
  const [sealing] = ring;
  if (!sealing) throw new Error('a vault needs a key');
  const [sealingId, sealingKey] = sealing;

  return {
    seal(secret, context) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealingKey, iv).setAAD(Buffer.from(context));
      const body = Buffer.concat([iv, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return [VERSION, sealingId, body.toString('base64url')].join('.');
    },

    open(sealed, context) {
      const [version, keyId, text] = sealed.split('.');
      const key = ring.get(keyId ?? '');
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

    isStale: (sealed) => sealed.split('.')[1] !== sealingId,
  };
}

/** With `keys`, or where there are none, with the one that `folder` keeps in `secret.key`. Rejects as `readOrMakeKeyFile`. */
export const openVault = async (keys: VaultKeys | undefined, folder: string): Promise<Vault> =>
  createVault(keys ?? [await readOrMakeKeyFile(join(folder, 'secret.key'))]);

/**
 * The key kept in `path`; made there (mode 0600) the first time. A lost file means that what it sealed is lost. Rejects
 * with a sentence for the operator.
 */
export async function readOrMakeKeyFile(path: string): Promise<string> {
  const key = await readKeyFile(path)
    .catch(async (error: unknown) => {
      if (!isError(error, 'ENOENT')) throw error;
      await makeKeyFile(path);
      return readKeyFile(path);
    })
    .catch((cause: unknown) => {
      throw new UserError(`The key file ${path} can be neither read nor made: ${messageOf(cause)}`, {
        cause,
      });
    });
  if (!/^[0-9a-f]{64}$/i.test(key)) {
    throw new UserError(
      `${path} does not hold 64 hex characters; restore it from a backup, or set SECRET_KEY`,
    );
  }
  return key;
}

const readKeyFile = async (path: string) => (await readFile(path, 'utf8')).trim();

/** Whole or not at all, also where the process or the disk gives up on the way. A file that is there stays. */
async function makeKeyFile(path: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(draft, `${randomBytes(32).toString('hex')}\n`, { flag: 'wx', mode: 0o600, flush: true });
    await link(draft, path).catch((error: unknown) => {
      if (!isError(error, 'EEXIST')) throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
}

const isError = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code;
