import type { ImageClient } from '@darkroom/image-api';
import type { Check, Log } from '@darkroom/process';
import type { Vault } from '@darkroom/storage';
import { type Clock, createCache } from '@darkroom/time';
import { createAgeRestriction } from '../bot/age-restriction.ts';
import { type Command, contextOf } from '../bot/command.ts';
import { createCommandLinks } from '../bot/command-links.ts';
import { createDepartedGuilds } from '../bot/departed-guilds.ts';
import { createBotRest, createWebhookRest } from '../bot/discord.ts';
import { createGuildDirectory } from '../bot/guild-directory.ts';
import type { Context, FeatureName } from '../bot/invocation.ts';
import { askIdentity, notLetIn } from '../bot/log-in.ts';
import { createMembership } from '../bot/membership.ts';
import { createPendingAnswers } from '../bot/pending-answers.ts';
import { inviteUrl } from '../bot/permissions.ts';
import { createPresses } from '../bot/presses.ts';
import { outdatedCommands } from '../bot/registered-commands.ts';
import { createRouter } from '../bot/router.ts';
import { createServedShards, type ServedShards } from '../bot/served-shards.ts';
import type { OperatorScope } from '../credentials/credentials.ts';
import { isReadOnTheWay } from '../credentials/plain-address.ts';
import { createFileFetch } from '../delivery/attached-files.ts';
import { createMessageApi } from '../delivery/message-api.ts';
import { createNotices } from '../delivery/notices.ts';
import { createThumbnails } from '../delivery/thumbnails.ts';
import { allowanceOf } from '../limits/allowance.ts';
import { createLimits, type OperatorLimits } from '../limits/limits.ts';
import { nextStepsOf, type OfferedSteps } from '../messages/next-steps.ts';
import { keepBrought } from '../moderation/brought-picture.ts';
import { createChecks } from '../observability/checks.ts';
import { type Metrics, noMetrics, type Readings } from '../observability/metrics.ts';
import { createInspector } from '../requests/inspection/inspector.ts';
import { createOffers, offeredMakings } from '../requests/offers.ts';
import { createPrices } from '../requests/prices.ts';
import { createInstallation, type ShardSetting } from '../shards/installation.ts';
import { openShards, type Shards } from '../shards/shards.ts';
import type { Store } from '../storage/store.ts';
import { proveStore } from '../storage/vault-proof.ts';
import { createMonthChart } from '../usage/month-chart.ts';
import { openGeneration } from './generation.ts';
import { createRecords } from './records.ts';

/** The name of the image service in this process, whose address depends on which ports are free. */
export const EMBEDDED = 'embedded';

/** As long as an interaction's token surely lives, and how many messages are remembered. */
const TOKEN_ACTIONS = { ttlMs: 14 * 60_000, max: 500 };

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
  await proveStore({ store, vault });
  const { rest, share } = createBotRest({ apiUrl, token, onResponse: metrics.discordResponse, afterAnother });
  const webhooks = createWebhookRest({ apiUrl, onResponse: metrics.discordResponse });
  const limits = createLimits({ operator: operatorLimits, clock });
  const commandLinks = createCommandLinks({ rest, log });
  const fetchFile = createFileFetch({ apiUrl });
  const discord = createMessageApi({ bot: rest, webhooks, link: commandLinks.link });
  const notices = createNotices({ discord, clock });
  const records = createRecords({
    store,
    vault,
    retentionDays,
    operatorKey,
    operatorScope,
    models,
    learnCost: limits.learnCost,
    rest,
    notices,
    clock,
    log,
  });
  const { jobs, credentials, privacy } = records;
  const offers = createOffers({ images, clock, log });
  void offers.learn(async () => operatorKey);
  const nextSteps: OfferedSteps = {
    ...nextStepsOf(commands),
    makingsOf: (job) => offeredMakings(job, offers.of()),
  };
  let shards: Shards | undefined;
  const generation = await openGeneration({
    records,
    images,
    service,
    fetchFile,
    discord,
    notices,
    nextSteps,
    lockJob: sharedBy === undefined ? undefined : async (id) => shards?.lockJob?.(id),
    callsPerSecond,
    afterAnother,
    spoolFolder,
    clock,
    log,
    metrics,
  });
  const { tracker, shownPictures, publications } = generation;
  const pendingAnswers = createPendingAnswers({ store, vault, webhooks, clock, log });
  const stopping = new AbortController();
  const monthChart = createMonthChart();
  const inspector = createInspector();
  const departedGuilds = createDepartedGuilds({
    rest,
    store,
    known: async () => [...(await credentials.guildIds()), ...(await privacy.guildIds())],
    purge: privacy.purgeGuild,
    clock,
    log,
  });
  const drafting = commands.find(({ continueDraft }) => continueDraft);
  const continueDraft = drafting?.continueDraft;
  const context: Context<FeatureName> = {
    pictures: {
      tracker,
      shownPictures,
      publications,
      thumbnails: createThumbnails({ rest, clock, log }),
      deletions: createCache({ ...TOKEN_ACTIONS, clock }),
      presses: createPresses({ clock }),
      keepBrought: (input) => keepBrought(input, fetchFile),
    },
    requests: {
      drafts: records.drafts,
      inspector,
      questions: createCache({ ...TOKEN_ACTIONS, clock }),
      memberSettings: records.memberSettings,
      knownModels: records.knownModels,
      prices: createPrices({ images, clock, log }),
      limits,
      allowanceOf: (request, guild) => allowanceOf(request, guild, { limits, store }),
      continueDraft:
        continueDraft &&
        ((invocation, id) => continueDraft({ ...invocation, context: contextOf(drafting, context) }, id)),
    },
    offers,
    keys: { credentials, attempts: records.attempts, images, isReadOnTheWay: isReadOnTheWay(service) },
    guilds: {
      guildSettings: records.guildSettings,
      guildDirectory: createGuildDirectory({ rest, log }),
      blockedMembers: records.blockedMembers,
      keptGraphs: records.keptGraphs,
      outdatedCommands: ({ guildId, ...asked }) =>
        outdatedCommands(rest, commands, { ...asked, guildIds: [undefined, guildId] }),
    },
    moderation: { auditLog: records.auditLog, reports: records.reports },
    usage: { usage: records.usage, monthChart },
    privacy: { keptData: privacy, retention: records.retention },
    nextSteps,
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
  const readings = (): Readings => ({
    ...generation.readings(),
    shards: served?.readings() ?? { served: 0, connected: 0 },
  });

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
      void generation.sweepDaily(stopping.signal);
      const refused = await Promise.race([shards.start(served), shutOut]);
      if (refused !== undefined) throw notLetIn(refused);
      const lost = shutOut.then((why) => log.fatal(`Discord ended the connection for good: ${why}`));
      return { username, inviteUrl: inviteUrl(applicationId), lost };
    },

    async stop() {
      stopping.abort();
      await shards?.stop();
      await generation.stop();
      await records.stop();
      await monthChart.close();
      await inspector.close();
      await generation.close();
    },
  };
}
