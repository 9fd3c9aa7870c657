import type { OutgoingHttpHeaders } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Behaviour } from './exchange.ts';

interface Manner {
  status?: number;
  headers?: OutgoingHttpHeaders;
}

/** `data` in the envelope of a success. */
export const answer = (data: unknown, manner: Manner = {}) =>
  json({ success: true, data, error: null }, manner);

/** `error`, of whatever shape, in the envelope of a failure. */
export const refusal = (status: number, error: unknown, headers: OutgoingHttpHeaders = {}) =>
  json({ success: false, data: null, error }, { status, headers });

/** Any JSON value. */
export const json = (value: unknown, manner: Manner = {}) =>
  raw(JSON.stringify(value), 'application/json', manner);

/** The same, behind a byte order mark. */
export const withByteOrderMark = (data: unknown) =>
  raw(`\uFEFF${JSON.stringify({ success: true, data, error: null })}`, 'application/json');

/** The page that a web server shows in place of an application. */
export const html = (status: number, headers: OutgoingHttpHeaders = {}) =>
  raw('<!doctype html><html><body><h1>Something is wrong</h1></body></html>', 'text/html', {
    status,
    headers,
  });

export const bytes = (content: Uint8Array, type: string, manner: Manner = {}) => raw(content, type, manner);

export const redirect = (to: string, status = 302): Behaviour =>
  raw('', 'text/plain', { status, headers: { location: to } });

/** An answer that breaks off in the middle of its body, with the length of the whole in its header. */
export const halfBody =
  (
    content: string | Uint8Array = JSON.stringify({ success: true, data: { id: '7' }, error: null }),
    type = 'application/json',
  ): Behaviour =>
  ({ response }) => {
    const whole = Buffer.from(content);
    response.writeHead(200, { 'content-type': type, 'content-length': whole.length });
    response.write(whole.subarray(0, whole.length / 2), () => response.destroy());
  };

/** Each byte in a chunk of its own. `onSent` hears of every 200,000. */
export const oneByOne =
  (content: Uint8Array, type: string, onSent: () => void): Behaviour =>
  async ({ response }) => {
    response.writeHead(200, { 'content-type': type }).flushHeaders();
    const { socket } = response;
    for (let at = 0; at < content.length; at += 200_000) {
      const part = content.subarray(at, at + 200_000);
      const chunks = Buffer.from('1\r\n.\r\n'.repeat(part.length));
      for (const [nth, byte] of part.entries()) chunks[6 * nth + 3] = byte;
      await new Promise((resolve) => socket?.write(chunks, resolve));
      onSent();
    }
    response.end();
  };

/** The connection is torn down once the request has arrived. */
export const reset =
  (): Behaviour =>
  ({ response }) =>
    response.socket?.resetAndDestroy();

/** Never a word. */
export const hang = (): Behaviour => () => undefined;

/** A byte now and then, for ever: each within any limit of silence. */
export const drip =
  (everyMs = 20): Behaviour =>
  async ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    while (!response.destroyed) {
      response.write(' ');
      await delay(everyMs);
    }
  };

/** Something that is not HTTP. */
export const gibberish =
  (): Behaviour =>
  ({ response }) =>
    response.socket?.end('\u0000\u0001 this is not HTTP \r\n\r\n');

/** 429, with `Retry-After` where `retryAfter` is given: seconds, or a date. */
export const tooMany = (retryAfter?: number | string) =>
  refusal(429, 'Too many requests', retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) });

/** `count` times the same, for `script`. */
export const times = (count: number, behaviour: Behaviour) => Array.from({ length: count }, () => behaviour);

/** A task's status; `fields` beside or instead of those of a task at work. */
export const task =
  (fields: Readonly<Record<string, unknown>>): Behaviour =>
  (exchange) =>
    answer({
      id: exchange.request.query.get('task_id'),
      status: 'processing',
      created_at: null,
      result: null,
      progress: 50,
      ...fields,
    })(exchange);

/** A body as it is. */
export const raw =
  (body: string | Uint8Array, type: string, { status = 200, headers = {} }: Manner = {}): Behaviour =>
  ({ response }) =>
    response.writeHead(status, { 'content-type': type, ...headers }).end(body);
