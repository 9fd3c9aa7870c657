import { ServiceError } from '@darkroom/image-api';
import type { Semaphore } from '@darkroom/time';

/** How many bytes a picture is taken to have in memory before its size is known. */
export const USUAL_BYTES = 4 * 1024 ** 2;

/**
 * Does `work` once there is room in memory for as many bytes as `taken` has. Where it fails and they are more by then,
 * it is done anew once there is room for so many. Rejects as `work` does, or with the reason of `signal`.
 */
export async function inRoom<Result>(
  memory: Semaphore,
  taken: { readonly size: number },
  work: () => Promise<Result>,
  options: { signal?: AbortSignal } = {},
): Promise<Result> {
  for (;;) {
    const { size } = taken;
    try {
      return await memory.hold(size, work, options);
    } catch (error) {
      if (taken.size <= size) throw error;
    }
  }
}

/** How many bytes a picture is taken to have, until fetching it shows that it has more. */
export function createByteEstimate(expected: number) {
  let known = expected;
  return {
    get size() {
      return known;
    },

    /** Fetches at most so many. Of a larger picture that is noted, and it rejects. */
    async fetch<Result>(fetchPicture: (maxBytes: number) => Promise<Result>): Promise<Result> {
      try {
        return await fetchPicture(known);
      } catch (error) {
        known = bytesOfLarger(error) ?? known;
        throw error;
      }
    },
  };
}

/** The bytes of a picture that was left because it has more than there was room for. */
export const bytesOfLarger = (error: unknown): number | undefined =>
  error instanceof ServiceError ? error.pictureBytes : undefined;
