import type { Log } from '@darkroom/process';
import { type Clock, createOneByOne, withTimeout } from '@darkroom/time';
import { z } from 'zod';
import type { MessageApi } from '../delivery/message-api.ts';
import { postNotice } from '../delivery/notices.ts';
import type { MessageLocation } from '../jobs/job.ts';
import { periodAt } from '../limits/period.ts';
import type { Message } from '../messages/message.ts';
import type { KnownGuilds } from '../storage/known-guilds.ts';
import type { Store } from '../storage/store.ts';
import type { BroughtPicture } from './brought-picture.ts';
import { type Complaint, createOpenReports } from './open-reports.ts';
import type { ReportedPicture } from './reported-picture.ts';

/** Reports of one member in an hour: the channel of a server is not to be flooded. */
const MOST_PER_HOUR = 10;

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
  const open = createOpenReports({ store, retentionMs });
  const { inputs } = open;
  const deciding = createOneByOne<string>();

  /** What a member has reported, with the row of what is still open. */
  async function reportedBy(memberId: string) {
    const listed = await rows.list({ prefix: `${memberId}:` });
    return Promise.all(
      listed.map(async ({ id, value }) => {
        const jobId = id.slice(memberId.length + 1);
        return { id, jobId, value, open: await open.find({ guildId: value.guildId, jobId }, memberId) };
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

  /** Forgets what a member has reported where that was another message, on which a moderator has decided. */
  async function forgetDecided(id: string, { guildId, jobId, posted }: ReportedPicture): Promise<boolean> {
    if (await open.reported(guildId, jobId)) return false;
    const forgotten = await rows.update(id, ({ messageId }) =>
      messageId === posted.messageId ? undefined : null,
    );
    return forgotten === null;
  }

  return {
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
      const { guildId, jobId, posted } = picture;
      const at = clock.now();
      const { name, endsAt } = periodAt('hour', at);
      const id = `${reporterId}:${jobId}`;
      const take = {
        key: `reports:${name}:${reporterId}`,
        amount: 1,
        limit: MOST_PER_HOUR,
        ttl: endsAt - at,
      };
      const opened = open.opened(picture, { reporterId, reason });
      // It is open until it has arrived in the channel: a process that dies before leaves it to /moderate.
      const written = [
        rows.row(id, { guildId, at, messageId: posted.messageId }, retentionMs),
        open.row(opened),
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
        await open.end([opened], [rows.key(id)]);
        await store.take([{ ...take, amount: -1 }]);
        return 'refused';
      }
      try {
        await open.keepPosted(picture);
        await open.end([opened]);
      } catch (error) {
        log.warn({ err: error, guild: guildId }, 'a report that has arrived still counts as open');
      }
      return 'filed';
    },

    /** The open ones of a server, oldest picture first; at most a hundred complaints. */
    open: open.list,

    /** A picture that was reported and on which no moderator has decided yet, whether its report was posted or not. */
    reported: open.reported,

    noteCopy: open.noteCopy,

    /** Does what a moderator decides on a picture, one decision after the other. */
    decide: (jobId: string, decision: () => Promise<void>): Promise<void> => deciding.hold(jobId, decision),

    close: open.close,

    /** What is shown of an open report: its pictures, and what is kept of the one that it was made from. */
    async shownWith(report: ReportedPicture) {
      const [pictures, brought] = await Promise.all([picturesAt(report.posted), inputs.find(report)]);
      return { pictures, brought };
    },

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
      for (const job of brought) await open.forgetBrought(job);
      await store.delete(inputs.keysOf(brought));
      const reported = await reportedBy(memberId);
      await open.end(
        reported.flatMap((one) => one.open ?? []),
        reported.map(({ id }) => rows.key(id)),
      );
    },

    async purgeGuild(guildId: string): Promise<void> {
      const [listed, keys] = await Promise.all([
        rows.ids({ holding: JSON.stringify(guildId) }),
        open.keysOf(guildId),
      ]);
      await store.delete([...listed.map(rows.key), ...keys]);
    },
  };
}
