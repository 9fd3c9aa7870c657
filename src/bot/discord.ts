import {
  Client,
  type ClientOptions,
  DefaultRestOptions,
  type IIdentifyThrottler,
  Options,
  REST,
  type RESTOptions,
} from 'discord.js';
import { transferMs } from '../delivery/transfer-time.ts';
import type { Shard } from '../jobs/shard.ts';
import { createRequestPace } from './request-pace.ts';
import { connectShard } from './shard-connection.ts';

/**
 * For one request, beside the time that its form takes on a slow line: more than whoever ends it by a signal allows.
 * The library repeats nothing (`retries: 0`): only the caller knows whether it may.
 */
const REST_TIMEOUT_MS = 30_000;

/** Of the library, which does not know how much is sent: it comes after ours. */
const LIBRARY_TIMEOUT_MS = 2 * REST_TIMEOUT_MS + transferMs(Number.POSITIVE_INFINITY);

/**
 * Sends forms as bytes. @discordjs/rest 2.6 sends by the undici that was loaded first in the process; any but its own
 * takes a `FormData` of Node for a stream, and no picture would leave.
 */
const makeRequest: RESTOptions['makeRequest'] = async (url, init) => {
  if (!(init.body instanceof FormData)) return inTime(url, init, 0);
  const form = new Response(init.body);
  const body = new Uint8Array(await form.arrayBuffer());
  const headers = { ...init.headers, 'content-type': form.headers.get('content-type') ?? '' };
  return inTime(url, { ...init, headers, body }, body.byteLength);
};

/**
 * Sends so many bytes in their time. Not `AbortSignal.any` with `AbortSignal.timeout`: on Node 20 nothing keeps the
 * pair, and it never aborted.
 */
const inTime = async (...[url, init, bytes]: [...Parameters<RESTOptions['makeRequest']>, bytes: number]) => {
  const controller = new AbortController();
  const end = () => controller.abort(new DOMException('Discord took too long', 'TimeoutError'));
  const timer = setTimeout(end, REST_TIMEOUT_MS + transferMs(bytes));
  // It may also end while its answer is read.
  init.signal?.addEventListener('abort', () => controller.abort(), { once: true });
  if (init.signal?.aborted) controller.abort();
  try {
    return await DefaultRestOptions.makeRequest(url, { ...init, signal: controller.signal });
  } finally {
    clearTimeout(timer);
  }
};

/** Nothing is sent to Discord any more. */
export class BotStopped extends Error {
  override readonly name = 'BotStopped';
}

/**
 * discord.js for one shard of a bot that only answers interactions: no intents, no waiting for guilds (interactions
 * are held back until the client is ready), nothing cached but the bot itself, nobody mentioned. A client for each
 * shard, as discord.js cannot add one to a client that runs.
 */
export function createShardClient({
  shard,
  rest,
  identifyThrottler,
}: {
  shard: Shard;
  /** Of the whole process: Discord's limits are the bot's. */
  rest: REST;
  identifyThrottler: IIdentifyThrottler;
}): Client {
  const onlyTheBot = {
    maxSize: 0,
    keepOverLimit: (entry: { id: string; client: Client }) => entry.id === entry.client.user?.id,
  };
  const options: ClientOptions = {
    intents: [],
    // Also because discord.js would take SHARDS and SHARD_COUNT of the environment for its own.
    shards: [shard.id],
    shardCount: shard.count,
    waitGuildTimeout: 0,
    allowedMentions: { parse: [] },
    makeCache: Options.cacheWithLimits({
      MessageManager: 0,
      UserManager: onlyTheBot,
      GuildMemberManager: onlyTheBot,
      GuildEmojiManager: 0,
      GuildStickerManager: 0,
      ThreadManager: 0,
      PresenceManager: 0,
      VoiceStateManager: 0,
      ReactionManager: 0,
    }),
    sweepers: {},
    ws: {
      buildIdentifyThrottler: () => Promise.resolve(identifyThrottler),
      buildStrategy: (manager) => connectShard(client, manager),
    },
    rest: { hashSweepInterval: 0, handlerSweepInterval: 0 },
  };
  const client: Client = new Client(options);
  client.rest = rest;
  return client;
}

/** A bot's requests in any second, of all its processes. Source: 'Rate Limits', global rate limit. */
const REQUESTS_PER_SECOND = 50;

/** What Discord is asked while somebody waits. Searches read messages, thousands of them after a start. */
const isQuestion = (url: string, method: string | undefined) =>
  (method === undefined || method === 'GET') && !url.includes('/messages');

/** Of what whoever sent it waits out a 429 by itself. */
const WAITED_OUT = ['/channels', '/users'];

/** The library keeps a queue for every interaction token until it sweeps: by itself once an hour. */
const SWEEP_MS = 60_000;

/** Discord's REST, of one process. */
export function createRests({
  apiUrl,
  token,
  onRequest,
  afterAnother,
}: {
  apiUrl: string;
  token: string;
  /** Hears the HTTP status of every answer, `none` where none came, and how many milliseconds that took. */
  onRequest: (status: number | 'none', ms: number) => void;
  /** As of `createRequestPace`. */
  afterAnother: boolean;
}) {
  let isClosed = false;
  let perSecond = REQUESTS_PER_SECOND;
  const send: RESTOptions['makeRequest'] = async (url, init) => {
    if (isClosed) throw new BotStopped('the bot has stopped');
    const startedAt = performance.now();
    let status: number | 'none' = 'none';
    try {
      const response = await makeRequest(url, init);
      ({ status } = response);
      return response;
    } finally {
      onRequest(status, performance.now() - startedAt);
    }
  };
  const common = {
    api: apiUrl,
    version: '10',
    timeout: LIBRARY_TIMEOUT_MS,
    retries: 0,
    handlerSweepInterval: SWEEP_MS,
  };
  const rest = new REST({
    ...common,
    // The library's own wait cannot be ended, and has no bound.
    rejectOnRateLimit: [...WAITED_OUT],
    // Paced here: the library counts otherwise, and lets nobody go first.
    globalRequestsPerSecond: Number.POSITIVE_INFINITY,
    async makeRequest(url, init) {
      // Discord does not count these among them.
      if (!/\/(interactions|webhooks)\//.test(url)) {
        await pace({
          signal: init.signal ?? undefined,
          isQuestion: isQuestion(url, init.method),
          isRefusable: WAITED_OUT.some((start) => url.includes(`${start}/`)),
        });
      }
      return send(url, init);
    },
  }).setToken(token);
  const pace = createRequestPace(() => perSecond, { afterAnother });
  outliveClients(rest);
  const webhooks = new REST({
    ...common,
    globalRequestsPerSecond: Number.POSITIVE_INFINITY,
    rejectOnRateLimit: () => true,
    makeRequest: send,
  });
  return {
    /** With the bot's token. */
    rest,
    /**
     * Without it, for interaction webhooks. Discord leaves them out of a bot's requests per second; its library does
     * not.
     */
    webhooks,
    /** How many processes there are: each takes its part of the bot's requests per second. */
    share(processes: number): void {
      perSecond = Math.max(1, Math.floor(REQUESTS_PER_SECOND / processes));
    },
    /** How much of the bot's requests per second is this process's, of 1. */
    part: (): number => perSecond / REQUESTS_PER_SECOND,
    /** From now on every request rejects with `BotStopped`, also of what is still under way. */
    close(): void {
      isClosed = true;
    },
  };
}

/**
 * A client that is destroyed takes its REST for its own. And a single 401, which Discord may answer in passing, makes
 * discord.js forget the token, so that nothing could be sent until the next start; a token that no longer holds ends
 * the connection to the gateway as well.
 */
function outliveClients(rest: REST): void {
  const setToken = rest.setToken.bind(rest);
  rest.setToken = (token: string | null) => (token === null ? rest : setToken(token));
  rest.clearHashSweeper = () => undefined;
  rest.clearHandlerSweeper = () => undefined;
}
