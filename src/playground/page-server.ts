import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Hand } from '../local-discord/hand/hand.ts';
import { Refusal } from '../local-discord/hand/refusal.ts';
import type { Log } from '../log.ts';
import { guardPage } from './loopback.ts';
import { perform } from './page-actions.ts';
import { follow, type Surroundings } from './page-events.ts';
import { action, LARGEST_ACTION_BYTES, type PageEvent, type RefusalBody, snowflake } from './wire.ts';

/** A line that means nothing, so that nobody between takes a quiet stream for a dead one. */
const HEARTBEAT_MS = 20_000;

const person = z.object({ personId: snowflake });
const channel = z.object({ personId: snowflake, channelId: snowflake });
const page = z.object({ before: snowflake.optional() });

export interface PageParts extends Surroundings {
  /** The person with this id; throws for anybody else. */
  as(personId: string): Hand;
  /** Folder of the built page. */
  folder: string;
  log: Log;
}

/** Puts the chat page on an app: its files, what its person sees, and what they do. Call before the app listens. */
export async function servePage(app: FastifyInstance, parts: PageParts): Promise<void> {
  await app.register(async (pages) => {
    guardPage(pages);
    await pages.register(fastifyStatic, {
      root: parts.folder,
      prefix: '/page/',
      cacheControl: false,
      setHeaders: (file) => void file.setHeader('cache-control', 'no-cache'),
    });
    pages.get('/', (_, reply) => reply.header('cache-control', 'no-cache').sendFile('index.html'));
    pages.setErrorHandler((error, _, reply) => explain(error, reply, parts.log));
    routes(pages, parts);
  });
}

function routes(app: FastifyInstance, parts: PageParts): void {
  const open = new Set<() => void>();

  app.get('/page/people', () => parts.people());

  app.get('/page/people/:personId/events', async (request, reply) => {
    const hand = parts.as(person.parse(request.params).personId);
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    const tell = (event: PageEvent) => void raw.write(`data: ${JSON.stringify(event)}\n\n`);
    const leave = await follow(hand, parts, tell);
    const heartbeat = setInterval(() => raw.write(':\n\n'), HEARTBEAT_MS);
    const end = () => {
      clearInterval(heartbeat);
      leave();
      raw.end();
      open.delete(end);
    };
    open.add(end);
    if (raw.closed) end();
    raw.once('close', end);
  });

  app.get('/page/people/:personId/channels/:channelId', (request) => {
    const { personId, channelId } = channel.parse(request.params);
    const { before } = page.parse(request.query);
    const hand = parts.as(personId);
    return {
      messages: hand.messages(channelId, before ? { before } : {}),
      commands: hand.commands(channelId),
    };
  });

  app.post('/page/people/:personId/actions', { bodyLimit: LARGEST_ACTION_BYTES }, async (request, reply) => {
    const hand = parts.as(person.parse(request.params).personId);
    const answer = await perform(hand, action.parse(request.body));
    return reply.type('application/json').send(JSON.stringify(answer));
  });

  app.addHook('preClose', async () => {
    for (const end of open) end();
  });
}

function explain(error: unknown, reply: FastifyReply, log: Log): FastifyReply {
  const refuse = (status: number, body: RefusalBody) => reply.code(status).send(body);
  if (error instanceof Refusal) {
    return refuse(422, { reason: error.reason, message: error.message, field: error.field ?? null });
  }
  if (error instanceof z.ZodError) {
    return refuse(400, { reason: 'invalid', message: z.prettifyError(error), field: null });
  }
  if (error instanceof Error && 'statusCode' in error && Number(error.statusCode) < 500) {
    return refuse(Number(error.statusCode), { reason: 'invalid', message: error.message, field: null });
  }
  log.error({ err: error }, 'the chat page was not served');
  return refuse(500, {
    reason: 'unknown',
    message: 'Something broke in the playground; its log says what.',
    field: null,
  });
}
