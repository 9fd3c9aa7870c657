import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { Core } from '../core.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Interactions } from '../interactions/interactions.ts';
import { ApiError } from '../rules/errors.ts';
import { bucketHeaders, type RateLimiter, type RateLimits, tooMany } from '../rules/rate-limits.ts';
import type { Messages } from '../state/messages.ts';
import { routeApplicationCommands } from './application-commands.ts';
import { routeChannels } from './channels.ts';
import type { FaultKind, Faults } from './faults.ts';
import { type Form, readForm } from './form.ts';
import { routeInteractions } from './interactions.ts';
import { routeMessages } from './messages.ts';
import { maskTokens, type RequestRecord, type Requests } from './requests.ts';
import { routeUsersAndGuilds } from './users-and-guilds.ts';
import { routeWebhooks } from './webhooks.ts';

/** What routes work with. */
export interface Parts {
  core: Core;
  messages: Messages;
  interactions: Interactions;
  gateway: Gateway;
  rateLimits: RateLimiter;
  requests: Requests;
  faults: Faults;
  gatewayUrl: () => string;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `token`: the path carries an interaction token instead of an Authorization header. Default `bot`. */
    auth?: 'bot' | 'token';
    /** The bucket of this route, and the path's parameter it is kept for. */
    bucket?: { name: keyof RateLimits; of: string };
  }
  interface FastifyRequest {
    /** The bot that calls; empty on routes that are opened by an interaction token. */
    applicationId: string;
    record: RequestRecord | undefined;
    losesAnswer: boolean;
  }
}

const METHODS: HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The REST API, version 10, under the prefix it is registered with. */
export async function registerApi(app: FastifyInstance, parts: Parts): Promise<void> {
  const { core, rateLimits, requests, faults } = parts;
  const prefix = app.prefix;

  app.decorateRequest('applicationId', '');
  app.decorateRequest('record', undefined);
  app.decorateRequest('losesAnswer', false);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async (_request: FastifyRequest, payload: IncomingMessage) =>
    readForm(payload, core.limits.request),
  );

  app.addHook('onRequest', async (request, reply) => {
    const path = maskTokens(request.url.slice(prefix.length).split('?', 1)[0] ?? '');
    const { method } = request;
    request.record = requests.add({ method, path, status: null, code: null, at: core.clock.now() });
    const fault = faults.next({ method, path });
    if (fault !== undefined) await commit(fault, request, reply);
    if (reply.sent || request.is404) return;
    if (request.routeOptions.config.auth !== 'token') authenticate(request);
    limit(request, reply);
  });
  app.addHook('onSend', async (request, reply) => {
    if (request.losesAnswer) request.raw.socket.resetAndDestroy();
    else if (request.record) request.record.status = reply.statusCode;
  });

  async function commit(fault: FaultKind, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (fault === 'hang') reply.hijack();
    else if (fault === 'reset') {
      reply.hijack();
      request.raw.socket.resetAndDestroy();
    } else if (fault === 'answer-lost') request.losesAnswer = true;
    else if ('slowMs' in fault) await core.clock.sleep(fault.slowMs);
    else {
      reply
        .code(fault.status)
        .headers(fault.headers ?? {})
        .send(fault.body);
    }
  }

  function authenticate(request: FastifyRequest): void {
    const token = /^Bot (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    const application = [...core.state.applications.values()].find((known) => known.token === token);
    if (!application) throw new ApiError(401, { message: '401: Unauthorized', code: 0 });
    request.applicationId = application.id;
    const taken = rateLimits.take('global', application.id);
    if (taken && !taken.allowed) throw tooMany(taken, 'global');
  }

  function limit(request: FastifyRequest, reply: FastifyReply): void {
    const { config, url = '' } = request.routeOptions;
    if (!config.bucket) return;
    const route = `${request.method} ${url}`;
    const of = String(Reflect.get(Object(request.params), config.bucket.of));
    const taken = rateLimits.take(config.bucket.name, `${route} ${of}`);
    if (!taken) return;
    reply.headers(bucketHeaders(taken, route));
    if (!taken.allowed) throw tooMany(taken, 'user');
  }

  app.setNotFoundHandler(() => {
    throw new ApiError(404, { message: '404: Not Found', code: 0 });
  });
  app.setErrorHandler((error: unknown, request, reply) => {
    const answer = error instanceof ApiError ? error : unexpected(error);
    if (answer.status === 500) core.log.error({ err: error, path: request.record?.path }, 'a request failed');
    if (request.record) request.record.code = answer.body.code ?? null;
    reply.code(answer.status).headers(answer.headers).send(answer.body);
  });

  const known = new Map<string, Set<HTTPMethods>>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = known.get(url) ?? new Set();
    for (const one of [method].flat()) methods.add(one as HTTPMethods);
    known.set(url, methods);
  });
  routeUsersAndGuilds(app, parts);
  routeApplicationCommands(app, parts);
  routeInteractions(app, parts);
  routeWebhooks(app, parts);
  routeChannels(app, parts);
  routeMessages(app, parts);
  for (const [url, methods] of [...known]) {
    app.route({
      method: METHODS.filter((method) => !methods.has(method)),
      url: url.slice(prefix.length),
      handler: () => {
        throw new ApiError(405, { message: '405: Method Not Allowed', code: 0 });
      },
    });
  }
}

/** What Fastify refuses by itself is the caller's fault; the rest is ours. */
function unexpected(error: unknown): ApiError {
  const status: unknown = Reflect.get(Object(error), 'statusCode');
  return typeof status === 'number' && status >= 400 && status < 500
    ? new ApiError(status, { message: `${status}: Bad Request`, code: 0 })
    : new ApiError(500, { message: '500: Internal Server Error', code: 0 });
}

export function formOf(request: FastifyRequest): Form {
  // The only content-type parser of this API gives a Form; requests without a body have none.
  return (request.body as Form | undefined) ?? { body: undefined, files: [] };
}

/** 204 has no body, and no content type: bots parse what claims to be JSON. */
export function noContent(reply: FastifyReply): FastifyReply {
  return reply.code(204).send();
}
