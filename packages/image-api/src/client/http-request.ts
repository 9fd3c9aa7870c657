import { setMaxListeners } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { collectBytes } from '../bytes/collect-bytes.ts';
import { transportError } from './transport-error.ts';

/** The version in `package.json`; a test keeps the two equal. */
export const VERSION = '0.1.0';

export const USER_AGENT = `darkroom/${VERSION} (node/${process.versions.node})`;

/** How much is read of an answer that nobody wants, so that its connection can be used again. */
export const IGNORED_BYTES = 16 * 1024;

interface HttpRequest extends Dispatcher.DispatchOptions {
  dispatcher: Dispatcher;
  /** Method, URL path; for messages. */
  what: string;
  /** From now to the end of the answer, the wait for a connection included. */
  timeoutMs: number;
  signal: AbortSignal | undefined;
  headers: Record<string, string>;
  /** How much of an answer with this status is read. */
  maxBytes: (status: number) => number;
}

export interface HttpResponse {
  status: number;
  headers: IncomingHttpHeaders;
  /** At most `maxBytes`. */
  body: Buffer;
  truncated: boolean;
}

/**
 * One request and its response. Rejects with `ServiceError`, or with the reason of `signal`.
 *
 * By undici's `dispatch`, which is most of what a poll costs: `request` makes a stream for every answer, and a signal
 * for the timeout costs as much as a whole poll. Bare, so that a request that waits for a connection ends in time,
 * too.
 */
export async function sendRequest({
  dispatcher,
  what,
  timeoutMs,
  signal,
  maxBytes,
  headers,
  ...request
}: HttpRequest): Promise<HttpResponse> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let over = false;
    const response: Omit<HttpResponse, 'body'> = { status: 0, headers: {}, truncated: false };
    const body = collectBytes();
    let roomLeft = 0;

    /** Ends it; a connection whose answer was not read to its end is given up. */
    function end(settle: () => void, { complete = false } = {}): void {
      if (over) return;
      over = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      settle();
      if (!complete) controller?.abort(new Error('given up'));
    }
    const respond = () => resolve({ ...response, body: body.all() });
    const fail = (cause: unknown) => end(() => reject(transportError(cause, what, controller !== undefined)));
    const onAbort = () => end(() => reject(signal?.reason));
    const timer = setTimeout(
      () => fail(new DOMException(`timed out after ${timeoutMs} ms`, 'TimeoutError')),
      timeoutMs,
    );
    if (signal) {
      // Hundreds of calls may wait on one signal, and that is no leak.
      setMaxListeners(0, signal);
      signal.addEventListener('abort', onAbort);
    }

    dispatcher.dispatch(
      { ...request, headers: { 'user-agent': USER_AGENT, ...headers } },
      {
        // About to be written to a connection: what failed before never left this process.
        onRequestStart(started) {
          if (over) started.abort(new Error('given up'));
          else controller = started;
        },
        onResponseStart(_, status, answered) {
          response.status = status;
          response.headers = answered;
          roomLeft = maxBytes(status);
          response.truncated = Number(answered['content-length']) > roomLeft;
          if (response.truncated) end(respond);
        },
        onResponseData(_, chunk) {
          body.add(chunk.subarray(0, roomLeft));
          response.truncated = chunk.length > roomLeft;
          roomLeft -= chunk.length;
          if (response.truncated) end(respond);
        },
        onResponseEnd: () => end(respond, { complete: true }),
        onResponseError: (_, error) => fail(error),
      },
    );
  });
}
