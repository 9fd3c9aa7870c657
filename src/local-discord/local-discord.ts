import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type FastifyInstance, fastify } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { createFiles } from './cdn/files.ts';
import { createLinks } from './cdn/links.ts';
import { routeCdn } from './cdn/routes.ts';
import type { Core } from './core.ts';
import { createGateway, GATEWAY_PATH, type Gateway } from './gateway/gateway.ts';
import { createHand } from './hand/create-hand.ts';
import type { Hand } from './hand/hand.ts';
import { createInteractions } from './interactions/interactions.ts';
import { registerApi } from './rest/api.ts';
import { createFaults, type Faults } from './rest/faults.ts';
import { createRequests, type Requests } from './rest/requests.ts';
import { ATTACHMENT_SIZE_LIMIT, REQUEST_SIZE_LIMIT } from './rules/attachments.ts';
import { createRateLimits, OBSERVED_LIMITS, type RateLimits } from './rules/rate-limits.ts';
import { createFeed } from './state/feed.ts';
import { createMessages } from './state/messages.ts';
import { plant } from './state/seed.ts';
import { createSnowflakes } from './state/snowflakes.ts';
import { emptyState } from './state/state.ts';
import { createStorage } from './state/storage.ts';
import type { World } from './world.ts';
import { createWorldControl, type WorldControl } from './world-control.ts';

export interface LocalDiscordOptions {
  clock: Clock;
  log: Log;
  world: World;
  /**
   * Where world, messages and files survive a restart; in memory only when absent. Of `world`, what is not there yet is
   * added; what is there stays as it was left.
   */
  stateFolder?: string;
  /** Bytes of one file where boosts do not raise it; 10 MiB when absent. */
  attachmentSizeLimit?: number;
  /** Bytes of one request; 25 MiB when absent. */
  requestSizeLimit?: number;
  /** Replaces some of Discord's limits, or switches all of them off. */
  rateLimits?: Partial<RateLimits> | 'off';
  /** Real milliseconds, whatever the clock; Discord's 41,250 when absent. */
  heartbeatIntervalMs?: number;
  /** Milliseconds of the clock for a first answer; Discord's 3,000 when absent. For clocks that are faster than a bot. */
  firstAnswerMs?: number;
}

export interface Address {
  host: string;
  port: number;
  /** What a bot takes as Discord's API, without a version: `http://127.0.0.1:4280/api`. */
  apiUrl: string;
  /** `http://127.0.0.1:4280`: what a bot takes as Discord's CDN, and where routes of `app` are served. */
  url: string;
}

export interface LocalDiscord {
  /** For more routes on the same port, before `listen`. `/api`, `/gateway` and the CDN's folders are taken. */
  readonly app: FastifyInstance;
  /** @throws what the socket says, e.g. `EADDRINUSE` */
  listen(address?: { host?: string; port?: number }): Promise<Address>;
  /** Ends every connection and writes down what is kept. */
  close(): Promise<void>;
  /** A person in front of this Discord. Throws for an unknown id. */
  as(userId: string): Hand;
  /** What a bot logs in with. Without an id: of the only, or first, application. */
  token(applicationId?: string): string;
  /** Changes to the world while it runs: kicks, rights, deleted channels, AutoMod. */
  readonly world: WorldControl;
  readonly gateway: Pick<
    Gateway,
    'sessions' | 'isConnected' | 'drop' | 'close' | 'askToReconnect' | 'invalidate' | 'acknowledgeHeartbeats'
  >;
  readonly faults: Pick<Faults, 'add' | 'clear'>;
  readonly requests: Pick<Requests, 'list' | 'clear'>;
}

/**
 * Discord on your own machine: REST API v10, gateway v10, CDN and its rules, for any bot.
 *
 * @example
 * const discord = createLocalDiscord({ clock: systemClock, log, world });
 * const { apiUrl, url } = await discord.listen({ port: 0 });
 * const client = new Client({ intents: [], rest: { api: apiUrl, cdn: url } });
 * await client.login(discord.token());
 * const answer = await discord.as(userId).invoke(channelId, 'ping');
 */
export function createLocalDiscord(options: LocalDiscordOptions): LocalDiscord {
  const { clock, log, world, stateFolder } = options;
  const state = emptyState();
  const feed = createFeed();
  const snowflakes = createSnowflakes({ clock });
  const storage = stateFolder ? createStorage({ folder: stateFolder, log }) : undefined;
  const secret = storage?.load(state, snowflakes) ?? randomBytes(16).toString('hex');
  plant(state, world, clock.now());
  storage?.start(state, feed, secret);

  let base = 'http://127.0.0.1';
  const core: Core = {
    clock,
    log,
    state,
    feed,
    snowflakes,
    files: createFiles({ folder: stateFolder && join(stateFolder, 'attachments') }),
    links: createLinks({ clock, secret, base: () => base }),
    limits: {
      attachment: options.attachmentSizeLimit ?? ATTACHMENT_SIZE_LIMIT,
      request: options.requestSizeLimit ?? REQUEST_SIZE_LIMIT,
    },
  };
  const app = fastify({ forceCloseConnections: true, routerOptions: { maxParamLength: 500 } });
  const gatewayUrl = () => `${base.replace(/^http/, 'ws')}${GATEWAY_PATH}`;
  const gateway = createGateway(core, {
    server: app.server,
    url: gatewayUrl,
    heartbeatIntervalMs: options.heartbeatIntervalMs ?? 41_250,
  });
  const messages = createMessages(core);
  const interactions = createInteractions(core, {
    deliver: gateway.deliver,
    firstAnswerMs: options.firstAnswerMs,
  });
  const rateLimits = createRateLimits({
    clock,
    limits: options.rateLimits === 'off' ? 'off' : { ...OBSERVED_LIMITS, ...options.rateLimits },
  });
  const requests = createRequests();
  const faults = createFaults();
  const parts = { core, messages, interactions, gateway, rateLimits, requests, faults, gatewayUrl };
  app.register((api) => registerApi(api, parts), { prefix: '/api/v10' });
  routeCdn(app, core);

  /** One for each person, so that an open modal and its watchers are the same wherever they are asked for. */
  const hands = new Map<string, Hand>();
  function handOf(userId: string): Hand {
    const hand = hands.get(userId) ?? createHand({ core, messages, interactions }, userId);
    hands.set(userId, hand);
    return hand;
  }

  return {
    app,
    async listen({ host = '127.0.0.1', port = 0 } = {}) {
      await app.listen({ host, port });
      // A server that listens on a port has an address of this kind.
      const bound = (app.server.address() as AddressInfo).port;
      base = `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
      return { host, port: bound, url: base, apiUrl: `${base}/api` };
    },
    async close() {
      gateway.stop();
      interactions.close();
      await app.close();
      await storage?.close();
    },
    as: handOf,
    token(applicationId = [...state.applications.keys()][0]) {
      const application = state.applications.get(applicationId ?? '');
      if (!application) throw new Error(`the local Discord has no application ${applicationId}`);
      return application.token;
    },
    world: createWorldControl(core, messages),
    gateway,
    faults,
    requests,
  };
}
