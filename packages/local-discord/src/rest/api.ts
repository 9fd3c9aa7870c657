import type { IncomingMessage } from 'node:http';
import { RESTJSONErrorCodes as Code } from 'discord-api-types/v10';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, apiError, type Unsupported, UnsupportedError } from '../rules/errors.ts';
import { invalidFormBody } from '../rules/form-errors.ts';
import { bucketHeaders, rateLimited } from '../rules/rate-limits.ts';
import { applicationByToken } from '../state/applications.ts';
import { isSnowflake } from '../state/snowflakes.ts';
import { routeApplicationCommands } from './application-commands.ts';
import { routeBans } from './bans.ts';
import { createChannelWebhooks, routeChannelWebhooks } from './channel-webhooks.ts';
import { routeChannels } from './channels.ts';
import { loadDiscordPaths } from './discord-paths.ts';
import type { FaultKind } from './faults.ts';
import { readForm } from './form.ts';
import { routeGuildChannels } from './guild-channels.ts';
import { routeGuilds } from './guilds.ts';
import { routeInteractions } from './interactions.ts';
import { routeMembers } from './members.ts';
import { routeMessages } from './messages.ts';
import { routeReactions } from './reactions.ts';
import { maskTokens } from './requests.ts';
import { routeRoles } from './roles.ts';
import type { Services } from './routing.ts';
import { routeThreads } from './threads.ts';
import { routeUsers } from './users.ts';
import { routeWebhooks } from './webhooks.ts';

/** The REST API, version 10, under the prefix it is registered with. `onServed` is told every route. */
export async function registerApi(
  app: FastifyInstance,
  services: Services,
  onServed: (method: string, path: string) => void,
): Promise<void> {
  const { context, rateLimiter, requests, unsupported, faults } = services;
  const prefix = app.prefix;
  const discordPaths = await loadDiscordPaths();

  app.decorateRequest('applicationId', '');
  app.decorateRequest('record', undefined);
  app.decorateRequest('losesAnswer', false);
  app.decorateRequest('slowMs', 0);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async (_request: FastifyRequest, payload: IncomingMessage) =>
    readForm(payload, context.limits.request),
  );

  app.addHook('onRequest', async (request, reply) => {
    const path = maskTokens(pathOf(request));
    const { method } = request;
    const hasFiles = request.headers['content-type']?.startsWith('multipart/form-data') ?? false;
    const asked = { method, path, hasFiles };
    request.record = requests.add({ ...asked, status: null, code: null, at: context.clock.now() });
    const fault = faults.next(asked);
    if (fault !== undefined && (await injectFault(fault, request, reply))) return reply;
    if (!request.headers['user-agent']) throw apiError(Code.CloudflareIsBlockingYourRequest);
    if (request.is404) return;
    if (request.routeOptions.config.auth !== 'token') authenticate(request);
    checkIds(request);
    limit(request, reply);
  });
  // Once it has arrived whole, so that it is carried out also where nobody waits for it any more.
  app.addHook('preHandler', async ({ slowMs }) => {
    if (slowMs > 0) await context.clock.sleep(slowMs);
  });
  app.addHook('onSend', async (request, reply) => {
    // Some libraries compare the whole header, and Discord names no charset.
    if (String(reply.getHeader('content-type')).startsWith('application/json'))
      reply.header('content-type', 'application/json');
    if (request.losesAnswer) request.raw.socket.resetAndDestroy();
    else if (request.record) request.record.status = reply.statusCode;
  });

  /** Whether that is all that becomes of the request. */
  async function injectFault(
    fault: FaultKind,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<boolean> {
    if (fault === 'answer-lost') {
      request.losesAnswer = true;
      return false;
    }
    if (fault === 'hang' || fault === 'reset') {
      reply.hijack();
      if (fault === 'reset') request.raw.socket.resetAndDestroy();
      return true;
    }
    if ('slowMs' in fault) {
      request.slowMs = fault.slowMs;
      return false;
    }
    reply
      .code(fault.status)
      .headers(fault.headers ?? {})
      .send(fault.body);
    return true;
  }

  function authenticate(request: FastifyRequest): void {
    const token = /^Bot (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    const application = token && applicationByToken(context.state, token);
    if (!application) throw new ApiError(401, { message: '401: Unauthorized', code: 0 });
    request.applicationId = application.id;
    const taken = rateLimiter.take('global', application.id);
    if (taken && !taken.allowed) throw rateLimited(taken, 'global');
  }

  /** `/channels/x/messages/pins` is a route of its own, which only looks as if `pins` were an id. */
  function checkIds(request: FastifyRequest): void {
    for (const [name, value] of Object.entries(Object(request.params))) {
      const id = String(value);
      if (!/^id$|Id$/.test(name) || id === '@original' || isSnowflake(id)) continue;
      const route = discordPaths.routeOf(request.method, pathOf(request));
      if (route) throw new UnsupportedError({ method: request.method, route });
      throw invalidFormBody([snakeCase(name)], 'NUMBER_TYPE_COERCE', `Value "${id}" is not snowflake.`);
    }
  }

  function pathOf({ url }: FastifyRequest): string {
    return (url.split('?', 1)[0] ?? '').slice(prefix.length);
  }

  function limit(request: FastifyRequest, reply: FastifyReply): void {
    const { config, url = '' } = request.routeOptions;
    if (!config.bucket) return;
    const route = `${request.method} ${url.slice(prefix.length)}`;
    const { name, of: parameter, announces } = config.bucket;
    const of = String(Reflect.get(Object(request.params), parameter));
    const taken = rateLimiter.take(name, `${route} ${of}`);
    if (!taken) return;
    const promised = taken.allowed && announces ? { limit: announces, remaining: announces - 1 } : {};
    reply.headers(bucketHeaders({ ...taken, ...promised }, route));
    if (!taken.allowed) throw rateLimited(taken, 'user');
  }

  app.setNotFoundHandler((request) => {
    const path = pathOf(request);
    const route = discordPaths.routeOf(request.method, path);
    if (route) throw new UnsupportedError({ method: request.method, route });
    unsupported.record(request.method, maskTokens(path));
    if (discordPaths.has(path)) throw new ApiError(405, { message: '405: Method Not Allowed', code: 0 });
    throw new ApiError(404, { message: '404: Not Found', code: 0 });
  });
  app.setErrorHandler((error: unknown, request, reply) => {
    const answer = error instanceof ApiError ? error : unexpected(error);
    if (answer.status === 500)
      context.log.error({ err: error, path: request.record?.path }, 'a request failed');
    if (request.record) request.record.code = answer.body.code ?? null;
    if (answer instanceof UnsupportedError) recordUnsupported(request, answer.unsupported);
    reply.code(answer.status).headers(answer.headers).send(answer.body);
  });

  function recordUnsupported({ method, routeOptions }: FastifyRequest, what: Unsupported): void {
    const path =
      'route' in what ? what.route : `${documentedPath(routeOptions.url ?? '')} with ${what.feature}`;
    unsupported.record(method, path);
  }

  /** `/channels/:channelId` as Discord's documentation writes it: `/channels/{channel_id}`. */
  function documentedPath(url: string): string {
    return url.slice(prefix.length).replaceAll(/:(\w+)/g, (_, name: string) => `{${snakeCase(name)}}`);
  }

  app.addHook('onRoute', (route) => {
    const { url, method, handler } = route;
    for (const one of [method].flat()) if (one !== 'HEAD') onServed(String(one), documentedPath(url));
    // What has nothing to say answers 204, without a body or a content type: bots parse what claims to be JSON.
    route.handler = async function (request, reply) {
      return (await handler.call(this, request, reply)) ?? reply.code(204).send();
    };
  });
  routeUsers(app, services);
  routeGuilds(app, services);
  routeMembers(app, services);
  routeBans(app, services);
  routeRoles(app, services);
  routeGuildChannels(app, services);
  routeThreads(app, services);
  routeApplicationCommands(app, services);
  routeInteractions(app, services);
  const channelWebhooks = createChannelWebhooks(services);
  routeWebhooks(app, services, channelWebhooks);
  routeChannelWebhooks(app, services, channelWebhooks);
  routeChannels(app, services);
  routeMessages(app, services);
  routeReactions(app, services);
}

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** What Fastify refuses by itself is the caller's fault; the rest is ours. */
function unexpected(error: unknown): ApiError {
  const status: unknown = Reflect.get(Object(error), 'statusCode');
  return typeof status === 'number' && status >= 400 && status < 500
    ? new ApiError(status, { message: `${status}: Bad Request`, code: 0 })
    : new ApiError(500, { message: '500: Internal Server Error', code: 0 });
}
