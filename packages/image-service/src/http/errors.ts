import { randomUUID } from 'node:crypto';
import { maxHeaderSize, ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { HEADERS, OPERATIONS, operationName } from '@darkroom/image-api/contract';
import { DatabaseUnavailable } from '@darkroom/storage';
import type { ConnectionError, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { ApiError } from '../api-error.ts';
import { missingCredentials } from './authentication.ts';
import { endConnection } from './connections.ts';
import { createDrain, type Drain } from './drain.ts';
import { hostProblem } from './host-header.ts';
import { routeNotFound } from './operation.ts';
import { validationError } from './validation-error.ts';

declare module 'fastify' {
  interface FastifyInstance {
    drain: Drain;
  }
}

const SUBMIT = operationName(OPERATIONS.submit);
/** For a database that does not answer at the moment. */
const RETRY_SECONDS = '5';

/** Answers every error in the one envelope: a code and a message, never a stack. */
export function answerErrors(app: FastifyInstance): void {
  app.decorate('drain', createDrain());
  app.decorateReply('errorCode', undefined);
  app.setErrorHandler((error: FastifyError, request, reply) => {
    // What nothing is behind is not worth being understood.
    const apiError = request.is404 ? routeNotFound(request) : explain(error, request);
    if (apiError.status >= 500 && (apiError.code === 'internal_error' || apiError.cause !== undefined))
      request.log.error({ requestId: request.id, err: error }, 'a request failed');
    return send(reply, apiError);
  });
  app.setNotFoundHandler((request, reply) => send(reply, routeNotFound(request)));
}

/** Answers a request without one proper `Host` header, whatever it asks for. Whether it did. */
export function answerBadHost(request: FastifyRequest, reply: FastifyReply): boolean {
  const problem = hostProblem(request.raw);
  if (problem !== undefined) send(reply, new ApiError('invalid_request', problem));
  return problem !== undefined;
}

export function addCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(commonHeaders(request.id));
}

/** A cache that several share knows only of `Authorization` that an answer is for one caller, not of `x-api-key`. */
const commonHeaders = (requestId: string) => ({
  [HEADERS.requestId]: requestId,
  [HEADERS.idempotencySupported]: 'true',
  'cache-control': 'no-store',
});

const refused = (apiError: ApiError, requestId: string) => ({
  success: false as const,
  data: null,
  error: {
    code: apiError.code,
    message: apiError.message,
    ...(apiError.details && { details: apiError.details }),
    request_id: requestId,
  },
});

function send(reply: FastifyReply, apiError: ApiError): FastifyReply {
  reply.server.drain(reply.request.raw);
  // Fastify asks for the connection to be closed where it could not read a body.
  reply.removeHeader('connection');
  reply.errorCode = apiError.code;
  // Clients that know HTTP's own authentication take a 401 without it for a broken answer.
  if (apiError.status === 401) reply.header('www-authenticate', 'Bearer');
  return reply.code(apiError.status).headers(apiError.headers).send(refused(apiError, reply.request.id));
}

function explain(error: FastifyError, request: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof DatabaseUnavailable) return databaseUnavailable(error, request);
  if (hasZodFastifySchemaValidationErrors(error)) {
    return validationError(error.validation, partOf(request, error.validationContext));
  }
  const status = error.statusCode ?? 500;
  if (status >= 400 && status < 500) return unreadable(error, request);
  return new ApiError(
    'internal_error',
    'Something went wrong in the service. Quote the request id to find it in the log.',
  );
}

/**
 * `Retry-After` promises that nothing has happened. That is so where the database was not reached at all, as far as a
 * request writes only once; a commit, though, may have worked and its answer been lost.
 */
function databaseUnavailable(
  { problem, untouched }: DatabaseUnavailable,
  { method, routeOptions }: FastifyRequest,
): ApiError {
  if (untouched && (method === 'GET' || routeOptions.config.operation === SUBMIT)) {
    return new ApiError(
      'database_unavailable',
      `The service's database ${problem}. Nothing was queued or charged; try again later.`,
      { headers: { 'retry-after': RETRY_SECONDS } },
    );
  }
  return new ApiError(
    'database_unavailable',
    'The service has lost its database, and it is not known whether your request was carried out. Check again in a few seconds.',
  );
}

/**
 * A request that is not understood. Whether its body holds a key is not known, so whoever sends none before it hears
 * of that first.
 */
function unreadable(error: FastifyError, { caller, routeOptions }: FastifyRequest): ApiError {
  const { authentication: auth } = routeOptions.config;
  if (auth && !caller) return missingCredentials(auth);
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ApiError(
        'unsupported_media_type',
        `Send the body as Content-Type: ${routeOptions.config.takesFile ? 'multipart/form-data' : 'application/json'}.`,
      );
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return new ApiError('invalid_request', 'The request cannot be understood: its body is not valid JSON.');
    default:
      return new ApiError('invalid_request', 'The request cannot be understood.');
  }
}

const partOf = (request: FastifyRequest, context: string | undefined): unknown => {
  if (context === 'querystring') return request.query;
  return context === 'headers' ? request.headers : request.body;
};

/** Answers an address that is not valid, for which Fastify makes no ordinary request. */
export function answerBadAddress(_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  addCommonHeaders(request, reply);
  send(reply, new ApiError('invalid_request', 'This is not a valid address.'));
}

/** The error for bytes that are no HTTP request. The codes are those of Node and of its parser. */
function errorOfBytes({ code }: ConnectionError): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError('headers_too_large', 'The address and headers of this request are too large.', {
        details: { max: maxHeaderSize },
      });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('request_timeout', 'This request did not arrive in time.');
    default:
      return new ApiError('invalid_request', 'This is not a valid HTTP request.');
  }
}

/**
 * Whether an answer is being sent on this connection: what were sent now would be part of that. There is no other way
 * to ask, and Node asks so itself where nobody handles such an error.
 */
function isAnswering(socket: Socket): boolean {
  const answer: unknown = Reflect.get(socket, '_httpMessage');
  return answer instanceof ServerResponse && answer.headersSent;
}

/** Answers bytes that are no HTTP request, for which there is only a socket, and closes the connection. */
export function answerBadHttp(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  if (isAnswering(socket)) return void socket.destroy();
  const requestId = randomUUID();
  const apiError = errorOfBytes(error);
  const body = JSON.stringify(refused(apiError, requestId));
  const headers = {
    ...commonHeaders(requestId),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const status = `${apiError.status} ${STATUS_CODES[apiError.status]}`;
  endConnection(socket, `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`);
}
