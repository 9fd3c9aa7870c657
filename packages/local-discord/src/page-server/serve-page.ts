import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Context } from '../context.ts';
import type { UserClient } from '../user-client/user-client.ts';
import { UserClientError } from '../user-client/user-client-error.ts';
import { runAction } from './actions.ts';
import { streamEvents } from './event-stream.ts';
import { createPageSource, type PageOptions, type PageSource } from './page-source.ts';
import {
  action,
  MAX_ACTION_BYTES,
  MAX_FILE_BYTES,
  type PageEvent,
  snowflake,
  type UserClientErrorBody,
} from './protocol.ts';
import { requireSameOrigin } from './same-origin.ts';

/** SSE comments at this interval keep proxies from closing an idle stream. */
const HEARTBEAT_MS = 20_000;

const MESSAGES_PER_PAGE = 50;

/** Where the page is built to, as seen from this file and from its compiled form. */
const PAGE_FOLDER = fileURLToPath(new URL('../../dist/page', import.meta.url));

const userParams = z.object({ userId: snowflake });
const channelParams = z.object({ userId: snowflake, channelId: snowflake });
const eventsQuery = z.object({ modal: snowflake.optional() });
const channelQuery = z.object({ before: snowflake.optional(), openedAt: z.coerce.number().default(0) });

interface PageServices {
  context: Pick<Context, 'state' | 'log'>;
  /** The client of this user; throws for an unknown id. */
  userClient(userId: string): UserClient;
  isOnline(applicationId: string): boolean;
}

/** Adds the chat page to an app: its files, its event stream and its actions. */
export function servePage(app: FastifyInstance, services: PageServices, options: PageOptions): void {
  const { context, userClient, isOnline } = services;
  const source = createPageSource(context.state, isOnline, options);
  app.register(async (pages) => {
    requireSameOrigin(pages);
    await pages.register(fastifyStatic, {
      root: PAGE_FOLDER,
      prefix: '/page/',
      cacheControl: false,
      setHeaders: (file) => void file.header('cache-control', 'no-cache'),
    });
    pages.get('/', (_, reply) => reply.header('cache-control', 'no-cache').sendFile('index.html'));
    pages.setErrorHandler((error, _, reply) => sendError(error, reply, context.log));
    addRoutes(pages, source, userClient);
  });
}

function addRoutes(
  app: FastifyInstance,
  source: PageSource,
  userClient: (userId: string) => UserClient,
): void {
  const openStreams = new Set<() => void>();

  app.get('/page/users', () => source.words('en-US').users);

  app.get('/page/users/:userId/events', (request, reply) => {
    const client = userClient(userParams.parse(request.params).userId);
    const { modal } = eventsQuery.parse(request.query);
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    const send = (event: PageEvent) => {
      if (!raw.writableEnded) raw.write(`data: ${JSON.stringify(event)}\n\n`);
    };
    const stop = streamEvents(client, source, send, modal);
    const heartbeat = setInterval(() => raw.write(':\n\n'), HEARTBEAT_MS);
    const end = () => {
      clearInterval(heartbeat);
      stop();
      raw.end();
      openStreams.delete(end);
    };
    openStreams.add(end);
    raw.once('close', end);
  });

  app.get('/page/users/:userId/channels/:channelId', (request) => {
    const { userId, channelId } = channelParams.parse(request.params);
    const { before, openedAt } = channelQuery.parse(request.query);
    const client = userClient(userId);
    const limit = MESSAGES_PER_PAGE + 1;
    const messages = client.messages(channelId, { limit, openedAt, ...(before && { before }) });
    return {
      messages: messages.slice(-MESSAGES_PER_PAGE),
      more: messages.length > MESSAGES_PER_PAGE,
      commands: client.commands(channelId),
    };
  });

  app.post('/page/users/:userId/actions', { bodyLimit: MAX_ACTION_BYTES }, async (request, reply) => {
    const client = userClient(userParams.parse(request.params).userId);
    const result = await runAction(client, action.parse(request.body));
    return reply.type('application/json').send(JSON.stringify(result));
  });

  app.addHook('preClose', async () => {
    for (const end of openStreams) end();
  });
}

function sendError(error: unknown, reply: FastifyReply, log: Logger): FastifyReply {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  const send = (code: number, body: Pick<UserClientErrorBody, 'message'> & Partial<UserClientErrorBody>) =>
    reply.code(code).send({ reason: 'invalid', refusal: null, field: null, ...body });
  if (error instanceof UserClientError) {
    const { reason, message, refusal, field = null } = error;
    return send(422, { reason, message, refusal, field });
  }
  if (status === 413)
    return sendError(new UserClientError('invalid', 'filesTooLarge', { limit: MAX_FILE_BYTES }), reply, log);
  if (error instanceof z.ZodError) return send(400, { message: z.prettifyError(error) });
  if (error instanceof Error && status < 500) return send(status, { message: error.message });
  log.error({ err: error }, 'a request of the chat page failed');
  return send(500, {
    reason: 'unknown',
    message: 'Something broke in the local Discord; its log says what.',
  });
}
