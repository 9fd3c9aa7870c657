import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { collectBytes, holdsMoreValues } from '@darkroom/image-api/bytes';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../api-error.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the body, as it was sent. */
    bodyBytes: number;
  }
}

/** Bytes of a body unless its route takes larger ones, and of every body that is read to learn who sends it. */
export const SMALL_BODY = 65_536;
/** Values in a body: a graph of 200 nodes has some thousands. Reading as many takes less than 2 ms. */
const MAX_VALUES = 20_000;

/**
 * Bodies are JSON and nothing else. An empty one counts as none, because clients send `Content-Type:
 * application/json` also where there is nothing to send. `__proto__` is removed; `constructor` is a parameter like
 * any unknown one, because no body is merged into an object here.
 */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('remove', 'ignore');
  let turn: Promise<unknown> = Promise.resolve();
  app.decorateRequest('bodyBytes', 0);
  app.addHook('preParsing', (request, _reply, payload, done) => done(codingProblem(request), payload));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', (request, payload, done) => {
    receive(request, payload)
      .then(async (body) => {
        request.bodyBytes = body.length;
        if (body.length > SMALL_BODY) {
          // Between two large bodies everybody else has a turn.
          turn = turn.then(() => setImmediate());
          await turn;
        }
        if (holdsMoreValues(body, MAX_VALUES))
          throw new ApiError('invalid_request', `A body may hold at most ${MAX_VALUES} values.`);
        return textOf(body);
      })
      .then(
        (body) => (body.trim() === '' ? done(null, undefined) : parse(request, body, done)),
        (error: unknown) => done(error as Error),
      );
  });
}

/** Of a Content-Encoding. Whatever else stands there, often a charset, leaves the body as it is. */
const COMPRESSION = /\b(gzip|compress|deflate|br|zstd)\b/i;

/**
 * The error for a body that its sender has compressed. None is unpacked: few bytes would become as many as their sender
 * likes. https://www.rfc-editor.org/rfc/rfc9110#section-15.5.16
 */
function codingProblem({ method, headers, routeOptions }: FastifyRequest): ApiError | null {
  const { 'content-encoding': coding = '' } = headers;
  const takesBody = method === 'POST' && routeOptions.config.operation !== undefined;
  if (!takesBody || !COMPRESSION.test(coding)) return null;
  return new ApiError('unsupported_media_type', 'Send the body as it is, without a Content-Encoding.', {
    headers: { 'accept-encoding': 'identity' },
  });
}

/** Bytes that are no UTF-8 would be drawn as question marks. */
function textOf(body: Buffer): string {
  if (isUtf8(body)) return body.toString();
  throw new ApiError('invalid_request', 'The request cannot be understood: its body is not valid UTF-8.');
}

const TOO_LARGE_SUBMISSION =
  'The body of this request is too large. A picture that does not fit into it is uploaded, and named as upload:ID.';

export const bodyTooLarge = (max: number, message = 'The body of this request is too large.'): ApiError =>
  new ApiError('body_too_large', message, { details: { max } });

/** The whole body. What is beyond the limit is left unread, for `drain`. */
function receive(request: FastifyRequest, payload: NodeJS.ReadableStream): Promise<Buffer> {
  const limit = request.caller ? (request.routeOptions.bodyLimit ?? SMALL_BODY) : SMALL_BODY;
  return new Promise((resolve, reject) => {
    const body = collectBytes();
    const settle = (end: () => void) => {
      payload.off('data', onData).off('end', onEnd).off('error', onError);
      payload.pause();
      end();
    };
    const refuse = () =>
      settle(() =>
        reject(
          request.caller
            ? bodyTooLarge(limit, limit > SMALL_BODY ? TOO_LARGE_SUBMISSION : undefined)
            : bodyTooLarge(
                limit,
                'The body of this request is too large for one whose key is not in its headers: send it as x-api-key.',
              ),
        ),
      );
    const onData = (chunk: Buffer) => {
      if (body.length() + chunk.length > limit) refuse();
      else body.add(chunk);
    };
    const onEnd = () => settle(() => resolve(body.all()));
    // Whoever sent it has gone: a matter of the request, not of the service.
    const onError = (error: Error) => settle(() => reject(Object.assign(error, { statusCode: 400 })));
    if (Number(request.headers['content-length']) > limit) refuse();
    else payload.on('data', onData).on('end', onEnd).on('error', onError);
  });
}
