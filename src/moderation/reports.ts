import { randomBytes } from 'node:crypto';
import type { Log } from '@darkroom/process';
import { type Clock, retry, withTimeout } from '@darkroom/time';
import { type REST, Routes } from 'discord.js';
import { z } from 'zod';
import { classifyDiscordError } from '../delivery/classify-discord-error.ts';
import type { MessageApi, Place } from '../delivery/message-api.ts';
import type { Job, MessageLocation } from '../jobs/job.ts';
import { windowAt } from '../limits/window.ts';
import type { Message } from '../messages/message.ts';
import type { Store } from '../storage/store.ts';

/** Reports of one member in an hour: the channel of a server is not to be flooded. */
const MOST_PER_HOUR = 10;

/** For one request to Discord, of which its member waits for some. */
const TIMEOUT_MS = 10_000;
const POSTS = 3;

const attachments = z.object({
  attachments: z.array(z.object({ url: z.url(), content_type: z.string().optional() })),
});

/**
 * What became of a report: `known` this member has reported this picture before; `full` they have reported too many in this
 * hour; `refused` Discord did not let it into the channel.
 */
export type ReportResult = 'filed' | 'known' | 'full' | 'refused';

/** Pictures that members have shown to the moderators of their server. */
export interface Reports {
  /** Posts a report in `channelId`. `render` gets the addresses of the pictures, as far as Discord tells them. */
  file(report: {
    job: Job & { guildId: string; posted: MessageLocation };
    reporterId: string;
    channelId: string;
    render(pictures: readonly string[]): Message;
  }): Promise<ReportResult>;
  /** Deletes the message of a picture. One that is gone already is as good. */
  deletePicture(posted: MessageLocation): Promise<void>;
  /** What a member has reported. */
  ofMember(memberId: string): Promise<{ jobId: string; guildId: string; at: number }[]>;
  eraseMember(memberId: string): Promise<void>;
  purgeGuild(guildId: string): Promise<void>;
}

export function createReports({
  store,
  rest,
  discord,
  retentionMs,
  clock,
  log,
}: {
  store: Store;
  /** With the bot's token. */
  rest: REST;
  discord: Pick<MessageApi, 'post'>;
  /** How long is known who has reported what. */
  retentionMs: number;
  clock: Clock;
  log: Log;
}): Reports {
  /** `MEMBER:JOB`, of whoever has reported it. */
  const rows = store.collection('reports', z.object({ guildId: z.string(), at: z.number() }));

  async function picturesAt({ channelId, messageId }: MessageLocation): Promise<string[]> {
    try {
      const message = await withTimeout(TIMEOUT_MS, (signal) =>
        rest.get(Routes.channelMessage(channelId, messageId), { signal }),
      );
      return attachments
        .parse(message)
        .attachments.filter(({ content_type: type }) => type?.startsWith('image/'))
        .map(({ url }) => url);
    } catch (error) {
      log.info({ err: error }, 'a report goes without its picture');
      return [];
    }
  }

  async function post(place: Place, message: Message): Promise<void> {
    const nonce = randomBytes(12).toString('hex');
    const attempt = () => withTimeout(TIMEOUT_MS, (signal) => discord.post(place, nonce, message, signal));
    const isRetryable = (error: unknown) => classifyDiscordError(error).kind === 'temporary';
    await retry(attempt, { policy: { maxAttempts: POSTS, isRetryable }, clock, random: Math.random });
  }

  return {
    async file({ job, reporterId, channelId, render }) {
      const at = clock.now();
      const { name, endsAt } = windowAt('hour', at);
      const id = `${reporterId}:${job.id}`;
      const row = rows.row(id, { guildId: job.guildId, at }, retentionMs);
      const take = {
        key: `reports:${name}:${reporterId}`,
        amount: 1,
        limit: MOST_PER_HOUR,
        ttl: endsAt - at,
      };
      const { state } = await store.take([take], { rows: [row] });
      if (state !== 'taken') return state;
      try {
        await post({ guildId: job.guildId, channelId }, render(await picturesAt(job.posted)));
        return 'filed';
      } catch (error) {
        log.warn({ err: error, guild: job.guildId }, 'a report did not arrive in the channel of its server');
        await rows.delete(id);
        return 'refused';
      }
    },

    async deletePicture({ channelId, messageId }) {
      const gone = (error: unknown) =>
        ['message-gone', 'channel-gone'].includes(classifyDiscordError(error).kind);
      await withTimeout(TIMEOUT_MS, (signal) =>
        rest.delete(Routes.channelMessage(channelId, messageId), { signal }),
      ).catch((error: unknown) => {
        if (!gone(error)) throw error;
      });
    },

    async ofMember(memberId) {
      const listed = await rows.list({ prefix: `${memberId}:` });
      return listed.map(({ id, value }) => ({ jobId: id.slice(memberId.length + 1), ...value }));
    },

    async eraseMember(memberId) {
      const listed = await rows.list({ prefix: `${memberId}:` });
      await store.delete(listed.map(({ id }) => rows.key(id)));
    },

    async purgeGuild(guildId) {
      const listed = await rows.list();
      await store.delete(
        listed.flatMap(({ id, value }) => (value.guildId === guildId ? [rows.key(id)] : [])),
      );
    },
  };
}
