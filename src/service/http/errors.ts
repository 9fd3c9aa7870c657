import { randomUUID } from 'node:crypto';
import { maxHeaderSize, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { HEADERS } from '../../contract/endpoints.ts';
import { DatabaseUnavailable } from '../database/postgres.ts';
import { Refusal } from '../refusal.ts';
import { refusalOf } from './issue.ts';
import { missing } from './operation.ts';

/** Gives every error of the app the one envelope: a code, a message, never a stack. */
export function explainErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = explain(error, request);
    if (refusal.code === 'internal_error' || refusal.cause !== undefined)
      request.log.error({ requestId: request.id, err: error }, 'a request failed');
    return send(reply, refusal);
  });
  app.setNotFoundHandler((request, reply) => send(reply, missing(app, request)));
}

/** What every answer carries. */
export function announce(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(announcement(request.id));
}

const announcement = (requestId: string) => ({
  [HEADERS.requestId]: requestId,
  [HEADERS.idempotencySupported]: 'true',
});

/** The envelope around a refusal. */
const refused = (refusal: Refusal, requestId: string) => ({
  success: false as const,
  data: null,
  error: {
    code: refusal.code,
    message: refusal.message,
    ...(refusal.details && { details: refusal.details }),
    request_id: requestId,
  },
});

const send = (reply: FastifyReply, refusal: Refusal) =>
  reply.code(refusal.status).headers(refusal.headers).send(refused(refusal, reply.request.id));

function explain(error: FastifyError, request: FastifyRequest): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof DatabaseUnavailable) {
    // Without Retry-After, which promises that nothing has happened: the answer to a commit may be what was lost.
    return new Refusal(
      'database_unavailable',
      'The service has lost its database, and it is not known whether your request was carried out. Check again in a few seconds.',
    );
  }
  if (hasZodFastifySchemaValidationErrors(error)) {
    return refusalOf(error.validation, partOf(request, error.validationContext));
  }
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Refusal('body_too_large', 'The body of this request is too large.', {
        details: { max: request.routeOptions.bodyLimit },
      });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Refusal('unsupported_media_type', 'Send the body as Content-Type: application/json.');
    default:
      break;
  }
  const status = error.statusCode ?? 500;
  if (status >= 400 && status < 500) {
    return new Refusal('invalid_request', 'The request cannot be understood: its body is not valid JSON.');
  }
  return new Refusal(
    'internal_error',
    'Something went wrong in the service. Quote the request id to find it in the log.',
  );
}

const partOf = (request: FastifyRequest, context: string | undefined): unknown => {
  if (context === 'querystring') return request.query;
  return context === 'headers' ? request.headers : request.body;
};

/** For an address that is not valid, of which Fastify makes no ordinary request. */
export function explainBadAddress(_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  announce(request, reply);
  send(reply, new Refusal('invalid_request', 'This is not a valid address.'));
}

/** Bytes that make no request, so that there is only a socket. The codes are those of Node and of its parser. */
function refusalOfBytes({ code }: ConnectionError): Refusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Refusal('headers_too_large', 'The address and headers of this request are too large.', {
        details: { max: maxHeaderSize },
      });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Refusal('request_timeout', 'This request did not arrive in time.');
    default:
      return new Refusal('invalid_request', 'This is not a valid HTTP request.');
  }
}

/** Answers bytes that make no request, and closes their connection. */
export function explainBadHttp(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const requestId = randomUUID();
  const refusal = refusalOfBytes(error);
  const body = JSON.stringify(refused(refusal, requestId));
  const headers = {
    ...announcement(requestId),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('')}\r\n${body}`);
}
