import { type Log, ownCommand } from '@darkroom/process';
import type { Vault } from '@darkroom/storage';
import type { Clock } from '@darkroom/time';
import { createCallers } from '../bot/caller.ts';
import type { Command } from '../bot/command.ts';
import { watchDepartures } from '../bot/departed-guilds.ts';
import { createIdentifies, type Identifies } from '../bot/identifies.ts';
import { askIdentity, notLetIn } from '../bot/log-in.ts';
import { createPendingAnswers } from '../bot/pending-answers.ts';
import { inviteUrl } from '../bot/permissions.ts';
import { createRouter } from '../bot/router.ts';
import { createServedShards, type ServedShards } from '../bot/served-shards.ts';
import { mostPixels } from '../limits/size.ts';
import { nextStepsOf, type OfferedSteps } from '../messages/next-steps.ts';
import { createChecks } from '../observability/checks.ts';
import { type Metrics, noMetrics, type Readings } from '../observability/metrics.ts';
import { createPrivacy } from '../privacy/privacy.ts';
import { createOffers, offeredActions } from '../requests/offers.ts';
import { createInstallation, type ShardSetting } from '../shards/installation.ts';
import { openShards, type Shards } from '../shards/shards.ts';
import { proveWritable } from '../storage/prove-writable.ts';
import type { Store } from '../storage/store.ts';
import { proveStore } from '../storage/vault-proof.ts';
import type { ImageService } from './bot-parts.ts';
import { openDiscord } from './discord-access.ts';
import { createFeatures } from './features.ts';
import { openGeneration } from './generation.ts';
import { createRecords, type OperatorChoices } from './records.ts';

/** The name of the image service in this process, whose address depends on which ports are free. */
export const EMBEDDED = 'embedded';

interface BotDependencies {
  commands: readonly Command[];
  discord: {
    token: string;
    /** Discord's REST address without a version: `https://discord.com/api`, or a local one. */
    apiUrl: string;
    shards?: ShardSetting;
  };
  storage: {
    store: Store;
    vault: Vault;
    /** Where finished pictures wait on disk; made where it is missing. */
    spoolFolder: string;
    /** The PostgreSQL on which processes share the shards; this one serves them all unless given. */
    sharedBy?: string | undefined;
    /** Whether another process may have ended a moment ago: limits by the second hold across both. */
    afterAnother?: boolean;
  };
  service: ImageService;
  operator?: OperatorChoices;
  clock: Clock;
  log: Log;
  /** Nobody counts unless given. */
  metrics?: Metrics | undefined;
}

/** The bot, put together and not yet connected. */
export type Bot = Awaited<ReturnType<typeof createBot>>;

/** Rejects with an `OperatorError` where the vault is not the store's. */
export async function createBot({
  commands,
  discord: { token, apiUrl, shards: setting = 'auto' },
  storage: { store, vault, spoolFolder, sharedBy, afterAnother = false },
  service,
  operator = {},
  clock,
  log,
  metrics = noMetrics,
}: BotDependencies) {
  await proveStore({ store, vault });
  const discord = openDiscord({ apiUrl, token, afterAnother, log, metrics });
  const records = createRecords({ store, vault, operator, discord, clock, log });
  const { credentials, limits } = records;
  const { client: images } = service;
  const offers = createOffers({ images, clock, log });
  void offers.learn(async () => operator.key);
  const nextSteps: OfferedSteps = {
    ...nextStepsOf(commands),
    async actionsOf(job) {
      const settings = await records.guildSettings.of(job.guildId);
      return offeredActions(job, offers.of(settings.workflows), mostPixels([limits.bounds, settings]));
    },
  };
  let shards: Shards | undefined;
  const lockJob = sharedBy === undefined ? undefined : async (id: string) => shards?.lockJob?.(id);
  const parts = { discord, service: { ...service, offers }, records, nextSteps, clock, log };
  const generation = await openGeneration({ ...parts, spoolFolder, lockJob, afterAnother, metrics });
  const { tracker } = generation;
  const privacy = createPrivacy({ ...records, eraseIdle: tracker.eraseIdle });
  const features = createFeatures({ ...parts, commands, generation, privacy });
  const { rest, webhooks, commandLinks } = discord;
  const pendingAnswers = createPendingAnswers({ store, vault, webhooks, clock, log });
  const router = createRouter({
    commands,
    context: features.context,
    callerOf: createCallers({ rest, clock, log }),
    pendingAnswers,
    commandLinks,
    log,
    metrics,
  });
  const stopping = new AbortController();

  const installation = createInstallation(store);
  let served: ServedShards | undefined;
  let identifies: Identifies | undefined;

  /** How the bot gets as many shards as `more`, where Discord refuses one for its servers. */
  function shardAdvice(more: number): string {
    if (sharedBy !== undefined)
      return `All processes change over by: ${ownCommand('store', `shards ${more}`)}`;
    if (setting !== 'auto') return `Set SHARDS to ${more}, or to auto, and start again.`;
    return 'It takes more once Discord recommends them.';
  }

  /** For whoever looks from outside. */
  const readings = (): Readings => ({
    ...generation.readings(),
    shards: served?.readings() ?? { served: 0, connected: 0 },
    identifiesLeft: identifies?.left(),
  });

  return {
    readings,
    checks: createChecks({
      readings,
      isSpare: () => shards?.isSpare() === true,
      proveWritable: () => proveWritable(store),
      images,
    }),

    /**
     * Takes up the unfinished jobs of its shards, and connects these. While Discord is down it waits, until `signal`.
     * Rejects with a sentence for the operator where Discord does not let it in. `lost` resolves once Discord has ended
     * a connection for good; the log says why, and what to do.
     */
    async start(signal?: AbortSignal): Promise<{ username: string; inviteUrl: string; lost: Promise<void> }> {
      const identity = await askIdentity(rest, { log, signal });
      const { applicationId, username, shards: recommended, identifyLimit } = identity;
      const counted = createIdentifies({
        limit: identifyLimit,
        shards: () => served?.connected()[0]?.count ?? 1,
        rest,
        clock,
        log,
      });
      identifies = counted;
      const learned = commandLinks.learn(applicationId);
      let processes = 1;
      shards = await openShards({
        url: sharedBy,
        installation,
        agree: (alone) =>
          installation.agree({ applicationId, setting, recommended, alone, identifies: counted.left(), log }),
        maxConcurrency: identifyLimit.max_concurrency,
        allowMove: counted.allowMove,
        onProcesses(count) {
          processes = count;
          discord.share(count);
        },
        log,
      });

      /** With `SHARDS` at `auto`, as soon as Discord recommends more: by the store where processes share it. */
      async function grow(count: number, tooFew: string): Promise<void> {
        const { signal } = stopping;
        const { shards: recommended, identifyLimit } = await askIdentity(rest, { log, signal });
        if (recommended <= count) return;
        if (sharedBy === undefined)
          return onShutOut(`${tooFew}. Start it again: it takes ${recommended}, as Discord recommends.`);
        const { remaining: identifies } = identifyLimit;
        const alone = processes === 1;
        await installation.agree({ applicationId, setting, recommended, alone, identifies, log });
      }

      let onShutOut: (why: string) => void = () => undefined;
      const shutOut = new Promise<string>((resolve) => {
        onShutOut = resolve;
      });
      served = createServedShards({
        token,
        rest,
        identifyThrottler: counted.counted(shards.identifyThrottler),
        tracker,
        router,
        onOverfull({ id: shard, count }) {
          const tooFew = `the bot is in too many servers for so few shards (${count})`;
          log.error({ shard }, `Discord does not serve a shard: ${tooFew}. ${shardAdvice(2 * count)}`);
          if (setting !== 'auto') return;
          grow(count, tooFew).catch((error: unknown) =>
            log.warn({ err: error }, 'the shards stay as they are for now'),
          );
        },
        onShutOut,
        clock,
        log,
      });
      await learned;
      void pendingAnswers.answerLost(stopping.signal);
      void watchDepartures({
        rest,
        store,
        known: async () => [...(await credentials.guildIds()), ...(await privacy.guildIds())],
        purge: privacy.purgeGuild,
        clock,
        log,
        signal: stopping.signal,
      });
      void generation.sweepDaily(stopping.signal);
      const refused = await Promise.race([shards.start(served), shutOut]);
      if (refused !== undefined) throw notLetIn(refused);
      const lost = shutOut.then((why) => log.fatal(`Discord ended the connection for good: ${why}`));
      return { username, inviteUrl: inviteUrl(applicationId), lost };
    },

    /** No new interactions; what runs is written down for the next process. */
    async stop(): Promise<void> {
      stopping.abort();
      await shards?.stop();
      await generation.stop();
      await records.stop();
      await features.close();
      await generation.close();
      discord.close();
    },
  };
}
