import { filetypemime } from 'magic-bytes.js';

export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;
export type PictureType = (typeof PICTURE_TYPES)[number];

/** The type of a picture by its first bytes, whatever it calls itself; undefined for anything else. */
export function pictureTypeOf(bytes: Uint8Array): PictureType | undefined {
  const types = filetypemime(bytes.subarray(0, 64));
  return PICTURE_TYPES.find((type) => types.includes(type));
}
