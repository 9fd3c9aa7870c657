import { z } from 'zod';
import type { Credentials } from '../credentials/credentials.ts';
import type { KeptGraphs } from '../graphs/kept-graphs.ts';
import type { BlockedMembers } from '../guilds/blocked-members.ts';
import type { GuildSettingsStore } from '../guilds/guild-settings.ts';
import type { Input } from '../jobs/input.ts';
import { isOver, type Job } from '../jobs/job.ts';
import type { JobStore } from '../jobs/job-store.ts';
import type { AuditLog } from '../moderation/audit-log.ts';
import type { Reports } from '../moderation/reports.ts';
import type { Drafts } from '../requests/drafts.ts';
import type { KnownModels } from '../requests/known-models.ts';
import type { MemberSettingsStore } from '../requests/member-settings.ts';
import type { KnownGuilds } from '../storage/known-guilds.ts';
import type { Store } from '../storage/store.ts';
import type { Usage } from '../usage/usage.ts';

/** A part of what the bot keeps: no member is in it where it erases none, and no server where it purges none. */
interface KeptPart {
  collections: readonly string[];
  /** What a member may read of themselves, without secrets. */
  ofMember?(memberId: string): Promise<unknown>;
  eraseMember?(memberId: string): Promise<unknown>;
  purgeGuild?(guildId: string): Promise<unknown>;
  /** Servers that are in it, where no other part names them. */
  guildIds?(): Promise<string[]>;
}
export type KeptData = Readonly<Record<string, KeptPart>>;

export interface KeptDataDependencies {
  store: Store;
  jobs: Pick<JobStore, 'ofMember'>;
  /** Forgets jobs that are over, or wait and are not being delivered; says how many. */
  eraseIdle: JobStore['erase'];
  usage: Pick<Usage, 'ofJobs' | 'eraseMember' | 'purgeGuild'>;
  auditLog: Pick<AuditLog, 'ofMember' | 'eraseMember' | 'purgeGuild'>;
  credentials: Pick<Credentials, 'describe' | 'unlink'>;
  reports: Pick<Reports, 'ofMember' | 'broughtBy' | 'eraseMember' | 'purgeGuild'>;
  guildSettings: Pick<GuildSettingsStore, 'guildIds' | 'purgeGuild'>;
  blockedMembers: Pick<BlockedMembers, 'ofMember' | 'guildIds' | 'purgeGuild'>;
  keptGraphs: Pick<KeptGraphs, 'guildIds' | 'purgeGuild'>;
  knownGuilds: Pick<KnownGuilds, 'guildIds' | 'purgeGuild'>;
  drafts: Pick<Drafts, 'ofMember' | 'eraseMember'>;
  memberSettings: Pick<MemberSettingsStore, 'exportMember' | 'eraseMember'>;
  knownModels: Pick<KnownModels, 'ofMember' | 'eraseMember' | 'purgeGuild'>;
}

/** Everything that the bot keeps: a collection that is not here fails a test. Parts are erased in this order. */
export function keptData({
  store,
  jobs,
  eraseIdle,
  usage,
  auditLog,
  reports,
  credentials,
  guildSettings,
  blockedMembers,
  keptGraphs,
  knownGuilds,
  drafts,
  memberSettings,
  knownModels,
}: KeptDataDependencies): KeptData {
  const setAside = store.collection('set-aside', z.unknown());

  /** Rows that could not be read, and hold this text somewhere. */
  async function forgetSetAside(text: string): Promise<void> {
    const ids = await setAside.ids({ holding: text });
    await store.delete(ids.map(setAside.key));
  }

  return {
    // First, so that a row that is written while a server is being forgotten makes the server known again. If the
    // process dies meanwhile, `missing-guilds` still names it.
    knownGuilds: {
      collections: ['guilds', 'missing-guilds'],
      guildIds: knownGuilds.guildIds,
      purgeGuild: knownGuilds.purgeGuild,
    },

    key: {
      collections: ['keys'],
      async ofMember(id) {
        const linked = await credentials.describe({ kind: 'member', id });
        if (!linked) return undefined;
        const { sealed: _secret, ...shown } = linked;
        return shown;
      },
      eraseMember: (id) => credentials.unlink({ kind: 'member', id }),
      purgeGuild: (id) => credentials.unlink({ kind: 'guild', id }),
    },

    // Erased with the jobs, by which it is found.
    usage: {
      collections: ['usage'],
      ofMember: async (memberId) => usage.ofJobs(await jobs.ofMember(memberId)),
      purgeGuild: usage.purgeGuild,
    },

    // Likewise.
    models: {
      collections: ['models'],
      ofMember: knownModels.ofMember,
      purgeGuild: knownModels.purgeGuild,
    },

    // Not purged with a server that the bot has left: the requests are their members', and expire.
    // One that runs ends first: what is paid for is not dropped.
    jobs: {
      collections: ['jobs', 'members', 'unfinished', 'pictures', 'settled', 'cancellations'],
      ofMember: async (memberId) =>
        (await jobs.ofMember(memberId)).map(({ secrets: _secrets, ...job }) => ({
          ...job,
          graph: withoutForeignNodes(job),
          input: job.input && withoutOthers(job.input),
        })),
      async eraseMember(memberId) {
        // Those as well that end meanwhile.
        let erased: number;
        do {
          const ended = (await jobs.ofMember(memberId)).filter(
            (job) => isOver(job) || job.state === 'waiting',
          );
          await usage.eraseMember(ended);
          await knownModels.eraseMember(ended);
          erased = await eraseIdle(ended);
        } while (erased > 0);
      },
    },

    memberSettings: {
      collections: ['member-settings'],
      ofMember: memberSettings.exportMember,
      eraseMember: memberSettings.eraseMember,
    },

    drafts: {
      collections: ['drafts'],
      ofMember: async (memberId) =>
        (await drafts.ofMember(memberId)).map(({ options, ...draft }) => ({
          ...draft,
          options: {
            ...options,
            graph: withoutForeignNodes({ ...draft, graph: options.graph }),
            source: options.source && { ...options.source, input: withoutOthers(options.source.input) },
          },
        })),
      eraseMember: drafts.eraseMember,
    },

    auditLog: {
      collections: ['audit', 'audit-members'],
      ofMember: auditLog.ofMember,
      eraseMember: auditLog.eraseMember,
      purgeGuild: auditLog.purgeGuild,
    },

    reports: {
      collections: ['reports', 'open-reports', 'posted-reports'],
      ofMember: reports.ofMember,
      eraseMember: reports.eraseMember,
      purgeGuild: reports.purgeGuild,
    },

    // Erased with the reports that hold them.
    reportedInputs: { collections: ['reported-inputs'], ofMember: reports.broughtBy },

    guildSettings: {
      collections: ['guild-settings'],
      guildIds: guildSettings.guildIds,
      purgeGuild: guildSettings.purgeGuild,
    },

    // A block outlives what its member has erased, or it would be none.
    blocks: {
      collections: ['blocked'],
      ofMember: blockedMembers.ofMember,
      guildIds: blockedMembers.guildIds,
      purgeGuild: blockedMembers.purgeGuild,
    },

    // Of no member: who kept a graph stands in the audit log alone.
    graphs: {
      collections: ['graph-names', 'graphs'],
      guildIds: keptGraphs.guildIds,
      purgeGuild: keptGraphs.purgeGuild,
    },

    setAside: {
      collections: ['set-aside'],
      eraseMember: forgetSetAside,
      purgeGuild: forgetSetAside,
    },

    // Tokens that live for a quarter of an hour; and what the bot knows of its service, its secret and its shards.
    own: { collections: ['pending', 'origins', 'vault', 'installation'] },
  };
}

/**
 * The graph of a request as its member may read it: with its nodes where they have attached it for just this one. That
 * of a server, or of a picture that this one was made from, which may be somebody else's, is only named.
 */
const withoutForeignNodes = ({ graph, parent }: Pick<Job, 'graph' | 'parent'>) =>
  graph && (parent || !graph.attached) ? { name: graph.name } : graph;

/** The picture that a request begins with, without who else had brought or posted it: they may be forgotten by now. */
const withoutOthers = ({ broughtBy: _, postedBy: __, ...input }: Input) => input;
