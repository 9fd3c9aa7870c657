import type { Dispatcher } from 'undici';
import { within } from '../deadline.ts';
import { onDeparture } from './departure.ts';
import { transportFailure } from './transport-failure.ts';

export interface Exchange<Result> {
  dispatcher: Dispatcher;
  /** Method, URL path; for messages. */
  what: string;
  timeoutMs: number;
  signal: AbortSignal | undefined;
  request: Dispatcher.RequestOptions;
  /** Must read the body to its end or destroy it. */
  read: (response: Dispatcher.ResponseData) => Promise<Result>;
}

/** One request and its answer within `timeoutMs`. Rejects with `ServiceError`, or with the reason of `signal`. */
export async function exchange<Result>(order: Exchange<Result>): Promise<Result> {
  let departed = false;
  const dispatcher = order.dispatcher.compose(
    onDeparture(() => {
      departed = true;
    }),
  );
  try {
    return await within(order.timeoutMs, order.signal, async (signal) =>
      order.read(await dispatcher.request({ ...order.request, signal })),
    );
  } catch (error) {
    order.signal?.throwIfAborted();
    throw transportFailure(error, order.what, departed);
  }
}
