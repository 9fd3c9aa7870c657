import { createCache } from '@darkroom/time';
import { type Command, contextOf } from '../bot/command.ts';
import { createGuildDirectory } from '../bot/guild-directory.ts';
import type { Context, FeatureName } from '../bot/invocation.ts';
import { createPresses } from '../bot/presses.ts';
import { outdatedCommands } from '../bot/registered-commands.ts';
import { isReadOnTheWay } from '../credentials/plain-address.ts';
import { createThumbnails } from '../delivery/pictures/thumbnails.ts';
import { createBroughtCopies } from '../moderation/brought-picture.ts';
import type { Privacy } from '../privacy/privacy.ts';
import { createInspector } from '../requests/inspection/inspector.ts';
import { createPrices } from '../requests/prices.ts';
import { createMonthChart } from '../usage/month-chart.ts';
import type { BotParts } from './bot-parts.ts';
import type { Generation } from './generation.ts';

/** As long as an interaction's token surely lives, and how many messages are remembered. */
const TOKEN_ACTIONS = { ttlMs: 14 * 60_000, max: 500 };

/** What commands are given, and how to end what works for them. */
export function createFeatures({
  commands,
  discord: { rest, messages, files },
  service,
  records,
  generation,
  privacy,
  nextSteps,
  clock,
  log,
}: BotParts & {
  commands: readonly Command[];
  generation: Generation;
  privacy: Privacy;
}): { context: Context<FeatureName>; close(): Promise<void> } {
  const { tracker, shownPictures, removedPictures, publications } = generation;
  const { client: images, offers } = service;
  const inspector = createInspector();
  const monthChart = createMonthChart();
  const drafting = commands.find(({ continueDraft }) => continueDraft);
  const continueDraft = drafting?.continueDraft;
  const context: Context<FeatureName> = {
    pictures: {
      tracker,
      shownPictures,
      removedPictures,
      publications,
      thumbnails: createThumbnails({ discord: messages, clock, log }),
      deletions: createCache({ ...TOKEN_ACTIONS, clock }),
      presses: createPresses({ clock }),
      copyBrought: createBroughtCopies(files),
    },
    requests: {
      drafts: records.drafts,
      inspector,
      questions: createCache({ ...TOKEN_ACTIONS, clock }),
      memberSettings: records.memberSettings,
      knownModels: records.knownModels,
      prices: createPrices({ images, clock, log }),
      limits: records.limits,
      continueDraft:
        continueDraft &&
        ((invocation, id) => continueDraft({ ...invocation, context: contextOf(drafting, context) }, id)),
    },
    offers,
    keys: {
      credentials: records.credentials,
      attempts: records.attempts,
      images,
      isReadOnTheWay: isReadOnTheWay(service.name),
    },
    guilds: {
      guildSettings: records.guildSettings,
      guildDirectory: createGuildDirectory({ rest, log }),
      blockedMembers: records.blockedMembers,
      keptGraphs: records.keptGraphs,
      outdatedCommands: ({ guildId, ...asked }) =>
        outdatedCommands(rest, commands, { ...asked, guildIds: [undefined, guildId] }),
    },
    moderation: { auditLog: records.auditLog, reports: records.reports },
    usage: { counts: records.usage, monthChart },
    privacy: { keptData: privacy, retention: records.retention },
    nextSteps,
    log,
  };
  return {
    context,
    async close() {
      await monthChart.close();
      await inspector.close();
    },
  };
}
