import { guildOfRequest, type Job } from '../jobs/job.ts';
import type { Row } from '../storage/collection.ts';
import type { KnownGuilds } from '../storage/known-guilds.ts';
import type { Store } from '../storage/store.ts';
import { createMonthSum, daysOf, type MonthUsage } from './month-usage.ts';
import { type UsageRow, usageDay, usageId, usageOf, usageRow } from './usage-row.ts';

/** What the members of a server have made there, by day. */
export type Usage = ReturnType<typeof createUsage>;

export function createUsage({
  store,
  knownGuilds,
  retentionMs,
}: {
  store: Store;
  knownGuilds: Pick<KnownGuilds, 'row'>;
  retentionMs: number;
}) {
  // A row for each job: a count that is added to would count twice what a killed process has to write again.
  const rows = store.collection('usage', usageRow);

  /** A day is in memory at a time. */
  async function sumOf(guildId: string, month: string, days: readonly string[]): Promise<MonthUsage> {
    const sum = createMonthSum(month);
    for (const day of days) {
      const ofDay = (await rows.list({ prefix: `${guildId}:${day}:` })).map(({ value }) => value);
      sum.add(day, ofDay);
    }
    return sum.sum();
  }

  return {
    /** For so long a day is kept; what is older is forgotten. */
    retentionMs,

    /** One day of a server, `2026-11-22`, in UTC. */
    day: (guildId: string, day: string): Promise<Pick<MonthUsage, 'total' | 'members'>> =>
      sumOf(guildId, day.slice(0, 7), [day]),

    /**
     * The rows to be written with the end of a job, so that it counts exactly once however often its end is written.
     * None where it does not count.
     */
    rowsOf(job: Job): Row[] {
      const row = usageOf(job);
      const guildId = guildOfRequest(job);
      if (!row || guildId === null) return [];
      return [rows.row(usageId(job), row, retentionMs), knownGuilds.row(guildId, retentionMs)];
    },

    /** A month of a server, `2026-11`, by days in UTC. */
    month: (guildId: string, month: string): Promise<MonthUsage> => sumOf(guildId, month, daysOf(month)),

    purgeGuild: (guildId: string): Promise<void> => rows.deleteAll(`${guildId}:`),

    /** Those of the jobs that have a row here: their server may have been forgotten since. */
    async ofJobs(jobs: readonly Job[]) {
      const counted: ({ guildId: string | null; day: string } & UsageRow)[] = [];
      for (const job of jobs) {
        const row = await rows.get(usageId(job));
        if (row) counted.push({ guildId: guildOfRequest(job), day: usageDay(job), ...row });
      }
      return counted;
    },

    /** Leaves the counts of these jobs that there are, for as long as before, and forgets whose they are. */
    async eraseMember(jobs: readonly Job[]): Promise<void> {
      await rows.updateMany(jobs.map(usageId), (row) => ({ ...row, memberId: null }));
    },
  };
}
