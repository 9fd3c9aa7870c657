import { silentLog, WAIT_TIMEOUT_MS } from '@darkroom/testing';
import {
  Client,
  type ClientOptions,
  DiscordAPIError,
  Events,
  type Interaction,
  PermissionFlagsBits as P,
  REST,
  type RESTPostAPIApplicationCommandsJSONBody,
  Routes,
} from 'discord.js';
import type { APIMessage } from 'discord-api-types/v10';
import type { Address } from '../../src/local-discord.ts';
import { type LocalDiscord, type StartOptions, startDiscord } from '../../src/start.ts';
import type { InteractionResult } from '../../src/user-client/shapes.ts';
import type { UserClient } from '../../src/user-client/user-client.ts';
import type { World } from '../../src/world.ts';

/** Ids of the small world that tests share: a bot, three people, two servers. */
export const BOT = '300000000000000001';
export const MEMBER = '200000000000000001';
export const MODERATOR = '200000000000000002';
export const OUTSIDER = '200000000000000003';
export const GUILD = '400000000000000001';
export const OTHER_GUILD = '400000000000000002';
export const CHANNEL = '500000000000000001';
export const SECOND_CHANNEL = '500000000000000002';
export const STAFF_CHANNEL = '500000000000000003';
/** In a server without the bot. */
export const OTHER_CHANNEL = '500000000000000004';
/** Between member and outsider, without the bot. */
export const PRIVATE_CHANNEL = '500000000000000005';
export const STAFF_ROLE = '600000000000000001';
export const BOT_ROLE = '600000000000000002';

const BOT_PERMISSIONS =
  P.ViewChannel |
  P.SendMessages |
  P.AttachFiles |
  P.EmbedLinks |
  P.ReadMessageHistory |
  P.UseApplicationCommands;

export const smallWorld: World = {
  applications: [{ id: BOT, name: 'Testbot' }],
  users: [
    { id: MEMBER, username: 'member', displayName: 'Member', installed: [] },
    { id: MODERATOR, username: 'moderator', displayName: 'Moderator' },
    { id: OUTSIDER, username: 'outsider', displayName: 'Outsider' },
  ],
  guilds: [
    {
      id: GUILD,
      name: 'First',
      ownerId: OUTSIDER,
      roles: [
        { id: STAFF_ROLE, name: 'staff', permissions: P.ManageGuild | P.ManageMessages | P.ModerateMembers },
        { id: BOT_ROLE, name: 'bot', permissions: BOT_PERMISSIONS },
      ],
      channels: [
        { id: CHANNEL, name: 'general' },
        { id: SECOND_CHANNEL, name: 'second' },
        {
          id: STAFF_CHANNEL,
          name: 'staff',
          overwrites: [
            { id: GUILD, kind: 'role', deny: P.ViewChannel },
            { id: STAFF_ROLE, kind: 'role', allow: P.ViewChannel },
          ],
        },
      ],
      members: [
        { userId: MEMBER },
        { userId: MODERATOR, roles: [STAFF_ROLE] },
        { userId: BOT, roles: [BOT_ROLE] },
      ],
    },
    {
      id: OTHER_GUILD,
      name: 'Second',
      ownerId: OUTSIDER,
      channels: [{ id: OTHER_CHANNEL, name: 'elsewhere' }],
      members: [{ userId: MEMBER }],
    },
  ],
  privateChannels: [{ id: PRIVATE_CHANNEL, recipients: [MEMBER, OUTSIDER] }],
};

/** The small world, with one person who reads another language than English. */
export const worldWhere = (userId: string, locale: string): World => ({
  ...smallWorld,
  users: smallWorld.users.map((user) => (user.id === userId ? { ...user, locale } : user)),
});

/** The small world, with this many older servers that the bot is in as well. */
export const worldWithOlderGuilds = (count: number): World => ({
  ...smallWorld,
  guilds: [
    ...Array.from({ length: count }, (_, nth) => ({
      id: `${BigInt(GUILD) - BigInt(count - nth)}`,
      name: `Older ${nth}`,
      ownerId: OUTSIDER,
      channels: [],
      members: [{ userId: BOT }],
    })),
    ...(smallWorld.guilds ?? []),
  ],
});

export interface TestDiscord {
  discord: LocalDiscord;
  address: Address;
  /** A discord.js client, logged in; destroyed by `close`. */
  login(options?: Partial<ClientOptions>): Promise<Client<true>>;
  /** Registers global commands. */
  register(...commands: RESTPostAPIApplicationCommandsJSONBody[]): Promise<unknown>;
  /** A client as of `login`, whose interactions go to `handle`; what that throws is kept in `errors`. */
  serve(
    handle: (interaction: Interaction) => Promise<unknown>,
  ): Promise<{ client: Client<true>; errors: unknown[] }>;
  /** discord.js' REST with the bot's token and no limiter and retries of its own. */
  rest: REST;
  close(): Promise<void>;
}

/**
 * Starts a local Discord with the small world on a free port. Whose first answer is too late is told on a clock of
 * the test's own only.
 */
export async function startLocalDiscord(options: StartOptions = {}): Promise<TestDiscord> {
  const discord = await startDiscord({
    log: silentLog(),
    world: smallWorld,
    rateLimits: 'off',
    ...(options.clock === undefined && { initialResponseMs: WAIT_TIMEOUT_MS }),
    ...options,
  });
  const clients: Client[] = [];
  const rest = {
    api: discord.apiUrl,
    cdn: discord.url,
    globalRequestsPerSecond: Number.POSITIVE_INFINITY,
    timeout: WAIT_TIMEOUT_MS,
  };
  const api = new REST({ ...rest, retries: 0 }).setToken(discord.token());

  const testDiscord: TestDiscord = {
    discord,
    address: discord,
    rest: api,
    register: (...commands) => api.put(Routes.applicationCommands(BOT), { body: commands }),
    async serve(handle) {
      const errors: unknown[] = [];
      const client = await testDiscord.login();
      client.on(Events.InteractionCreate, (interaction) => {
        handle(interaction).catch((error) => errors.push(error));
      });
      return { client, errors };
    },
    async login(clientOptions = {}) {
      const client = new Client({ intents: [], waitGuildTimeout: 0, rest, ...clientOptions });
      clients.push(client);
      client.on(Events.Error, () => undefined);
      const ready = new Promise<Client<true>>((resolve) => client.once(Events.ClientReady, resolve));
      await client.login(discord.token());
      return ready;
    },
    async close() {
      await Promise.all(clients.map((client) => client.destroy()));
      await discord.close();
    },
  };
  return testDiscord;
}

/** The first message that this person sees and that is as wanted. */
export async function sees(user: UserClient, wanted: (message: APIMessage) => boolean): Promise<APIMessage> {
  try {
    return await user.waitForMessage(wanted, { signal: AbortSignal.timeout(WAIT_TIMEOUT_MS) });
  } catch (cause) {
    throw new Error(`timed out waiting for a message that is as wanted: ${wanted}`, { cause });
  }
}

/** What refuses a pick, beside its menu, which was sent anew and shows the pick no more. */
export async function refusalOfPick(user: UserClient, pick: Promise<InteractionResult>): Promise<APIMessage> {
  const answer = await pick;
  if (answer.kind !== 'update') throw new Error(`answered with ${JSON.stringify(answer)}`);
  const { interactionId, message: menu } = answer;
  return sees(
    user,
    ({ id, message_reference }) =>
      message_reference?.message_id === menu.id && BigInt(id) > BigInt(interactionId),
  );
}

/** Whether a message has other buttons than the one that cancels what is under way. */
export const hasEnded = ({ components = [] }: APIMessage): boolean =>
  components.length > 0 && !JSON.stringify(components).includes(':cancel:');

/** The message once it has the buttons of an outcome. */
export const seesOutcome = (user: UserClient, messageId: string): Promise<APIMessage> =>
  sees(user, (message) => message.id === messageId && hasEnded(message));

/** Status, code and errors with which the local Discord refuses; fails where it does not. */
export async function refusalOf(call: Promise<unknown>) {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof DiscordAPIError)) throw new Error('Discord did not refuse', { cause: error });
  const { errors } = error.rawError as { errors?: unknown };
  return { status: error.status, code: error.code, errors };
}
