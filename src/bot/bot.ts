import type { ImageClient } from '@darkroom/image-api';
import type { Log } from '@darkroom/process';
import { messageOf, OperatorError } from '@darkroom/process';
import type { Vault } from '@darkroom/storage';
import type { Clock } from '@darkroom/time';
import { withTimeout } from '@darkroom/time';
import { type Client, Events, GatewayCloseCodes, Status } from 'discord.js';
import { createCredentials } from '../credentials/credentials.ts';
import { createDelivery } from '../delivery/delivery.ts';
import { createByteBudget } from '../jobs/byte-budget.ts';
import { createCircuitBreaker } from '../jobs/circuit-breaker.ts';
import { createIdempotencySupport } from '../jobs/idempotency.ts';
import { isOver } from '../jobs/job.ts';
import { createJobStore } from '../jobs/job-store.ts';
import { openPictureSpool } from '../jobs/picture-spool.ts';
import { createPoller } from '../jobs/poller.ts';
import { createRateLimiter } from '../jobs/rate-limiter.ts';
import { createTracker } from '../jobs/tracker.ts';
import { nextStepsOf } from '../messages/next-steps.ts';
import { createChecks } from '../observability/checks.ts';
import { type Metrics, noMetrics, type Readings } from '../observability/metrics.ts';
import type { Check } from '../observability/readiness.ts';
import type { Store } from '../storage/store.ts';
import type { Command } from './command.ts';
import { createDiscordClient, createWebhookRest } from './discord.ts';
import { inviteUrl } from './permissions.ts';
import { createRouter } from './router.ts';

/** How long handlers may take to end once the bot is stopping. */
const HANDLERS_TIMEOUT_MS = 2_000;

/** How long Discord may take to let the bot in. */
const LOGIN_TIMEOUT_MS = 30_000;

/** Bytes of pictures in memory on their way in, and as many on their way out. Each costs some copies of itself while it is sent. */
const PICTURE_MEMORY = 64 * 1024 ** 2;

/** The name of the image service in this process, whose address depends on which ports are free. */
export const EMBEDDED = 'embedded';

export interface BotDependencies {
  token: string;
  /** Discord's REST address without a version: `https://discord.com/api`, or a local one. */
  apiUrl: string;
  commands: readonly Command[];
  store: Store;
  vault: Vault;
  images: ImageClient;
  /** Names the image service in what is written down: its `{base_url}`, or `EMBEDDED`. Another name is another service. */
  service: string;
  /** The operator's key, where neither member nor server has linked one. */
  operatorKey: string | undefined;
  callsPerSecond: number;
  /** Where finished pictures wait on disk; made where it is missing. */
  spoolFolder: string;
  clock: Clock;
  log: Log;
  /** Nobody counts unless given. */
  metrics?: Metrics | undefined;
}

/** The bot, put together and not yet connected. */
export interface Bot {
  /**
   * Takes up unfinished jobs, then connects. Rejects with a sentence for the operator where Discord does not let it in.
   * `lost` resolves once Discord has ended the connection for good; the log says why, and what to do.
   */
  start(): Promise<{ username: string; inviteUrl: string; lost: Promise<void> }>;
  /** No new interactions; what runs is written down for the next process. */
  stop(): Promise<void>;
  /** For whoever looks from outside. */
  readings(): Readings;
  checks: Readonly<Record<string, Check>>;
}

export async function createBot({
  token,
  apiUrl,
  commands,
  store,
  vault,
  images,
  service,
  operatorKey,
  callsPerSecond,
  spoolFolder,
  clock,
  log,
  metrics = noMetrics,
}: BotDependencies): Promise<Bot> {
  const discord = createDiscordClient({ apiUrl, onResponse: metrics.discordResponse });
  discord.rest.setToken(token);
  const webhooks = createWebhookRest({ apiUrl, onResponse: metrics.discordResponse });
  const jobs = createJobStore({ store, vault });
  const idempotency = await createIdempotencySupport({ store, images, service, log });
  const rateLimiter = createRateLimiter({ callsPerSecond });
  const nextSteps = nextStepsOf(commands);
  const spool = await openPictureSpool({ folder: spoolFolder, log });
  const delivery = createDelivery({
    nextSteps,
    bot: discord.rest,
    webhooks,
    memory: createByteBudget(PICTURE_MEMORY),
    clock,
    log,
  });
  const circuitBreaker = createCircuitBreaker({ images, clock, log });
  const poller = createPoller({ images: circuitBreaker.images, rateLimiter, clock, metrics });
  const tracker = createTracker({
    jobs,
    images: circuitBreaker.images,
    circuitBreaker,
    service,
    idempotency,
    poller,
    rateLimiter,
    spool,
    memory: createByteBudget(PICTURE_MEMORY),
    delivery,
    clock,
    log,
    metrics,
    random: Math.random,
  });
  const credentials = createCredentials({ store, vault, clock, log, operatorKey });
  const context = { tracker, credentials, images, nextSteps, log };
  const router = createRouter({ commands, context, log, metrics });

  const readings = (): Readings => {
    const shards = [...discord.ws.shards.values()];
    const connected = shards.filter(({ status }) => status === Status.Ready);
    const { count, oldestAt } = tracker.runningJobs();
    return {
      runningJobs: count,
      oldestJobMs: oldestAt === undefined ? 0 : clock.now() - oldestAt,
      waitingCalls: rateLimiter.waiting(),
      stalledMs: poller.stalledMs(),
      shards: { served: shards.length, connected: connected.length },
    };
  };

  // discord.js ends the process where an `error` has no listener.
  discord.on(Events.Error, (error) => log.error({ err: error }, 'discord.js reports an error'));
  discord.on(Events.ShardError, (error, shard) =>
    log.warn({ err: error, shard }, 'a connection to Discord broke'),
  );
  discord.on(Events.Warn, (warning) => log.warn({ warning }, 'discord.js warns'));
  discord.on(Events.InteractionCreate, (interaction) => void router.route(interaction));

  return {
    readings,
    checks: createChecks({ readings, readStore: () => jobs.find('0'), images }),

    async start() {
      tracker.follow();
      const resumed = await tracker.resume();
      if (resumed > 0) log.info({ jobs: resumed }, 'took up unfinished jobs');
      void spool.sweep(async (id) => {
        const job = await jobs.find(id);
        return job !== undefined && !isOver(job);
      });
      const { id, username } = await logIn(discord, token);
      const lost = new Promise<void>((resolve) => {
        // Only after a close code on which discord.js does not connect again.
        discord.once(Events.ShardDisconnect, ({ code }) => {
          log.fatal({ code }, `Discord ended the connection for good: ${whyClosed(code)}`);
          resolve();
        });
      });
      return { username, inviteUrl: inviteUrl(id), lost };
    },

    async stop() {
      await discord.destroy();
      await Promise.race([router.idle(), clock.sleep(HANDLERS_TIMEOUT_MS)]);
      await tracker.stop();
      await rateLimiter.close();
    },
  };
}

const TOKEN_REFUSED =
  'it does not accept DISCORD_TOKEN. Copy the token again from the Bot page of the developer portal.';

const whyClosed = (code: number): string =>
  code === GatewayCloseCodes.AuthenticationFailed
    ? TOKEN_REFUSED
    : `${GatewayCloseCodes[code]}. Look up ${code} among the gateway close event codes of its documentation.`;

/** Resolves with the application's id and the bot's name. Rejects with a sentence for the operator. */
async function logIn(discord: Client, token: string): Promise<{ id: string; username: string }> {
  const ready = new Promise<{ id: string; username: string }>((resolve) => {
    discord.once(Events.ClientReady, ({ application, user }) =>
      resolve({ id: application.id, username: user.username }),
    );
  });
  try {
    return await withTimeout(LOGIN_TIMEOUT_MS, async () => {
      await discord.login(token);
      return ready;
    });
  } catch (cause) {
    await discord.destroy();
    const refused = /invalid token|authentication failed/i.test(messageOf(cause));
    const why = refused
      ? TOKEN_REFUSED
      : `${messageOf(cause)}. Check the network and DISCORD_API_URL, then start again.`;
    throw new OperatorError(`Discord did not let the bot in: ${why}`, { cause });
  }
}
