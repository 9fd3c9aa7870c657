import { ServiceError } from '@darkroom/image-api';
import type { Semaphore } from '@darkroom/time';

/** How many bytes a picture is taken to have in memory before its size is known. */
export const USUAL_BYTES = 4 * 1024 ** 2;

/** What is in memory while work is done with it. `size`: its bytes, as far as they are known. */
export interface Sized {
  size: number;
}

/**
 * Does `work` once there is room in memory for all of `sized`. Where it fails because that turns out larger, it is
 * done anew once there is room for so much. Rejects as `work` does, or with the reason of `signal`.
 */
export async function inRoom<Result>(
  memory: Semaphore,
  sized: Readonly<Sized>,
  work: () => Promise<Result>,
  options: { signal?: AbortSignal } = {},
): Promise<Result> {
  for (;;) {
    const { size } = sized;
    try {
      return await memory.hold(size, work, options);
    } catch (error) {
      if (sized.size <= size) throw error;
    }
  }
}

/** Fetches a picture of at most `sized.size` bytes. Of a larger one that is noted, and it rejects. */
export async function fetchSized<Result>(
  sized: Sized,
  fetchPicture: (maxBytes: number) => Promise<Result>,
): Promise<Result> {
  try {
    return await fetchPicture(sized.size);
  } catch (error) {
    sized.size = bytesOfLarger(error) ?? sized.size;
    throw error;
  }
}

/** The bytes of a picture that was left because it has more than there was room for. */
export const bytesOfLarger = (error: unknown): number | undefined =>
  error instanceof ServiceError ? error.pictureBytes : undefined;
