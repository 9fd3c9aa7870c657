import type { Clock } from '@darkroom/time';
import { DrawingError } from '../engine.ts';

/** What an answer tells that is no picture yet: where the next one is, or why there will be none. */
export type Ending = { laterAt: string } | { refused: string };

/** Milliseconds between two looks. */
const POLL_MS = 1_000;

/**
 * Follows a drawing to its end where a package does not: it takes the first answer for the last, or does not know a
 * refusal. Rejects with a `DrawingError` for one.
 */
export function withEnding(
  fetch: typeof globalThis.fetch,
  endingOf: ((answer: unknown) => Ending | undefined) | undefined,
  { title, clock }: { title: string; clock: Clock },
): typeof globalThis.fetch {
  if (!endingOf) return fetch;
  return async (input, init) => {
    const url = input instanceof Request ? input.url : `${input}`;
    const signal = init?.signal ?? undefined;
    let response = await fetch(url, init);
    for (;;) {
      const ending = response.ok ? endingOf(await jsonOf(response)) : undefined;
      if (!ending) return response;
      if ('refused' in ending) throw new DrawingError(`${title} refused this: ${ending.refused}`);
      const next = new URL(ending.laterAt, url);
      // The key goes to nobody else.
      if (next.origin !== new URL(url).origin) return response;
      await clock.sleep(POLL_MS, signal);
      const { headers } = init ?? {};
      response = await fetch(next, { ...(headers && { headers }), ...(signal && { signal }) });
    }
  };
}

/** Undefined for a picture, and for whatever cannot be read. */
async function jsonOf(response: Response): Promise<unknown> {
  if (!response.headers.get('content-type')?.includes('json')) return undefined;
  return response
    .clone()
    .json()
    .catch(() => undefined);
}
