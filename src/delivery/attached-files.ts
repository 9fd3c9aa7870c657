import { withTimeout } from '@darkroom/time';
import { type AttachedFile, FileGoneError } from '../jobs/input.ts';

/** Where Discord keeps files, beside the address of another Discord. */
const CDN_HOSTS: readonly string[] = ['cdn.discordapp.com', 'media.discordapp.net'];

/** These say that it may be there later. */
const mayComeBack = (status: number): boolean => status === 429 || status >= 500;

type FileAtDiscord = Pick<AttachedFile, 'name' | 'url' | 'size'> & {
  [Field in 'contentType' | 'width' | 'height']?: AttachedFile[Field] | null;
};

/** The file, without what Discord does not say of it. */
export const attachedFileOf = ({
  name,
  url,
  size,
  contentType,
  width,
  height,
}: FileAtDiscord): AttachedFile => ({
  name,
  url,
  size,
  ...(contentType != null && { contentType }),
  ...(width != null && { width }),
  ...(height != null && { height }),
});

/** For one attempt, in real milliseconds. */
const TIMEOUT_MS = 20_000;

/**
 * Fetches a file that Discord keeps, and nothing from anywhere else. Rejects with `FileGoneError` where there is none
 * any more, or another than was announced, with another error where there may be one later, and with the reason of
 * `signal`. `apiUrl`: Discord's REST address.
 */
export async function fetchAttachedFile(
  { url, size }: AttachedFile,
  signal: AbortSignal,
  apiUrl: string,
): Promise<Uint8Array> {
  // Its files may have another port than its interface.
  const { hostname } = new URL(url);
  if (hostname !== new URL(apiUrl).hostname && !CDN_HOSTS.includes(hostname))
    throw new FileGoneError('the file is not one that Discord keeps');
  const bytes = await withTimeout(TIMEOUT_MS, (within) => fetchBytes(url, size, within), { signal });
  if (bytes?.byteLength !== size) throw new FileGoneError('Discord has another file there');
  return bytes;
}

/** The bytes at an address of Discord's; undefined where there are more than `most`. */
export async function fetchBytes(
  url: string,
  most: number,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  const response = await fetch(url, { signal, redirect: 'error' });
  if (!response.ok || !response.body) {
    await response.body?.cancel();
    const message = `Discord answered ${response.status} for a file`;
    throw mayComeBack(response.status) ? new Error(message) : new FileGoneError(message);
  }
  // One piece of memory, filled as it comes: the file exists once.
  const bytes = new Uint8Array(most);
  let length = 0;
  for await (const part of response.body) {
    if (length + part.byteLength > most) return undefined;
    bytes.set(part, length);
    length += part.byteLength;
  }
  return bytes.subarray(0, length);
}
