import type { Log } from '@darkroom/process';
import type { Vault } from '@darkroom/storage';
import { type Clock, DAY_MS } from '@darkroom/time';
import { createAttempts } from '../credentials/attempts.ts';
import { createCredentials, type OperatorScope } from '../credentials/credentials.ts';
import { createKeptGraphs } from '../graphs/kept-graphs.ts';
import { createBlockedMembers } from '../guilds/blocked-members.ts';
import { createGuildSettings } from '../guilds/guild-settings.ts';
import { createJobStore, WAITING_TTL_MS } from '../jobs/job-store.ts';
import { createLimits, type OperatorLimits } from '../limits/limits.ts';
import { createAuditChannel } from '../moderation/audit-channel.ts';
import { createAuditLog } from '../moderation/audit-log.ts';
import { createReports } from '../moderation/reports.ts';
import type { Retention } from '../privacy/privacy.ts';
import { createDrafts } from '../requests/drafts.ts';
import { createKnownModels } from '../requests/known-models.ts';
import { createMemberSettings } from '../requests/member-settings.ts';
import { createKnownGuilds } from '../storage/known-guilds.ts';
import type { Store } from '../storage/store.ts';
import { createUsage } from '../usage/usage.ts';
import type { DiscordAccess } from './discord-access.ts';

export interface OperatorChoices {
  /** Their key, where neither member nor server has linked one. */
  key?: string | undefined;
  /** Where that one pays; in every server that the bot is in unless given. */
  scope?: OperatorScope | undefined;
  /** The models that are offered while one is typed; usual ones unless given. */
  models?: readonly string[] | undefined;
  /** What everybody is allowed; anything unless given. */
  limits?: OperatorLimits;
  /** For how many days what is over is kept: requests, what a server has used, and its audit log. 90 unless given. */
  retentionDays?: number;
}

/** What the bot keeps of members and servers in its store, what they are allowed, and who has them forgotten. */
export type Records = ReturnType<typeof createRecords>;

export function createRecords({
  store,
  vault,
  operator: {
    key: operatorKey,
    scope: operatorScope,
    models,
    limits: operatorLimits = {},
    retentionDays = 90,
  },
  discord: { messages: discord },
  clock,
  log,
}: {
  store: Store;
  vault: Vault;
  operator: OperatorChoices;
  /** Where servers read what is reported, and what is done. */
  discord: Pick<DiscordAccess, 'messages'>;
  clock: Clock;
  log: Log;
}) {
  const limits = createLimits({ operator: operatorLimits, store, clock, log });
  const retention: Retention = { history: retentionDays, waiting: WAITING_TTL_MS / DAY_MS };
  const retentionMs = retentionDays * DAY_MS;
  const knownGuilds = createKnownGuilds({ store });
  const usage = createUsage({ store, knownGuilds, retentionMs });
  const knownModels = createKnownModels({ store, configured: models, retentionMs, clock });
  const guildSettings = createGuildSettings({ store, log });
  const auditChannel = createAuditChannel({ guildSettings, discord, clock, log });
  return {
    store,
    limits,
    retention,
    knownGuilds,
    usage,
    knownModels,
    guildSettings,
    jobs: createJobStore({
      store,
      vault,
      retentionMs,
      rowsAtEnd: (job) => [...usage.rowsOf(job), ...knownModels.rowsOf(job)],
      learnCost: limits.learnCost,
      clock,
    }),
    auditLog: createAuditLog({ store, channel: auditChannel, knownGuilds, retentionMs, clock }),
    reports: createReports({ store, discord, knownGuilds, retentionMs, clock, log }),
    credentials: createCredentials({ store, vault, clock, log, operatorKey, operatorScope }),
    blockedMembers: createBlockedMembers({ store, clock, log }),
    keptGraphs: createKeptGraphs({ store, clock }),
    drafts: createDrafts({ store, log }),
    memberSettings: createMemberSettings({ store }),
    attempts: createAttempts({ store, clock }),
    /** Ends what is being posted. */
    stop: auditChannel.stop,
  };
}
