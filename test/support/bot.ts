import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createImageClient } from '@darkroom/image-api';
import { createVault } from '@darkroom/storage';
import {
  captureLog,
  contents,
  createDeferred,
  expectNoSecretPatterns,
  expectNoSecrets,
  until,
  WAIT_TIMEOUT_MS,
} from '@darkroom/testing';
import { createFastClock, type FastClock } from '@darkroom/time/testing';
import type { APIMessage } from 'discord-api-types/v10';
import type { UserClient } from 'local-discord';
import { expect, onTestFinished } from 'vitest';
import { commands as everyCommand } from '../../commands/index.ts';
import {
  createServiceWorld,
  type ServiceWorld,
  type ServiceWorldOptions,
} from '../../packages/image-service/test/support/service.ts';
import { isEphemeral } from '../../packages/local-discord/src/page/message-flags.ts';
import {
  CHANNEL,
  hasEnded,
  MEMBER,
  sees,
  startLocalDiscord,
  type TestDiscord,
} from '../../packages/local-discord/test/support/local-discord.ts';
import { messageOf } from '../../packages/local-discord/test/support/message-of.ts';
import { type Bot, createBot } from '../../src/app/bot.ts';
import type { Command } from '../../src/bot/command.ts';
import { payloadsOf } from '../../src/bot/registered-commands.ts';
import type { OperatorScope } from '../../src/credentials/credentials.ts';
import type { OperatorLimits } from '../../src/limits/limits.ts';
import { scrub } from '../../src/log.ts';
import { measureImages, measureStore } from '../../src/observability/measured-calls.ts';
import { openObservability } from '../../src/observability/open-observability.ts';
import { confirmed } from '../../src/playground/demo/confirmed.ts';
import { openStore } from '../../src/storage/store.ts';
import type { StoreUrl } from '../../src/storage/store-url.ts';
import { plain, plainly } from './commands.ts';

export interface BotWorldOptions {
  service?: ServiceWorldOptions;
  /** All there are unless given. */
  commands?: readonly Command[];
  /** Another image service, in place of ours. */
  imageUrl?: string;
  discord?: Parameters<typeof startLocalDiscord>[0];
  /** Shared by the bot and the local Discord; ten times as fast as the machine's unless given. */
  clock?: FastClock;
  /** How far the clock of the bot is ahead of that of the local Discord, in milliseconds; not at all unless given. */
  aheadMs?: number;
  /** Real milliseconds that one call to the image service may take, and a download; the client's own unless given. */
  timeoutMs?: number;
  /** A file in a folder of its own unless given. */
  storeUrl?: StoreUrl;
  /** The operator's key; that of the service's first account unless given. `null`: none. */
  operatorKey?: string | null;
  /** Where that one pays; in every server that the bot is in unless given. */
  operatorScope?: OperatorScope;
  /** What the operator allows everybody; anything unless given. */
  operatorLimits?: OperatorLimits;
  /** Whether the bot is seen from outside, as with HTTP_PORT; by `outside`. */
  observed?: boolean;
}

export type BotWorld = Awaited<ReturnType<typeof botWorld>>;

/**
 * The whole way: a local Discord, the real bot in it, and a real image service. Closes with the test that builds it.
 */
export async function botWorld(options: BotWorldOptions = {}) {
  const { clock = createFastClock(), aheadMs = 0, commands = everyCommand, timeoutMs } = options;
  const botClock = { ...clock, now: () => clock.now() + aheadMs };
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-bot-'));
  const service: ServiceWorld = await createServiceWorld(options.service);
  const discord: TestDiscord = await startLocalDiscord({
    clock,
    initialResponseMs: WAIT_TIMEOUT_MS * clock.factor,
    ...options.discord,
  });
  const { apiUrl } = discord.address;
  const token = discord.discord.token();
  const imageUrl = options.imageUrl ?? service.url;
  const operatorKey = options.operatorKey === undefined ? service.key : options.operatorKey;
  const { log, lines } = captureLog(scrub);
  const observability = options.observed ? openObservability({ host: '127.0.0.1', port: 0, log }) : undefined;
  let observedAt = '';
  let stopBot = async () => {};

  /** A bot with this file as its store, and how to stop it. */
  async function runBot(file: string): Promise<{ bot: Bot; stop: () => Promise<void> }> {
    const store = await openStore({ url: options.storeUrl ?? `sqlite://${join(folder, file)}`, log });
    const client = createImageClient({
      baseUrl: imageUrl,
      clock: botClock,
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
    const asked = createDeferred<void>();
    const images: typeof client = {
      ...client,
      capabilities: (options) => client.capabilities(options).finally(asked.resolve),
      download: (url, bounds) => client.download(url, { timeoutMs: timeoutMs ?? 60_000, ...bounds }),
    };
    const bot = await createBot({
      commands,
      discord: { token, apiUrl },
      storage: {
        store: observability ? measureStore(store, observability.metrics) : store,
        vault: createVault(['b'.repeat(64)]),
        spoolFolder: join(folder, `${file}-spool`),
      },
      service: {
        client: observability ? measureImages(images, observability.metrics) : images,
        name: imageUrl,
        callsPerSecond: 50,
      },
      operator: {
        key: operatorKey ?? undefined,
        scope: options.operatorScope,
        limits: options.operatorLimits ?? {},
      },
      clock: botClock,
      log,
      metrics: observability?.metrics,
    });
    const server = await observability?.listen(bot);
    observedAt = server?.url ?? '';
    const stop = async () => {
      await server?.close();
      await bot.stop();
      // What it sent last and waits for no more has arrived before whatever a test does next, such as to end a fault.
      await fetch(discord.address.url).then((answer) => answer.text());
      await store.close();
      await images.close();
    };
    await bot.start();
    // A member waits a second at most for what the service offers, which a busy machine may take longer to say.
    if (operatorKey !== null && options.imageUrl === undefined) await asked.promise;
    return { bot, stop };
  }

  /** Starts the bot on what an earlier one left behind. */
  async function startBot(): Promise<Bot> {
    const { bot, stop } = await runBot('bot.sqlite');
    stopBot = async () => {
      stopBot = async () => {};
      await stop();
    };
    return bot;
  }

  onTestFinished(async () => {
    await stopBot();
    const places = {
      'log of the bot': lines.join(''),
      'log of the service': service.lines.join(''),
      'store of the bot': await contents(folder),
      'files of the service': await contents(service.folder),
      messages: JSON.stringify(everythingSeenBy(discord.discord.as(MEMBER))),
      'requests on record': JSON.stringify(discord.discord.requests.list()),
    };
    const unfurled = discord.discord.unfurled();
    await discord.close();
    await service.close();
    await rm(folder, { recursive: true, force: true });
    expectNoSecrets([token], places);
    expectNoSecretPatterns(places);
    expect(unfurled).toEqual([]);
  });

  await discord.register(...payloadsOf(commands));
  await startBot();

  return {
    clock,
    service,
    discord: discord.discord,
    /** Registers commands in place of all that there are. */
    register: discord.register,
    /** Lets every member use every command, as whoever manages a server can: the handlers still ask for rights. */
    openCommands: () =>
      discord.register(
        ...payloadsOf(commands).map((payload) => ({ ...payload, default_member_permissions: null })),
      ),
    /** Another session of the same bot, which answers nothing. */
    login: discord.login,
    /** The rest of the bot's own folder: its store. */
    folder,
    /** Every line of the bot's log so far. */
    lines,
    member: discord.discord.as(MEMBER),
    as: (id: string): UserClient => discord.discord.as(id),
    stopBot: () => stopBot(),
    startBot,
    async restartBot() {
      await stopBot();
      await startBot();
    },
    /** Another bot on the same token, with a store of its own. */
    secondBot: () => runBot('second.sqlite'),

    /** The pictures that the service has made, oldest first. */
    async pictures(): Promise<Uint8Array[]> {
      const names = (await readdir(join(service.folder, 'pictures'))).filter(isPicture);
      return Promise.all(names.map((name) => readFile(join(service.folder, 'pictures', name))));
    },

    /** Runs `/imagine`, says yes where it asks, and waits until its message shows how it ended. */
    async imagined(
      options: Record<string, string | number | boolean>,
      { user = discord.discord.as(MEMBER), channelId = CHANNEL } = {},
    ): Promise<APIMessage> {
      const asked = await user.invoke(channelId, 'imagine', options);
      const answer = messageOf(await confirmed(asked, user));
      return this.ended(answer.id, user);
    },

    /** Resolves when the log says so. */
    logs: (words: string) => until(() => lines.join('').includes(words), `a log line: ${words}`),

    /** What the running bot answers to `/healthz`, `/readyz` or `/metrics`. */
    outside: (path: string): Promise<Response> => fetch(`${observedAt}${path}`),

    /** The bytes that stand behind a message's nth attachment. */
    async attached({ attachments }: APIMessage, nth = 0): Promise<Uint8Array> {
      const response = await fetch(`${attachments[nth]?.url}`);
      return new Uint8Array(await response.arrayBuffer());
    },

    /** The first message that this person sees whose text holds `words`. */
    reads: (words: string, user = discord.discord.as(MEMBER)) =>
      sees(user, ({ content }) => plain(content).includes(words)).then(plainly),

    /**
     * The message once it has the buttons of an outcome; where why there is none is for its reader only, what says
     * so.
     */
    ended: (messageId: string, user = discord.discord.as(MEMBER)) =>
      sees(
        user,
        (message) =>
          hasEnded(message) &&
          (message.id === messageId ||
            (message.message_reference?.message_id === messageId && isEphemeral(message))),
      ).then(plainly),
  };
}

/** The service keeps a proof and probes of its own beside its pictures. */
const isPicture = (name: string): boolean => /^[0-9a-f]{32}\.\w+$/.test(name);

const everythingSeenBy = (user: UserClient) =>
  user.guilds().flatMap(({ channels }) => channels.map(({ id }) => user.messages(id)));
