import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen, until } from '@darkroom/testing';
import { onTestFinished } from 'vitest';

export interface ReceivedWebhook {
  headers: IncomingHttpHeaders;
  body: string;
  path: string;
}

/** Answers with 200 unless told otherwise; `count` is the number of the request, from 1. */
type Answer = (response: ServerResponse, count: number) => void;

/** A receiver of webhooks on this machine; it closes with the test. */
export async function webhookReceiver(answer: Answer = (response) => void response.end()) {
  const received: ReceivedWebhook[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    received.push({ headers: request.headers, body, path: request.url ?? '' });
    answer(response, received.length);
  });
  const origin = `http://127.0.0.1:${await listen(server)}`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    origin,
    url: `${origin}/hooks?secret=only-mine`,
    received,
    /** The webhook number `count`, from 1. */
    next: (count = 1) => until(async () => received[count - 1], `webhook ${count}`),
  };
}
