import { z } from 'zod';
import type { MessageLocation } from '../jobs/job.ts';
import type { Row } from '../storage/collection.ts';
import type { Store } from '../storage/store.ts';
import { createReportedInputs, type ReportedJob } from './reported-inputs.ts';
import { type ReportedPicture, reportedRow, withCopiesOf, withCopy } from './reported-picture.ts';

/** Complaints that are read at once: enough to begin with. */
const MOST_LISTED = 100;

export interface Complaint {
  reporterId: string;
  reason: string;
}

/** One that waits for a moderator to look at it, with all that was said of it. */
export interface OpenReport extends ReportedPicture {
  complaints: Complaint[];
}

/** On which no moderator has decided yet. */
export function createOpenReports({ store, retentionMs }: { store: Store; retentionMs: number }) {
  /** `GUILD:JOB:REPORTER`, until a moderator has looked at it. */
  const rows = store.collection(
    'open-reports',
    reportedRow.extend({ reason: z.string(), broughtBy: z.string().optional() }),
  );
  type OpenRows = Awaited<ReturnType<typeof rows.list>>;
  /** `GUILD:JOB`, of what stands in the channel of its server, until a moderator has decided on it. */
  const postedRows = store.collection('posted-reports', reportedRow);
  const inputs = createReportedInputs({ store, retentionMs });

  const jobIdOf = ({ guildId, jobId }: ReportedJob) => `${guildId}:${jobId}`;
  const idOf = (job: ReportedJob, reporterId: string) => `${jobIdOf(job)}:${reporterId}`;
  const rowsOf = (job: ReportedJob): Promise<OpenRows> => rows.list({ prefix: `${jobIdOf(job)}:` });

  const jobsOf = (open: OpenRows): ReportedJob[] =>
    open.map(({ id, value: { broughtBy } }) => {
      const [guildId = '', jobId = ''] = id.split(':');
      return { guildId, jobId, broughtBy };
    });

  function reportsIn(open: OpenRows): OpenReport[] {
    const byJob = new Map<string, OpenReport>();
    for (const { id, value } of open) {
      const [guildId = '', jobId = '', reporterId = ''] = id.split(':');
      const { reason, ...picture } = value;
      const report = byJob.get(jobId) ?? { guildId, jobId, ...picture, complaints: [] };
      report.complaints.push({ reporterId, reason });
      byJob.set(jobId, report);
    }
    return [...byJob.values()];
  }

  /** Deletes open reports, other rows with them, and what was kept for pictures of which nobody else complains. */
  async function end(open: OpenRows, others: readonly string[] = []): Promise<void> {
    await store.delete([...others, ...open.map(({ id }) => rows.key(id))]);
    const left: ReportedJob[] = [];
    for (const job of jobsOf(open)) {
      if (job.broughtBy === undefined) continue;
      const [other] = await rows.list({ prefix: `${jobIdOf(job)}:`, limit: 1 });
      // One that is filed between these two statements is open without the copy.
      if (!other) left.push(job);
    }
    await store.delete(inputs.keysOf(left));
  }

  return {
    inputs,

    /** As it is written once it is filed. */
    opened(
      { memberId, posted, alone, broughtBy, ...job }: ReportedPicture,
      { reporterId, reason }: Complaint,
    ) {
      const id = idOf(job, reporterId);
      const value = { memberId, posted, alone, reason, broughtBy };
      return { id, value };
    },

    row: ({ id, value }: OpenRows[number]): Row => rows.row(id, value, retentionMs),

    end,

    async find(job: ReportedJob, reporterId: string): Promise<OpenRows[number] | undefined> {
      const id = idOf(job, reporterId);
      const value = await rows.get(id);
      return value && { id, value };
    },

    /** Those of a server, oldest picture first; at most a hundred complaints. */
    list: async (guildId: string): Promise<OpenReport[]> =>
      reportsIn(await rows.list({ prefix: `${guildId}:`, limit: MOST_LISTED })),

    /** A picture that was reported, whether its report was posted or not. */
    async reported(guildId: string, jobId: string): Promise<ReportedPicture | undefined> {
      const inChannel = await postedRows.get(jobIdOf({ guildId, jobId }));
      const open = (await rowsOf({ guildId, jobId })).map(({ value }) => value);
      const first = inChannel ?? open[0];
      if (!first) return undefined;
      const { memberId, posted, alone } = open.reduce((one, other) => withCopiesOf(one, other), first);
      return { guildId, jobId, memberId, posted, alone };
    },

    /** Writes what stands in the channel, with what others had written of it, and what was noted meanwhile. */
    async keepPosted({ memberId, posted, alone, ...job }: ReportedPicture): Promise<void> {
      const id = jobIdOf(job);
      const value = { memberId, posted, alone };
      if (!(await store.insert([postedRows.row(id, value, retentionMs)]))) {
        const earlier = (await postedRows.get(id)) ?? value;
        await postedRows.set(id, withCopiesOf(earlier, value), retentionMs);
      }
      for (const open of await rowsOf(job))
        await postedRows.update(id, (row) => withCopiesOf(row, open.value));
    },

    /** Another message shows it, or one of several pictures alone: kept where it is reported. */
    async noteCopy(job: ReportedJob, copy: MessageLocation): Promise<void> {
      // Those on their way first: what is not read of them once they have arrived is written where they stand then.
      for (const open of await rowsOf(job)) await rows.update(open.id, (row) => withCopy(row, copy));
      await postedRows.update(jobIdOf(job), (row) => withCopy(row, copy));
    },

    /**
     * A moderator has decided on it. Where more complain by now than they were `shown`, it stays open, and resolves
     * with all of them.
     */
    async close(guildId: string, jobId: string, shown = Number.POSITIVE_INFINITY) {
      const open = await rowsOf({ guildId, jobId });
      if (open.length > shown) return reportsIn(open)[0];
      await end(open, [postedRows.key(jobIdOf({ guildId, jobId }))]);
      return undefined;
    },

    /** What its member had brought for it is nobody's any more. */
    async forgetBrought(job: ReportedJob): Promise<void> {
      for (const { id } of await rowsOf(job)) await rows.update(id, ({ broughtBy: _, ...others }) => others);
    },

    /** All of a server, for `Store.delete`. */
    async keysOf(guildId: string): Promise<string[]> {
      const prefix = `${guildId}:`;
      const [posted, open] = await Promise.all([postedRows.list({ prefix }), rows.list({ prefix })]);
      return [
        ...posted.map(({ id }) => postedRows.key(id)),
        ...open.map(({ id }) => rows.key(id)),
        ...inputs.keysOf(jobsOf(open)),
      ];
    },
  };
}
