import type { Clock } from '@darkroom/time';
import { z } from 'zod';
import { DrawingError } from '../engine.ts';
import { withheld } from './withheld.ts';

/**
 * What an answer tells that is no picture yet: where the next one is, or why there will be none. `withheld`: because of
 * what was asked for, after the provider has taken it on.
 */
export type Ending = { laterAt: string } | { refused: string } | { withheld: string };

/** Milliseconds between two looks. */
const POLL_MS = 1_000;

/**
 * Follows a drawing to its end where a package does not: it takes the first answer for the last, or does not know a
 * refusal. Rejects with a `DrawingError` for one, a `WithheldError` where it is paid for.
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
      if ('withheld' in ending) throw withheld(`${title} refused this: ${ending.withheld}`);
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

/** https://replicate.com/docs/topics/predictions/create-a-prediction; vercel/ai#11284: it takes any answer for the last. */
const prediction = z.object({
  status: z.string(),
  error: z.string().nullish(),
  urls: z.object({ get: z.string() }).optional(),
});

/** Words of the models at Replicate: `NSFW content detected`, `flagged as sensitive (E005)`, of a safety checker. */
const OF_CONTENT = /nsfw|sensitive|safety|moderat/i;

/** Of Replicate. */
export function endOfPrediction(answer: unknown): Ending | undefined {
  const { status = '', error, urls } = prediction.safeParse(answer).data ?? {};
  if (/^(starting|processing)$/.test(status) && urls) return { laterAt: urls.get };
  if (!/^(failed|canceled|aborted)$/.test(status)) return undefined;
  return error && OF_CONTENT.test(error) ? { withheld: error } : { refused: error || status };
}

/** https://api.bfl.ai/openapi.json: `Request Moderated` and `Content Moderated`, after which nothing more comes. */
const moderated = z.object({ status: z.string().regex(/Moderated$/) });

/** Of Black Forest Labs. */
export function endByModeration(answer: unknown): Ending | undefined {
  const { status } = moderated.safeParse(answer).data ?? {};
  return status === undefined ? undefined : { withheld: status };
}
