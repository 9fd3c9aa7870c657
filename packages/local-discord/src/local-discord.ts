import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Clock } from '@darkroom/time';
import { type FastifyInstance, fastify } from 'fastify';
import type { Logger } from 'pino';
import { createFiles } from './cdn/files.ts';
import { createLinks } from './cdn/links.ts';
import { routeCdn } from './cdn/routes.ts';
import type { Context } from './context.ts';
import { GATEWAY_EVENTS } from './gateway/dispatch.ts';
import { createGateway } from './gateway/gateway.ts';
import { createInteractions } from './interactions/interactions.ts';
import type { PageOptions } from './page-server/page-source.ts';
import { servePage } from './page-server/serve-page.ts';
import { registerApi } from './rest/api.ts';
import { createFaults } from './rest/faults.ts';
import { createRequests } from './rest/requests.ts';
import { createUnsupportedRequests } from './rest/unsupported.ts';
import { ATTACHMENT_SIZE_LIMIT, REQUEST_SIZE_LIMIT } from './rules/attachments.ts';
import { createRateLimiter, OBSERVED_LIMITS, type RateLimitSettings } from './rules/rate-limits.ts';
import { createEventBus } from './state/event-bus.ts';
import { createMessages } from './state/messages.ts';
import { populate } from './state/populate.ts';
import { createSnowflakes } from './state/snowflakes.ts';
import { emptyState, type State } from './state/state.ts';
import { createStorage } from './state/storage.ts';
import { watchUnfurled } from './state/unfurled.ts';
import { createUserClient, type UserClient } from './user-client/user-client.ts';
import type { World } from './world.ts';
import { createWorldControl } from './world-control.ts';

/** Source: 'Gateway', and session start limit in 'Get Gateway Bot'. */
const SESSION_STARTS = 1_000;

export interface LocalDiscordOptions {
  clock: Clock;
  log: Logger;
  world: World;
  /**
   * Where world, messages and files survive a restart; in memory only when absent. Of `world`, what is not there yet
   * is added; what is there stays as it was left.
   */
  stateFolder?: string;
  /** Bytes of one file; 10 MiB when absent. */
  attachmentSizeLimit?: number;
  /** Bytes of one request; 25 MiB when absent. */
  requestSizeLimit?: number;
  /** Replaces some of Discord's limits, or switches all of them off. */
  rateLimits?: Partial<RateLimitSettings> | 'off';
  /** Real milliseconds, whatever the clock; Discord's 41,250 when absent. */
  heartbeatIntervalMs?: number;
  /** How many shards a bot is told to use; 1 when absent. */
  recommendedShards?: number;
  /**
   * How many shards may identify within five seconds (`max_concurrency`): one of each bucket. When absent, 1 is
   * announced and nothing is refused, so that a test may start its bot again at once.
   */
  maxConcurrency?: number;
  /** How many sessions may begin within a day, as bots are told; Discord's 1,000 when absent. */
  sessionStarts?: number;
  /**
   * Milliseconds of the clock for a first answer; Discord's 3,000 when absent. For clocks that are faster than a bot.
   */
  initialResponseMs?: number;
  /** Serves the chat page at `url`; only on this machine, whatever the host of `listen`. */
  page?: boolean | PageOptions;
}

export interface Address {
  host: string;
  port: number;
  /** What a bot takes as Discord's API, without a version: `http://127.0.0.1:4280/api`. */
  apiUrl: string;
  /** `http://127.0.0.1:4280`: what a bot takes as Discord's CDN, and where routes of `app` are served. */
  url: string;
}

export interface Route {
  method: string;
  /** Without `/api/v10`. */
  path: string;
}

/** The local Discord before it listens, for `startDiscord`. */
export function createLocalDiscord(options: LocalDiscordOptions) {
  const { clock, log, world, stateFolder } = options;
  const state = emptyState(() => clock.now());
  const events = createEventBus();
  const snowflakes = createSnowflakes({ clock });
  const storage = stateFolder ? createStorage(state, { folder: stateFolder, log }) : undefined;
  const secret = storage?.load(snowflakes) ?? randomBytes(16).toString('hex');
  populate(state, world, clock.now());
  const stopSaving = storage?.save(events, secret);

  let base = 'http://127.0.0.1';
  const context: Context = {
    clock,
    log,
    state,
    events,
    snowflakes,
    files: createFiles({ folder: stateFolder && join(stateFolder, 'attachments') }),
    links: createLinks({ clock, secret, base: () => base }),
    limits: {
      attachment: options.attachmentSizeLimit ?? ATTACHMENT_SIZE_LIMIT,
      request: options.requestSizeLimit ?? REQUEST_SIZE_LIMIT,
    },
  };
  // Libraries write `@me` and `@original` either way; older ones say v9, and what they use of it is the same.
  const rewriteUrl = ({ url = '/' }: IncomingMessage) =>
    url.replace(/^[^?]*/, (path) => path.replaceAll('%40', '@')).replace(/^\/api\/v9(?=\/)/, '/api/v10');
  // Of a parameter that is given twice, the last one counts.
  const querystringParser = (text: string) => Object.fromEntries(new URLSearchParams(text));
  const routerOptions = { maxParamLength: 500, querystringParser };
  const app: FastifyInstance = fastify({ rewriteUrl, forceCloseConnections: true, routerOptions });
  const rateLimiter = createRateLimiter({
    clock,
    limits: options.rateLimits === 'off' ? 'off' : { ...OBSERVED_LIMITS, ...options.rateLimits },
  });
  const unsupported = createUnsupportedRequests({ log });
  const faults = createFaults();
  const gateway = createGateway(context, {
    server: app.server,
    url: (path) => `${base.replace(/^http/, 'ws')}${path}`,
    heartbeatIntervalMs: options.heartbeatIntervalMs ?? 41_250,
    recommendedShards: options.recommendedShards ?? 1,
    maxConcurrency: options.maxConcurrency,
    startsADay: options.sessionStarts ?? SESSION_STARTS,
    rateLimiter,
    unsupported,
    faults,
  });
  const messages = createMessages(context);
  const interactions = createInteractions(context, {
    deliver: gateway.deliver,
    initialResponseMs: options.initialResponseMs,
  });
  const requests = createRequests();
  const unfurled = watchUnfurled(state, events);
  const routes: Route[] = [];
  const services = {
    context,
    messages,
    interactions,
    gateway,
    rateLimiter,
    requests,
    faults,
    unsupported,
  };
  app.register((api) => registerApi(api, services, (method, path) => routes.push({ method, path })), {
    prefix: '/api/v10',
  });
  routeCdn(app, context);

  /** One for each person, so that an open modal and its watchers are the same wherever they are asked for. */
  const userClients = new Map<string, UserClient>();
  function userClientOf(idOrName: string): UserClient {
    const named = [...state.users.values()].find(({ username, bot }) => username === idOrName && !bot);
    const userId = state.users.has(idOrName) ? idOrName : (named?.id ?? idOrName);
    const userClient =
      userClients.get(userId) ?? createUserClient({ context, messages, interactions }, userId);
    userClients.set(userId, userClient);
    return userClient;
  }

  const { page = false } = options;
  if (page) {
    const services = { context, userClient: userClientOf, isOnline: gateway.isConnected };
    servePage(app, services, page === true ? {} : page);
  }

  return {
    /** For more routes on the same port, before `listen`. `/api`, `/gateway` and the CDN's folders are taken. */
    app,
    /** Everything that it holds now, as plain data: to look at, not to change. */
    state: state as Readonly<State>,
    /** What this Discord has for bots: every route of the REST API, and every event of the gateway. */
    served: {
      routes: () => routes.toSorted((a, b) => a.path.localeCompare(b.path)),
      events: () => Object.keys(GATEWAY_EVENTS).sort(),
    },
    /**
     * What bots asked for in vain. A route that Discord has and the local Discord does not was answered with 501, a
     * path that Discord does not have with 404, a method that Discord does not have for its path with 405.
     */
    unsupported: unsupported.list,
    /**
     * What Discord would have shown below messages of bots for the links and invitations in their text. Words that
     * people have typed should not get there.
     */
    unfurled,
    /** @throws what the socket says, e.g. `EADDRINUSE` */
    async listen({ host, port }: { host: string; port: number }): Promise<Address> {
      await app.listen({ host, port });
      // A server that listens on a port has an address of this kind.
      const bound = (app.server.address() as AddressInfo).port;
      base = `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
      return { host, port: bound, url: base, apiUrl: `${base}/api` };
    },
    /** Ends every connection and writes down what is kept. */
    async close(): Promise<void> {
      gateway.stop();
      interactions.close();
      await app.close();
      await stopSaving?.();
    },
    /** A person in front of this Discord, by id or username. Throws where there is none. */
    as: userClientOf,
    /** What a bot logs in with. Without an id: of the only, or first, application. */
    token(applicationId = [...state.applications.keys()][0]): string {
      const application = applicationId && state.applications.get(applicationId);
      if (!application) throw new Error(`the local Discord has no application ${applicationId}`);
      return application.token;
    },
    world: createWorldControl(context, messages),
    gateway,
    faults,
    requests,
  };
}
