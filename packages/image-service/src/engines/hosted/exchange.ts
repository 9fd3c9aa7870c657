import { collectBytes } from '@darkroom/image-api/bytes';
import { type Clock, retry } from '@darkroom/time';
import { type Dispatcher, fetch } from 'undici';

/**
 * How far the request for a picture has come. Whoever was `sent` one, and whoever has `accepted` it, may charge for
 * it, whatever came after; whoever has `refused` it, or never got it, does not.
 */
type Standing = 'unsent' | 'sent' | 'refused' | 'accepted';

/** A provider's answer that it will not draw this, or not now. */
interface Refusal {
  status: number;
  retryAfter: string | undefined;
  /** When it was sent, by its own clock. */
  date: string | undefined;
  text: string;
}

export type Exchange = ReturnType<typeof createExchange>;

/** The largest answer that is read: the largest picture there can be, as base64. */
const MAX_BYTES = 60 * 1024 ** 2;
/** A picture that is paid for is asked for so often: that costs nothing. */
const ASK_AGAIN = { maxAttempts: 4, firstMs: 500, maxMs: 5_000 };
/** Statuses by which a proxy says that it has waited long enough for whoever draws. */
const GAVE_UP_WAITING = [504, 524];

/**
 * One drawing's requests to a provider: one that asks for the picture, and those that fetch it, which are repeated.
 */
export function createExchange({ dispatcher, clock }: { dispatcher: Dispatcher; clock: Clock }) {
  let standing: Standing = 'unsent';
  let refusal: Refusal | undefined;

  async function call(url: string, init: RequestInit, by: Dispatcher = dispatcher): Promise<Response> {
    const { method = 'GET', headers, body, redirect, signal } = init;
    const response = await fetch(url, {
      dispatcher: by,
      method,
      ...(await encoded(headers, body)),
      ...(redirect && { redirect }),
      ...(signal && { signal }),
    });
    const bytes = await bodyOf(response);
    const answered = new Headers([...response.headers]);
    for (const name of ['content-encoding', 'content-length']) answered.delete(name);
    return new Response(bytes.length > 0 ? bytes : null, { status: response.status, headers: answered });
  }

  /** What fails before a request is about to be written to a connection never left this process. */
  const asking = dispatcher.compose((dispatch) => (options, handler) => {
    const start = handler.onRequestStart?.bind(handler);
    handler.onRequestStart = (...started) => {
      standing = 'sent';
      start?.(...started);
    };
    return dispatch(options, handler);
  });

  async function ask(url: string, init: RequestInit): Promise<Response> {
    const response = await call(url, init, asking);
    const { status, headers } = response;
    if (response.ok) standing = 'accepted';
    else if (!GAVE_UP_WAITING.includes(status)) {
      standing = 'refused';
      const [retryAfter, date] = ['retry-after', 'date'].map((name) => headers.get(name) ?? undefined);
      refusal = { status, retryAfter, date, text: await response.clone().text() };
    }
    return response;
  }

  return {
    /** What the SDK calls the provider with. */
    async fetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
      const url = input instanceof Request ? input.url : `${input}`;
      if (init.method === 'POST') return ask(url, init);
      const { signal } = init;
      return retry(
        async () => {
          const response = await call(url, init);
          if (response.status === 429 || response.status >= 500)
            throw new Error(`answered ${response.status}`);
          return response;
        },
        {
          policy: { ...ASK_AGAIN, isRetryable: (error) => !(error instanceof TooLarge) },
          clock,
          ...(signal && { signal }),
        },
      );
    },
    standing: (): Standing => standing,
    refusal: () => refusal,
  };
}

/** A body as bytes: pictures are sent as a form, which Node's own fetch and this one do not take from each other. */
async function encoded(headers: RequestInit['headers'], body: RequestInit['body']) {
  const given = Object.fromEntries(new Headers(headers));
  if (typeof body === 'string' || !body) return { headers: given, body: body || null };
  const response = new Response(body);
  const type = response.headers.get('content-type') ?? 'application/octet-stream';
  return { headers: { ...given, 'content-type': type }, body: new Uint8Array(await response.arrayBuffer()) };
}

/** It would be as large again. */
class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/** Rejects for one that is cut, or larger than any picture. */
async function bodyOf({ body }: { body: AsyncIterable<Uint8Array> | null }): Promise<Buffer<ArrayBuffer>> {
  const bytes = collectBytes();
  for await (const chunk of body ?? []) {
    if (bytes.length() + chunk.length > MAX_BYTES)
      throw new TooLarge(`the answer has more than ${MAX_BYTES} bytes`);
    bytes.add(chunk);
  }
  return bytes.all();
}
