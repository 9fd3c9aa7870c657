import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Context } from '../context.ts';
import type { UserClient } from '../user-client/user-client.ts';
import { UserClientError } from '../user-client/user-client-error.ts';
import { runAction } from './actions.ts';
import { type PageSource, streamEvents } from './event-stream.ts';
import {
  action,
  MAX_ACTION_BYTES,
  MAX_FILE_BYTES,
  type PageEvent,
  type Panel,
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
const channelQuery = z.object({ before: snowflake.optional() });

/** The same in every language, or what it is in that of a user, e.g. `en-US`. */
type Localized<T> = T | ((locale: string) => T);

/** What the page shows beside the chat. Nothing is required: by default it shows the world as it is. */
export interface PageOptions {
  /** Title of the browser tab; 'Local Discord' unless given. */
  title?: string;
  /** Follows 'This is not Discord.' at the top of the page. */
  notice?: Localized<string>;
  /** Whom the visitor can be, first the one whom they start as; every user of the world unless given. */
  users?: readonly { id: string; about?: Localized<string> }[];
  /** Name of a command to try first; the first one of the channel unless given. */
  suggestedCommand?: string;
  /** Whole lines to try in an empty channel, e.g. `/ping text:hello`: a click puts one into the composer. */
  examples?: Localized<readonly string[]>;
  /** The panel beside the chat of this user, read again after messages; none unless given. */
  panel?(userId: string, locale: string): Promise<Panel | null>;
}

interface PageServices {
  context: Pick<Context, 'state' | 'log'>;
  /** The client of this user; throws for an unknown id. */
  userClient(userId: string): UserClient;
  isOnline(applicationId: string): boolean;
}

/** Adds the chat page to an app: its files, its event stream and its actions. */
export function servePage(app: FastifyInstance, services: PageServices, options: PageOptions): void {
  const { context, userClient } = services;
  const source = createSource(services, options);
  app.register(async (pages) => {
    requireSameOrigin(pages);
    await pages.register(fastifyStatic, {
      root: PAGE_FOLDER,
      prefix: '/page/',
      cacheControl: false,
      setHeaders: (file) => void file.setHeader('cache-control', 'no-cache'),
    });
    pages.get('/', (_, reply) => reply.header('cache-control', 'no-cache').sendFile('index.html'));
    pages.setErrorHandler((error, _, reply) => sendError(error, reply, context.log));
    addRoutes(pages, source, userClient);
  });
}

const localized = <T extends string | readonly string[]>(value: Localized<T>, locale: string): T =>
  typeof value === 'function' ? value(locale) : value;

function createSource({ context, isOnline }: PageServices, options: PageOptions): PageSource {
  const { users, applications } = context.state;
  const everybody = () => [...users.values()].filter(({ bot }) => !bot);
  return {
    title: options.title ?? 'Local Discord',
    suggestedCommand: options.suggestedCommand ?? null,
    notice: (locale) => (options.notice === undefined ? null : localized(options.notice, locale)),
    examples: (locale) => localized(options.examples ?? [], locale),
    users: (locale) =>
      (options.users ?? everybody()).flatMap(({ id, about }: { id: string; about?: Localized<string> }) => {
        const user = users.get(id);
        return user ? [{ id, name: user.displayName, about: localized(about ?? user.username, locale) }] : [];
      }),
    bots: () => [...applications.values()].map(({ id, name }) => ({ id, name, online: isOnline(id) })),
    panel: async (userId, locale) => (await options.panel?.(userId, locale)) ?? null,
  };
}

function addRoutes(
  app: FastifyInstance,
  source: PageSource,
  userClient: (userId: string) => UserClient,
): void {
  const openStreams = new Set<() => void>();

  app.get('/page/users', () => source.users('en-US'));

  app.get('/page/users/:userId/events', async (request, reply) => {
    const client = userClient(userParams.parse(request.params).userId);
    const { modal } = eventsQuery.parse(request.query);
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    const send = (event: PageEvent) => void raw.write(`data: ${JSON.stringify(event)}\n\n`);
    const stop = await streamEvents(client, source, send, modal);
    const heartbeat = setInterval(() => raw.write(':\n\n'), HEARTBEAT_MS);
    const end = () => {
      clearInterval(heartbeat);
      stop();
      raw.end();
      openStreams.delete(end);
    };
    openStreams.add(end);
    if (raw.closed) end();
    raw.once('close', end);
  });

  app.get('/page/users/:userId/channels/:channelId', (request) => {
    const { userId, channelId } = channelParams.parse(request.params);
    const { before } = channelQuery.parse(request.query);
    const client = userClient(userId);
    const messages = client.messages(channelId, { limit: MESSAGES_PER_PAGE + 1, ...(before && { before }) });
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
