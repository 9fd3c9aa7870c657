import { type REST, Routes, SnowflakeUtil } from 'discord.js';
import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import type { Place, Whereabouts } from '../../jobs/delivery.ts';
import type { Job, JobSecrets } from '../../jobs/job.ts';
import { tokenClosesAt } from './token.ts';
import { verdictOn } from './verdict.ts';

/** The most that Discord lists at once, and how many such pages are read. */
const PAGE = 100;
const PAGES = 10;

/** How far Discord's clock and ours may be apart. */
const SKEW_MS = 60_000;

/** What tells a message of Discord from the page of a proxy that answers 200 in its place. */
const sent = z.object({ id: z.string(), channel_id: z.string() });
const listed = sent.extend({ author: z.object({ id: z.string() }), components: z.unknown() });

/** Where the message stands that Discord answers with. Throws where it is none. */
export function placeOf(answer: unknown): Place {
  const { id, channel_id } = sent.parse(answer);
  return { channelId: channel_id, messageId: id };
}

/** Whether a message is the outcome of `job`, which carries the job's id in its buttons. */
const isOutcome = (job: Job, { author, components }: z.output<typeof listed>): boolean =>
  author.id === job.applicationId && JSON.stringify(components ?? []).includes(job.id);

/**
 * Whether the reply of a job shows the outcome already: by the interaction's token while it lives, which reads private
 * replies too, then by the bot's own. Rejects where Discord fails in passing.
 */
export async function findInReply({
  job,
  secrets,
  bot,
  webhooks,
  clock,
  signal,
}: {
  job: Job;
  secrets: JobSecrets | undefined;
  bot: REST;
  webhooks: REST;
  clock: Clock;
  signal: AbortSignal;
}): Promise<Whereabouts> {
  const { applicationId, channelId, reply } = job;
  const { messageId } = reply;
  const reads: (() => Promise<unknown>)[] = [];
  if (secrets && clock.now() < reply.tokenExpiresAt) {
    const route = Routes.webhookMessage(applicationId, secrets.interactionToken);
    reads.push(() => webhooks.get(route, { signal, auth: false }));
  }
  const isBots = !job.private && messageId !== undefined;
  if (isBots) reads.push(() => bot.get(Routes.channelMessage(channelId, messageId), { signal }));
  for (const read of reads) {
    try {
      const message = listed.parse(await read());
      return isOutcome(job, message) ? placeOf(message) : 'nowhere';
    } catch (error) {
      if (verdictOn(error) === 'passing') throw error;
    }
  }
  // Only a token could have put it there, and this one was closed before there was anything to put.
  const neverSent = !isBots && job.endedAt !== undefined && job.endedAt >= tokenClosesAt(job);
  return neverSent ? 'nowhere' : 'unknown';
}

/**
 * Where in a channel the outcome of a job was posted by an earlier attempt. Nothing was posted before the job's tasks had
 * ended. Rejects as discord.js's REST does.
 */
export async function findPosted({
  bot,
  job,
  channelId,
  signal,
}: {
  bot: REST;
  job: Job;
  channelId: string;
  signal: AbortSignal;
}): Promise<Place | undefined> {
  const since = (job.endedAt ?? job.createdAt) - SKEW_MS;
  let after = later(job.reply.messageId ?? job.id, `${SnowflakeUtil.generate({ timestamp: since })}`);
  for (let page = 0; page < PAGES; page += 1) {
    const query = new URLSearchParams({ limit: `${PAGE}`, after });
    const messages = z
      .array(listed)
      .parse(await bot.get(Routes.channelMessages(channelId), { query, signal }));
    const found = messages.find((message) => isOutcome(job, message));
    if (found) return placeOf(found);
    if (messages.length < PAGE) return undefined;
    after = messages.map(({ id }) => id).reduce(later);
  }
  return undefined;
}

const later = (one: string, other: string): string => (BigInt(one) > BigInt(other) ? one : other);
