import { withTimeout } from '@darkroom/time';
import type { Dispatcher } from 'undici';
import { transportError } from './transport-error.ts';

/** The version in `package.json`; a test keeps the two equal. */
const VERSION = '0.1.0';

/** `darkroom/<version> (node/<version>)` */
export const USER_AGENT = `darkroom/${VERSION} (node/${process.versions.node})`;

export interface HttpRequest<Result> extends Dispatcher.RequestOptions {
  dispatcher: Dispatcher;
  /** Method, URL path; for messages. */
  what: string;
  timeoutMs: number;
  signal: AbortSignal | undefined;
  headers: Record<string, string>;
  /** Must read the body to its end or destroy it. */
  read: (response: Dispatcher.ResponseData) => Promise<Result>;
}

/** One request and its response within `timeoutMs`. Rejects with `ServiceError`, or with the reason of `signal`. */
export async function sendRequest<Result>({
  dispatcher,
  what,
  timeoutMs,
  signal,
  read,
  ...request
}: HttpRequest<Result>): Promise<Result> {
  let requestSent = false;
  const observed = dispatcher.compose(
    onRequestSent(() => {
      requestSent = true;
    }),
  );
  const headers = { 'user-agent': USER_AGENT, ...request.headers };
  try {
    return await withTimeout(
      timeoutMs,
      async (bounded) => read(await observed.request({ ...request, headers, signal: bounded })),
      { signal },
    );
  } catch (error) {
    signal?.throwIfAborted();
    throw transportError(error, what, requestSent);
  }
}

/**
 * An interceptor that says when a request is about to be written to a connection. A request that failed before that
 * moment never left this process, so even a submission may be sent again.
 */
const onRequestSent =
  (sent: () => void): Dispatcher.DispatcherComposeInterceptor =>
  (dispatch) =>
  (options, handler) =>
    dispatch(options, {
      onRequestStart(controller, context) {
        sent();
        handler.onRequestStart?.(controller, context);
      },
      onRequestUpgrade: (...event) => handler.onRequestUpgrade?.(...event),
      onResponseStart: (...event) => handler.onResponseStart?.(...event),
      onResponseData: (...event) => handler.onResponseData?.(...event),
      onResponseEnd: (...event) => handler.onResponseEnd?.(...event),
      onResponseError: (...event) => handler.onResponseError?.(...event),
    });
