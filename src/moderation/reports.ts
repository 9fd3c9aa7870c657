import type { Log } from '@darkroom/process';
import { type Clock, withTimeout } from '@darkroom/time';
import { z } from 'zod';
import type { MessageApi } from '../delivery/message-api.ts';
import { postNotice } from '../delivery/notices.ts';
import type { MessageLocation } from '../jobs/job.ts';
import { periodAt } from '../limits/period.ts';
import type { Message } from '../messages/message.ts';
import type { KnownGuilds } from '../storage/known-guilds.ts';
import type { Store } from '../storage/store.ts';
import type { BroughtPicture } from './brought-picture.ts';
import { createReportedInputs, type ReportedJob } from './reported-inputs.ts';
import { type ReportedPicture, reportedRow, withCopiesOf, withCopy } from './reported-picture.ts';

/** Reports of one member in an hour: the channel of a server is not to be flooded. */
const MOST_PER_HOUR = 10;

/** Complaints that are read at once: enough to begin with. */
const MOST_LISTED = 100;

/** For a look at what is reported, in real milliseconds. */
const TIMEOUT_MS = 10_000;

/** Of the post, for which its member waits as well. */
const POST_BOUNDS = { maxAttempts: 3, budgetMs: 30_000 };

/**
 * What became of a report: `known` this member has reported this picture before: in this very message, or no moderator
 * has decided on it yet; `full` they have reported too many in this hour; `refused` Discord did not let it into the
 * channel.
 */
type ReportResult = 'filed' | 'known' | 'full' | 'refused';

interface Complaint {
  reporterId: string;
  reason: string;
}

/** One that waits for a moderator to look at it, with all that was said of it. */
export interface OpenReport extends ReportedPicture {
  complaints: Complaint[];
}

/** Pictures that members have shown to the moderators of their server. */
export type Reports = ReturnType<typeof createReports>;

export function createReports({
  store,
  discord,
  knownGuilds,
  retentionMs,
  clock,
  log,
}: {
  store: Store;
  discord: Pick<MessageApi, 'post' | 'read'>;
  knownGuilds: Pick<KnownGuilds, 'row'>;
  /** How long is known who has reported what. */
  retentionMs: number;
  clock: Clock;
  log: Log;
}) {
  /** `MEMBER:JOB`, of whoever has reported it. */
  const rows = store.collection(
    'reports',
    // `messageId`: in which message; versions before did not write it.
    z.object({ guildId: z.string(), at: z.number(), messageId: z.string().optional() }),
  );
  /** `GUILD:JOB:REPORTER`, until a moderator has looked at it. */
  const openRows = store.collection(
    'open-reports',
    reportedRow.extend({ reason: z.string(), broughtBy: z.string().optional() }),
  );
  type OpenRows = Awaited<ReturnType<typeof openRows.list>>;
  /** `GUILD:JOB`, of what stands in the channel of its server, until a moderator has decided on it. */
  const postedRows = store.collection('posted-reports', reportedRow);
  const inputs = createReportedInputs({ store, retentionMs });

  /** What a member has reported, with the row of what is still open. */
  async function reportedBy(memberId: string) {
    const listed = await rows.list({ prefix: `${memberId}:` });
    return Promise.all(
      listed.map(async ({ id, value }) => {
        const jobId = id.slice(memberId.length + 1);
        const openId = `${value.guildId}:${jobId}:${memberId}`;
        const open = await openRows.get(openId);
        return { id, jobId, value, open: open && { id: openId, value: open } };
      }),
    );
  }

  /** The addresses of the pictures of a message, as far as Discord tells them. Never rejects. */
  async function picturesAt(posted: MessageLocation): Promise<string[]> {
    try {
      const { attachments } = await withTimeout(TIMEOUT_MS, (signal) => discord.read(posted, signal));
      return attachments.filter(({ contentType }) => contentType?.startsWith('image/')).map(({ url }) => url);
    } catch (error) {
      log.info({ err: error }, 'a report goes without its picture');
      return [];
    }
  }

  const jobsOf = (open: OpenRows): ReportedJob[] =>
    open.map(({ id, value: { broughtBy } }) => {
      const [guildId = '', jobId = ''] = id.split(':');
      return { guildId, jobId, broughtBy };
    });

  /** Deletes open reports, other rows with them, and what was kept for pictures of which nobody else complains. */
  async function end(open: OpenRows, others: readonly string[] = []): Promise<void> {
    await store.delete([...others, ...open.map(({ id }) => openRows.key(id))]);
    const left: ReportedJob[] = [];
    for (const job of jobsOf(open)) {
      if (job.broughtBy === undefined) continue;
      const [other] = await openRows.list({ prefix: `${job.guildId}:${job.jobId}:`, limit: 1 });
      // One that is filed between these two statements is open without the copy.
      if (!other) left.push(job);
    }
    await store.delete(inputs.keysOf(left));
  }

  /** A picture that was reported and on which no moderator has decided yet, whether its report was posted or not. */
  async function reported(guildId: string, jobId: string): Promise<ReportedPicture | undefined> {
    const id = `${guildId}:${jobId}`;
    const inChannel = await postedRows.get(id);
    const open = (await openRows.list({ prefix: `${id}:` })).map(({ value }) => value);
    const first = inChannel ?? open[0];
    if (!first) return undefined;
    const { memberId, posted, alone } = open.reduce((one, other) => withCopiesOf(one, other), first);
    return { guildId, jobId, memberId, posted, alone };
  }

  /** Forgets what a member has reported where that was another message, on which a moderator has decided. */
  async function forgetDecided(id: string, { guildId, jobId, posted }: ReportedPicture): Promise<boolean> {
    if (await reported(guildId, jobId)) return false;
    const forgotten = await rows.update(id, ({ messageId }) =>
      messageId === posted.messageId ? undefined : null,
    );
    return forgotten === null;
  }

  /** Writes what stands in the channel, with what others had written of it, and what was noted while it was posted. */
  async function keepPosted(id: string, value: z.output<typeof reportedRow>): Promise<void> {
    if (!(await store.insert([postedRows.row(id, value, retentionMs)]))) {
      const earlier = (await postedRows.get(id)) ?? value;
      await postedRows.set(id, withCopiesOf(earlier, value), retentionMs);
    }
    for (const open of await openRows.list({ prefix: `${id}:` }))
      await postedRows.update(id, (row) => withCopiesOf(row, open.value));
  }

  return {
    /** What is kept of the picture that an open report was made from. */
    broughtFor: inputs.find,

    /**
     * Posts a report in the channel that the server has for them; keeps it open where there is none. `copy`: makes what
     * is kept of the picture that was brought, once for all who complain of what was made of it, and never rejects.
     * `render` gets that, and the addresses of the pictures, as far as Discord tells them.
     */
    async file({
      picture,
      complaint: { reporterId, reason },
      channelId,
      copy,
      render,
    }: {
      picture: ReportedPicture;
      complaint: Complaint;
      channelId: string | undefined;
      copy(): Promise<BroughtPicture | undefined>;
      render(pictures: readonly string[], brought: BroughtPicture | undefined): Message;
    }): Promise<ReportResult> {
      const { guildId, jobId, memberId, posted, alone, broughtBy } = picture;
      const at = clock.now();
      const { name, endsAt } = periodAt('hour', at);
      const id = `${reporterId}:${jobId}`;
      const take = {
        key: `reports:${name}:${reporterId}`,
        amount: 1,
        limit: MOST_PER_HOUR,
        ttl: endsAt - at,
      };
      const opened = {
        id: `${guildId}:${jobId}:${reporterId}`,
        value: { memberId, posted, alone, reason, broughtBy },
      };
      // It is open until it has arrived in the channel: a process that dies before leaves it to /moderate.
      const written = [
        rows.row(id, { guildId, at, messageId: posted.messageId }, retentionMs),
        openRows.row(opened.id, opened.value, retentionMs),
        knownGuilds.row(guildId, retentionMs),
        ...inputs.rowsOf(picture),
      ];
      let { state } = await store.take([take], { rows: written });
      if (state === 'known' && (await forgetDecided(id, picture)))
        ({ state } = await store.take([take], { rows: written }));
      if (state !== 'taken') return state;
      const brought = await inputs.keep(picture, copy);
      if (channelId === undefined) return 'filed';
      try {
        const message = render(await picturesAt(posted), brought);
        await postNotice({ guildId, channelId }, message, { discord, clock, bounds: POST_BOUNDS });
      } catch (error) {
        log.warn({ err: error, guild: guildId }, 'a report did not arrive in the channel of its server');
        await end([opened], [rows.key(id)]);
        await store.take([{ ...take, amount: -1 }]);
        return 'refused';
      }
      try {
        await keepPosted(`${guildId}:${jobId}`, { memberId, posted, alone });
        await end([opened]);
      } catch (error) {
        log.warn({ err: error, guild: guildId }, 'a report that has arrived still counts as open');
      }
      return 'filed';
    },

    /** The open ones of a server, oldest picture first; at most a hundred complaints. */
    async open(guildId: string): Promise<OpenReport[]> {
      const byJob = new Map<string, OpenReport>();
      for (const { id, value } of await openRows.list({ prefix: `${guildId}:`, limit: MOST_LISTED })) {
        const [, job = '', reporterId = ''] = id.split(':');
        const { reason, ...picture } = value;
        const report = byJob.get(job) ?? { guildId, jobId: job, ...picture, complaints: [] };
        report.complaints.push({ reporterId, reason });
        byJob.set(job, report);
      }
      return [...byJob.values()];
    },

    reported,

    /** Another message shows it, or one of several pictures alone: kept where it is reported. */
    async noteCopy({ guildId, jobId }: ReportedJob, copy: MessageLocation): Promise<void> {
      const id = `${guildId}:${jobId}`;
      // Those on their way first: what is not read of them once they have arrived is written where they stand then.
      for (const open of await openRows.list({ prefix: `${id}:` }))
        await openRows.update(open.id, (row) => withCopy(row, copy));
      await postedRows.update(id, (row) => withCopy(row, copy));
    },

    /** A moderator has decided on it. */
    async close(guildId: string, jobId: string): Promise<void> {
      const id = `${guildId}:${jobId}`;
      await end(await openRows.list({ prefix: `${id}:` }), [postedRows.key(id)]);
    },

    picturesAt,

    async ofMember(memberId: string) {
      const reported = await reportedBy(memberId);
      return reported.map(({ jobId, value, open }) => ({
        jobId,
        ...value,
        ...(open && { reason: open.value.reason }),
      }));
    },

    /** What is kept, for open reports, of the pictures that a member had brought. */
    async broughtBy(memberId: string) {
      const kept = await inputs.ofMember(memberId);
      return kept.map(({ guildId, jobId, value }) => ({ guildId, jobId, ...value }));
    },

    async eraseMember(memberId: string): Promise<void> {
      // What they had brought goes; that somebody complained of what was made of it stays for its moderators.
      const brought = await inputs.ofMember(memberId);
      for (const { guildId, jobId } of brought) {
        for (const { id } of await openRows.list({ prefix: `${guildId}:${jobId}:` }))
          await openRows.update(id, ({ broughtBy: _, ...others }) => others);
      }
      await store.delete(inputs.keysOf(brought));
      const reported = await reportedBy(memberId);
      const open = reported.flatMap(({ open }) => open ?? []);
      await end(
        open,
        reported.map(({ id }) => rows.key(id)),
      );
    },

    async purgeGuild(guildId: string): Promise<void> {
      const prefix = `${guildId}:`;
      const [listed, posted, open] = await Promise.all([
        rows.ids({ holding: JSON.stringify(guildId) }),
        postedRows.list({ prefix }),
        openRows.list({ prefix }),
      ]);
      await store.delete([
        ...listed.map(rows.key),
        ...posted.map(({ id }) => postedRows.key(id)),
        ...open.map(({ id }) => openRows.key(id)),
        ...inputs.keysOf(jobsOf(open)),
      ]);
    },
  };
}
