import type { ImageClient } from '@darkroom/image-api';
import type { Check } from '@darkroom/observability';
import type { Log } from '@darkroom/process';
import type { Vault } from '@darkroom/storage';
import type { Clock } from '@darkroom/time';
import { createAttempts } from '../credentials/attempts.ts';
import { createCredentials, type OperatorScope } from '../credentials/credentials.ts';
import { sealedKeys } from '../credentials/linked-key.ts';
import { isReadOnTheWay } from '../credentials/plain-address.ts';
import { createDelivery } from '../delivery/delivery.ts';
import { createMessageApi } from '../delivery/message-api.ts';
import { createPublications } from '../delivery/publications.ts';
import { createShownPictures } from '../delivery/shown-pictures.ts';
import { createThumbnails } from '../delivery/thumbnails.ts';
import { createKeptGraphs } from '../graphs/kept-graphs.ts';
import { createBlockedMembers } from '../guilds/blocked-members.ts';
import { createGuildSettings } from '../guilds/guild-settings.ts';
import { createByteBudget } from '../jobs/byte-budget.ts';
import { createCancellations } from '../jobs/cancellations.ts';
import { createCircuitBreaker } from '../jobs/circuit-breaker.ts';
import { createPreviewFetch } from '../jobs/fetch-preview.ts';
import { createIdempotencySupport } from '../jobs/idempotency.ts';
import { isOver } from '../jobs/job.ts';
import { sealedJobSecrets } from '../jobs/job-codec.ts';
import { createJobStore } from '../jobs/job-store.ts';
import { createKeyTurns } from '../jobs/key-turns.ts';
import { openPictureSpool } from '../jobs/picture-spool.ts';
import { createPoller } from '../jobs/poller.ts';
import { createRateLimiter } from '../jobs/rate-limiter.ts';
import { createTracker } from '../jobs/tracker.ts';
import { allowanceOf } from '../limits/allowance.ts';
import { createLimits, type OperatorLimits } from '../limits/limits.ts';
import { nextStepsOf } from '../messages/next-steps.ts';
import { createAuditChannel } from '../moderation/audit-channel.ts';
import { createAuditLog } from '../moderation/audit-log.ts';
import { createReports } from '../moderation/reports.ts';
import { createChecks } from '../observability/checks.ts';
import { type Metrics, noMetrics, type Readings } from '../observability/metrics.ts';
import { createPrivacy } from '../privacy/privacy.ts';
import { daysToMs, retentionOf } from '../privacy/retention.ts';
import { createDrafts } from '../requests/drafts.ts';
import { createKnownModels } from '../requests/known-models.ts';
import { createMemberSettings } from '../requests/member-settings.ts';
import { createPrices } from '../requests/prices.ts';
import { createInstallation, type ShardSetting } from '../shards/installation.ts';
import { openShards, type Shards } from '../shards/shards.ts';
import { createKnownGuilds } from '../storage/known-guilds.ts';
import type { Store } from '../storage/store.ts';
import { proveVault } from '../storage/vault-proof.ts';
import { createMonthChart } from '../usage/month-chart.ts';
import { createUsage } from '../usage/usage.ts';
import { createAgeRestriction } from './age-restriction.ts';
import type { Command, Context } from './command.ts';
import { createCommandLinks } from './command-links.ts';
import { createDeletions } from './deletions.ts';
import { createDepartedGuilds } from './departed-guilds.ts';
import { createBotRest, createWebhookRest } from './discord.ts';
import { createGuildDirectory } from './guild-directory.ts';
import { createKeysInUse } from './keys-in-use.ts';
import { askIdentity, notLetIn } from './log-in.ts';
import { createMembership } from './membership.ts';
import { createPendingAnswers } from './pending-answers.ts';
import { inviteUrl } from './permissions.ts';
import { createPresses } from './presses.ts';
import { outdatedCommands } from './registered-commands.ts';
import { createRouter } from './router.ts';
import { createServedShards, type ServedShards } from './served-shards.ts';

/** Bytes of pictures in memory on their way in, and as many on their way out. Each costs some copies of itself while it is sent. */
const PICTURE_MEMORY = 32 * 1024 ** 2;

/** The name of the image service in this process, whose address depends on which ports are free. */
export const EMBEDDED = 'embedded';

export interface BotDependencies {
  token: string;
  /** Discord's REST address without a version: `https://discord.com/api`, or a local one. */
  apiUrl: string;
  commands: readonly Command[];
  store: Store;
  /** The PostgreSQL behind the store, on which processes share the shards; this one serves them all unless given. */
  sharedBy?: string | undefined;
  shards?: ShardSetting;
  vault: Vault;
  images: ImageClient;
  /** Names the image service in what is written down: its `{base_url}`, or `EMBEDDED`. Another name is another service. */
  service: string;
  /** The operator's key, where neither member nor server has linked one. */
  operatorKey: string | undefined;
  /** Where that one pays; in every server that the bot is in unless given. */
  operatorScope?: OperatorScope | undefined;
  /** The models that are offered while one is typed; usual ones unless given. */
  models?: readonly string[] | undefined;
  /** What the operator allows everybody; anything unless given. */
  operatorLimits?: OperatorLimits;
  callsPerSecond: number;
  /** Whether another process may have served the store until a moment ago: limits by the second hold across both. */
  afterAnother?: boolean;
  /** For how many days what is over is kept: requests, what a server has used, and its audit log. 90 unless given. */
  retentionDays?: number;
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
   * Takes up the unfinished jobs of its shards, and connects these. Rejects with a sentence for the operator where Discord
   * does not let it in. `lost` resolves once Discord has ended a connection for good; the log says why, and what to do.
   */
  start(): Promise<{ username: string; inviteUrl: string; lost: Promise<void> }>;
  /** No new interactions; what runs is written down for the next process. */
  stop(): Promise<void>;
  /** For whoever looks from outside. */
  readings(): Readings;
  checks: Readonly<Record<string, Check>>;
}

/** Rejects with an `OperatorError` where the vault is not the store's. */
export async function createBot({
  token,
  apiUrl,
  commands,
  store,
  sharedBy,
  shards: setting = 'auto',
  vault,
  images,
  service,
  operatorKey,
  operatorScope,
  models,
  operatorLimits = {},
  callsPerSecond,
  afterAnother = false,
  retentionDays = 90,
  spoolFolder,
  clock,
  log,
  metrics = noMetrics,
}: BotDependencies): Promise<Bot> {
  await proveVault({ store, vault }, [sealedKeys, sealedJobSecrets]);
  const { rest, share } = createBotRest({ apiUrl, token, onResponse: metrics.discordResponse, afterAnother });
  const webhooks = createWebhookRest({ apiUrl, onResponse: metrics.discordResponse });
  const limits = createLimits({ operator: operatorLimits, clock });
  const retention = retentionOf(retentionDays);
  const retentionMs = daysToMs(retention.history);
  const knownGuilds = createKnownGuilds({ store });
  const usage = createUsage({ store, knownGuilds, retentionMs });
  const knownModels = createKnownModels({ store, configured: models, retentionMs, log });
  const jobs = createJobStore({
    store,
    vault,
    retentionMs,
    rowsAtEnd: usage.rowsOf,
    learnCost: limits.learnCost,
    clock,
  });
  const idempotency = await createIdempotencySupport({ store, images, service, log });
  const rateLimiter = createRateLimiter({ callsPerSecond, afterAnother });
  const keyTurns = createKeyTurns({ clock, random: Math.random });
  const nextSteps = nextStepsOf(commands);
  const spool = await openPictureSpool({ folder: spoolFolder, log });
  const guildSettings = createGuildSettings({ store, log });
  const commandLinks = createCommandLinks({ rest, log });
  const outgoing = createByteBudget(PICTURE_MEMORY);
  const delivery = createDelivery({
    link: commandLinks.link,
    fetchPreview: createPreviewFetch({ images, rateLimiter }),
    nextSteps,
    bot: rest,
    webhooks,
    memory: outgoing,
    clock,
    log,
    metrics,
  });
  const shownPictures = createShownPictures({ images, memory: outgoing, log });
  const credentials = createCredentials({ store, vault, clock, log, operatorKey, operatorScope });
  const discord = createMessageApi({ bot: rest, webhooks, link: commandLinks.link });
  const keysInUse = createKeysInUse({ store, credentials, guildSettings, images, discord, clock, log });
  const circuitBreaker = createCircuitBreaker({ images, clock, log });
  const poller = createPoller({ images: circuitBreaker.images, rateLimiter, clock, metrics });
  let shards: Shards | undefined;
  const tracker = createTracker({
    jobs,
    cancellations: createCancellations({ store }),
    images: circuitBreaker.images,
    circuitBreaker,
    lockJob: sharedBy === undefined ? undefined : async (id) => shards?.lockJob?.(id),
    service,
    idempotency,
    keyTurns,
    poller,
    rateLimiter,
    spool,
    memory: createByteBudget(PICTURE_MEMORY),
    delivery,
    clock,
    log,
    metrics,
    onEnded(job, apiKey) {
      keysInUse.jobEnded(job, apiKey);
      knownModels.jobEnded(job);
    },
    random: Math.random,
  });
  const blockedMembers = createBlockedMembers({ store, clock, log });
  const auditChannel = createAuditChannel({
    async destinationOf(guildId) {
      const { logChannelId, locale = 'en' } = await guildSettings.of(guildId);
      return logChannelId === undefined ? undefined : { channelId: logChannelId, locale };
    },
    discord,
    clock,
    log,
  });
  const auditLog = createAuditLog({
    store,
    channel: auditChannel,
    knownGuilds,
    retentionMs,
    clock,
  });
  const reports = createReports({ store, rest, discord, retentionMs, clock, log });
  const pendingAnswers = createPendingAnswers({ store, vault, webhooks, clock, log });
  const stopping = new AbortController();
  const monthChart = createMonthChart();
  const keptGraphs = createKeptGraphs({ store, clock });
  const drafts = createDrafts({ store, log });
  const memberSettings = createMemberSettings({ store });
  const privacy = createPrivacy({
    store,
    drafts,
    memberSettings,
    knownModels,
    jobs,
    usage,
    auditLog,
    reports,
    credentials,
    guildSettings,
    blockedMembers,
    keptGraphs,
    knownGuilds,
  });
  const departedGuilds = createDepartedGuilds({
    rest,
    store,
    known: async () => [...(await credentials.guildIds()), ...(await privacy.guildIds())],
    purge: privacy.purgeGuild,
    clock,
    log,
  });
  const context: Context = {
    tracker,
    credentials,
    attempts: createAttempts({ store, clock }),
    auditLog,
    reports,
    shownPictures,
    publications: createPublications({ jobs, publisher: delivery, pictures: shownPictures, nextSteps }),
    presses: createPresses({ clock }),
    deletions: createDeletions({ clock }),
    usage,
    monthChart,
    guildSettings,
    blockedMembers,
    guildDirectory: createGuildDirectory({ rest, log }),
    keptGraphs,
    drafts,
    memberSettings,
    knownModels,
    prices: createPrices({ images, clock, log }),
    outdatedCommands: ({ guildId, ...asked }) =>
      outdatedCommands(rest, commands, { ...asked, guildIds: [undefined, guildId] }),
    limits,
    allowanceOf: (request, guild) => allowanceOf(request, guild, { limits, store }),
    thumbnails: createThumbnails({ rest, clock, log }),
    privacy,
    retention,
    images,
    nextSteps,
    continueDraft: commands.find(({ continueDraft }) => continueDraft)?.continueDraft,
    isReadOnTheWay: isReadOnTheWay(service),
    log,
  };
  const router = createRouter({
    commands,
    context,
    membership: createMembership({ rest, clock, log }),
    ageRestriction: createAgeRestriction({ rest, clock, log }),
    pendingAnswers,
    commandLinks,
    log,
    metrics,
  });

  const installation = createInstallation(store);
  let served: ServedShards | undefined;
  const readings = (): Readings => {
    const { count, oldestAt } = tracker.runningJobs();
    return {
      runningJobs: count,
      oldestJobMs: oldestAt === undefined ? 0 : clock.now() - oldestAt,
      waitingCalls: rateLimiter.waiting(),
      waitingTurns: keyTurns.waiting(),
      stalledMs: poller.stalledMs(),
      shards: served?.readings() ?? { served: 0, connected: 0 },
    };
  };

  return {
    readings,
    checks: createChecks({ readings, readStore: () => jobs.find('0'), images }),

    async start() {
      const { applicationId, username, shards: recommended, maxConcurrency } = await askIdentity(rest);
      const learned = commandLinks.learn(applicationId);
      shards = await openShards({
        url: sharedBy,
        installation,
        agree: (alone) => installation.agree({ applicationId, setting, recommended, alone }),
        maxConcurrency,
        onProcesses: share,
        log,
      });
      let onShutOut: (why: string) => void = () => undefined;
      const shutOut = new Promise<string>((resolve) => {
        onShutOut = resolve;
      });
      const { identifyThrottler } = shards;
      served = createServedShards({
        token,
        rest,
        identifyThrottler,
        tracker,
        router,
        onShutOut,
        clock,
        log,
        random: Math.random,
      });
      await learned;
      void pendingAnswers.answerLost(stopping.signal);
      void departedGuilds.watch(stopping.signal);
      const isNeeded = async (id: string) => {
        const job = await jobs.find(id);
        return job !== undefined && !isOver(job);
      };
      void spool.sweepDaily(isNeeded, { clock, signal: stopping.signal });
      const refused = await Promise.race([shards.start(served), shutOut]);
      if (refused !== undefined) throw notLetIn(refused);
      const lost = shutOut.then((why) => log.fatal(`Discord ended the connection for good: ${why}`));
      return { username, inviteUrl: inviteUrl(applicationId), lost };
    },

    async stop() {
      stopping.abort();
      await shards?.stop();
      await tracker.stop();
      await auditChannel.stop();
      await monthChart.close();
      await rateLimiter.close();
    },
  };
}
