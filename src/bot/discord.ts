import { Client, type ClientOptions, DefaultRestOptions, Options, REST, type RESTOptions } from 'discord.js';

/** Uploads take their time; what is lost is not sent again by the library (`retries: 0`) but where it is known to be safe. */
const REST_TIMEOUT_MS = 30_000;

/**
 * Sends forms as bytes. @discordjs/rest 2.6 sends by the undici that was loaded first in the process; any but its own takes
 * a `FormData` of Node for a stream, and no picture would leave.
 */
const makeRequest: RESTOptions['makeRequest'] = async (url, init) => {
  if (!(init.body instanceof FormData)) return DefaultRestOptions.makeRequest(url, init);
  const form = new Response(init.body);
  return DefaultRestOptions.makeRequest(url, {
    ...init,
    headers: { ...init.headers, 'content-type': form.headers.get('content-type') ?? '' },
    body: new Uint8Array(await form.arrayBuffer()),
  });
};

/** Hears the HTTP status of every answer, and how many milliseconds it took. */
type OnResponse = (status: number, ms: number) => void;

const observedRequest =
  (onResponse: OnResponse): RESTOptions['makeRequest'] =>
  async (url, init) => {
    const startedAt = performance.now();
    const response = await makeRequest(url, init);
    onResponse(response.status, performance.now() - startedAt);
    return response;
  };

/**
 * discord.js for a bot that only answers interactions: no intents, no waiting for guilds (interactions are held back
 * until the client is ready), nothing cached but the bot itself, nobody mentioned.
 */
export function createDiscordClient({
  apiUrl,
  onResponse,
}: {
  apiUrl: string;
  onResponse: OnResponse;
}): Client {
  const onlyTheBot = {
    maxSize: 0,
    keepOverLimit: (entry: { id: string; client: Client }) => entry.id === entry.client.user?.id,
  };
  const options: ClientOptions = {
    intents: [],
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
    // Where a 429 may be waited out by whoever sent it. The library's own wait cannot be ended, and has no bound.
    rest: {
      api: apiUrl,
      timeout: REST_TIMEOUT_MS,
      retries: 0,
      rejectOnRateLimit: ['/channels', '/users'],
      makeRequest: observedRequest(onResponse),
    },
  };
  const client = new Client(options);
  keepToken(client.rest);
  return client;
}

/**
 * A single 401, which Discord may answer in passing, makes discord.js forget the token, and nothing could be sent until
 * the next start. A token that no longer holds ends the connection to the gateway as well.
 */
function keepToken(rest: REST): void {
  const setToken = rest.setToken.bind(rest);
  rest.setToken = (token: string | null) => (token === null ? rest : setToken(token));
}

/** For interaction webhooks, which Discord leaves out of a bot's 50 requests per second; @discordjs/rest would count them. */
export const createWebhookRest = ({ apiUrl, onResponse }: { apiUrl: string; onResponse: OnResponse }): REST =>
  new REST({
    api: apiUrl,
    version: '10',
    timeout: REST_TIMEOUT_MS,
    retries: 0,
    globalRequestsPerSecond: Number.POSITIVE_INFINITY,
    rejectOnRateLimit: () => true,
    makeRequest: observedRequest(onResponse),
  });
