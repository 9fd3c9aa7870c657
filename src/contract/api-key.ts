import { z } from 'zod';
import { looseNumber, looseText } from './reading.ts';

/** A key: `sk-` and 48 hexadecimal characters. */
export const apiKey = z.string().regex(/^sk-[0-9a-f]{48}$/i);

/** Body of `generate_api_key`: the login token. */
export interface GenerateKeyBody {
  token: string;
}

/**
 * Body of `get_api_key`, whose form the interface leaves open: the login token, or the key itself by header. With
 * `reveal: false` the answer is the key with only its last characters readable.
 */
export interface GetKeyBody {
  token?: string;
  reveal?: boolean;
}

/** Body of `revoke_api_key`, whose form the interface leaves open: one key, or `all` that are active. */
export interface RevokeKeyBody {
  token?: string;
  api_key?: string | undefined;
  all?: boolean;
}

/** `data` of `generate_api_key`. */
export const generatedKey = z.object({ api_key: apiKey });

/** A key with only its last four characters readable. */
const maskedKey = z.string().regex(/^sk-…[0-9a-f]{4}$/i);

/** `data` of `get_api_key`: the newest active key, masked where that was asked for, or null. */
export const currentKey = z.object({ api_key: z.union([apiKey, maskedKey]).nullable() });

/** `data` of `revoke_api_key`: how many keys ceased to be active. */
export const revokedKeys = z.object({ revoked: z.int() });

const keyFields = z.looseObject({ api_key: looseText, key: looseText });

/** A key as it is read: text, under `api_key` or `key`, in a list of which the first counts; masked, or absent. */
export const readKey = z.unknown().transform((data) => {
  const first: unknown = Array.isArray(data) ? data[0] : data;
  const { api_key, key } = keyFields.safeParse(first).data ?? { api_key: looseText.parse(first) };
  const shown = api_key ?? key;
  return shown !== undefined && /[*\u2022\u2026]|\.\.\./.test(shown) ? { masked: shown } : { apiKey: shown };
});
/** The key, or where the service shows only a part of it, that part as `masked`. */
export interface CurrentKey {
  apiKey?: string | undefined;
  masked?: string | undefined;
}

export const readRevoked = z
  .looseObject({ revoked: looseNumber })
  .nullish()
  .transform((data) => ({ revoked: data?.revoked }));
