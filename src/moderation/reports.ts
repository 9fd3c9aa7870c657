import type { Log } from '@darkroom/process';
import { type Clock, withTimeout } from '@darkroom/time';
import { z } from 'zod';
import type { MessageApi } from '../delivery/message-api.ts';
import { postNotice } from '../delivery/notices.ts';
import type { MessageLocation } from '../jobs/job.ts';
import { windowAt } from '../limits/window.ts';
import type { Message } from '../messages/message.ts';
import type { KnownGuilds } from '../storage/known-guilds.ts';
import type { Store } from '../storage/store.ts';
import { type BroughtPicture, broughtPicture } from './brought-picture.ts';

/** Reports of one member in an hour: the channel of a server is not to be flooded. */
const MOST_PER_HOUR = 10;

/** Complaints that are read at once: enough to begin with. */
const MOST_LISTED = 100;

/** For a look at what is reported, in real milliseconds. */
const TIMEOUT_MS = 10_000;

/** Of the post, for which its member waits as well. */
const POST_BOUNDS = { maxAttempts: 3, budgetMs: 30_000 };

const posted = z.object({ channelId: z.string(), messageId: z.string() });

/**
 * What became of a report: `known` this member has reported this picture before; `full` they have reported too many
 * in this hour; `refused` Discord did not let it into the channel.
 */
type ReportResult = 'filed' | 'known' | 'full' | 'refused';

/** What somebody has said of a picture. */
interface Complaint {
  reporterId: string;
  reason: string;
}

/** A picture of a server that is reported, as far as it is known without its job. */
export interface ReportedPicture {
  guildId: string;
  jobId: string;
  /** Who made it. */
  memberId: string;
  posted: MessageLocation;
  /** Who had brought what it was made from, step by step. */
  broughtBy?: string | undefined;
}

/** One that waits for a moderator to look at it, with all that was said of it. */
export interface OpenReport extends ReportedPicture {
  complaints: Complaint[];
}

/** Pictures that members have shown to the moderators of their server. */
export interface Reports {
  /**
   * Posts a report in the channel that the server has for them; keeps it open where there is none. `copy`: makes what
   * is kept of the picture that was brought, once for all who complain of what was made of it. `render` gets that,
   * and the addresses of the pictures, as far as Discord tells them.
   */
  file(report: {
    picture: ReportedPicture;
    complaint: Complaint;
    channelId: string | undefined;
    copy(): Promise<BroughtPicture | undefined>;
    render(pictures: readonly string[], brought: BroughtPicture | undefined): Message;
  }): Promise<ReportResult>;
  /** The open ones of a server, oldest picture first, or of one of its pictures; at most a hundred complaints. */
  open(guildId: string, jobId?: string): Promise<OpenReport[]>;
  /** What is kept of the picture that an open one was made from. */
  broughtFor(picture: ReportedPicture): Promise<BroughtPicture | undefined>;
  /** A moderator has looked at them. */
  close(guildId: string, jobId: string): Promise<void>;
  /** The addresses of the pictures of a message, as far as Discord tells them. Never rejects. */
  picturesAt(posted: MessageLocation): Promise<string[]>;
  /** What is kept, for open reports, of the pictures that a member had brought. */
  broughtBy(memberId: string): Promise<({ guildId: string; jobId: string } & BroughtPicture)[]>;
  /** What a member has reported. */
  ofMember(memberId: string): Promise<{ jobId: string; guildId: string; at: number; reason?: string }[]>;
  eraseMember(memberId: string): Promise<void>;
  purgeGuild(guildId: string): Promise<void>;
}

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
}): Reports {
  /** `MEMBER:JOB`, of whoever has reported it. */
  const rows = store.collection('reports', z.object({ guildId: z.string(), at: z.number() }));
  /** `GUILD:JOB:REPORTER`, until a moderator has looked at it. */
  const openRows = store.collection(
    'open-reports',
    z.object({
      memberId: z.string(),
      posted,
      reason: z.string(),
      broughtBy: z.string().optional(),
    }),
  );
  /**
   * `MEMBER:GUILD:JOB`, of who had brought what a job that is reported was made from; until a moderator has looked at
   * it.
   */
  const inputs = store.collection('reported-inputs', broughtPicture);
  const inputId = ({ broughtBy, guildId, jobId }: Pick<ReportedPicture, 'broughtBy' | 'guildId' | 'jobId'>) =>
    `${broughtBy}:${guildId}:${jobId}`;

  async function picturesAt(posted: MessageLocation): Promise<string[]> {
    try {
      const { attachments } = await withTimeout(TIMEOUT_MS, (signal) => discord.read(posted, signal));
      return attachments.filter(({ contentType }) => contentType?.startsWith('image/')).map(({ url }) => url);
    } catch (error) {
      log.info({ err: error }, 'a report goes without its picture');
      return [];
    }
  }

  /** Of open reports, with what is kept for them. */
  const keysOf = (listed: Awaited<ReturnType<typeof openRows.list>>): string[] =>
    listed.flatMap(({ id, value: { broughtBy } }) => {
      const [guildId = '', jobId = ''] = id.split(':');
      const kept = broughtBy === undefined ? [] : [inputs.key(inputId({ broughtBy, guildId, jobId }))];
      return [openRows.key(id), ...kept];
    });

  const broughtFor = async (picture: ReportedPicture): Promise<BroughtPicture | undefined> =>
    picture.broughtBy === undefined ? undefined : inputs.get(inputId(picture));

  return {
    broughtFor,

    async file({ picture, complaint: { reporterId, reason }, channelId, copy, render }) {
      const { guildId, jobId, memberId, posted, broughtBy } = picture;
      const at = clock.now();
      const { name, endsAt } = windowAt('hour', at);
      const id = `${reporterId}:${jobId}`;
      const take = {
        key: `reports:${name}:${reporterId}`,
        amount: 1,
        limit: MOST_PER_HOUR,
        ttl: endsAt - at,
      };
      // What is refused anyway is not worth a picture that is fetched and decoded.
      const [before, [taken = 0]] = await Promise.all([rows.get(id), store.counted([take.key])]);
      if (before) return 'known';
      if (taken >= MOST_PER_HOUR) return 'full';
      const kept = await broughtFor(picture);
      const brought = broughtBy === undefined || kept?.copy !== undefined ? kept : ((await copy()) ?? kept);
      const openId = `${guildId}:${jobId}:${reporterId}`;
      // It is open until it has arrived in the channel: a process that dies before leaves it to /moderate.
      const written = [
        rows.row(id, { guildId, at }, retentionMs),
        openRows.row(openId, { memberId, posted, reason, ...(brought && { broughtBy }) }, retentionMs),
        knownGuilds.row(guildId, retentionMs),
        ...(brought ? [inputs.row(inputId(picture), brought, retentionMs)] : []),
      ];
      const { state } = await store.take([take], { rows: written });
      if (state !== 'taken') return state;
      // What is there already is not written again with the report; a copy that could not be made earlier is.
      if (kept && kept !== brought) await inputs.update(inputId(picture), () => brought);
      if (channelId === undefined) return 'filed';
      const opened = [openRows.key(openId), ...(brought && !kept ? [inputs.key(inputId(picture))] : [])];
      try {
        const message = render(await picturesAt(posted), brought);
        await postNotice({ guildId, channelId }, message, { discord, clock, bounds: POST_BOUNDS });
      } catch (error) {
        log.warn({ err: error, guild: guildId }, 'a report did not arrive in the channel of its server');
        await store.delete([rows.key(id), ...opened]);
        return 'refused';
      }
      await store.delete(opened).catch((error: unknown) => {
        log.warn({ err: error, guild: guildId }, 'a report that has arrived still counts as open');
      });
      return 'filed';
    },

    async open(guildId, jobId) {
      const prefix = jobId === undefined ? `${guildId}:` : `${guildId}:${jobId}:`;
      const byJob = new Map<string, OpenReport>();
      for (const { id, value } of await openRows.list({ prefix, limit: MOST_LISTED })) {
        const [, job = '', reporterId = ''] = id.split(':');
        const { reason, ...picture } = value;
        const report = byJob.get(job) ?? { guildId, jobId: job, ...picture, complaints: [] };
        report.complaints.push({ reporterId, reason });
        byJob.set(job, report);
      }
      return [...byJob.values()];
    },

    async close(guildId, jobId) {
      const listed = await openRows.list({ prefix: `${guildId}:${jobId}:` });
      await store.delete(keysOf(listed));
    },

    picturesAt,

    async ofMember(memberId) {
      const listed = await rows.list({ prefix: `${memberId}:` });
      return Promise.all(
        listed.map(async ({ id, value }) => {
          const jobId = id.slice(memberId.length + 1);
          const open = await openRows.get(`${value.guildId}:${jobId}:${memberId}`);
          return { jobId, ...value, ...(open && { reason: open.reason }) };
        }),
      );
    },

    async broughtBy(memberId) {
      const listed = await inputs.list({ prefix: `${memberId}:` });
      return listed.map(({ id, value }) => {
        const [, guildId = '', jobId = ''] = id.split(':');
        return { guildId, jobId, ...value };
      });
    },

    async eraseMember(memberId) {
      // What they had brought goes; that somebody complained of what was made of it stays for its moderators.
      for (const { id } of await inputs.list({ prefix: `${memberId}:` })) {
        const about = await openRows.list({ prefix: `${id.slice(memberId.length + 1)}:` });
        for (const { id: openId } of about)
          await openRows.update(openId, ({ broughtBy: _, ...others }) => others);
        await inputs.delete(id);
      }
      const listed = await rows.list({ prefix: `${memberId}:` });
      await store.delete(
        listed.flatMap(({ id, value: { guildId } }) => [
          rows.key(id),
          openRows.key(`${guildId}:${id.slice(memberId.length + 1)}:${memberId}`),
        ]),
      );
    },

    async purgeGuild(guildId) {
      const [listed, open] = await Promise.all([rows.list(), openRows.list({ prefix: `${guildId}:` })]);
      await store.delete([
        ...listed.flatMap(({ id, value }) => (value.guildId === guildId ? [rows.key(id)] : [])),
        ...keysOf(open),
      ]);
    },
  };
}
