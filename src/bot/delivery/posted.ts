import { type REST, Routes, SnowflakeUtil } from 'discord.js';
import type { APIMessage } from 'discord-api-types/v10';
import type { Place } from '../../jobs/delivery.ts';
import type { Job } from '../../jobs/job.ts';

/** The most that Discord lists at once, and how many such pages are read. */
const PAGE = 100;
const PAGES = 10;

/** How far Discord's clock and ours may be apart. */
const SKEW_MS = 60_000;

/** Whether `message` is the outcome of `job`, which carries the job's id in its buttons. */
const isOutcome = (job: Job, { author, components }: APIMessage): boolean =>
  author.id === job.applicationId && JSON.stringify(components).includes(job.id);

/** Where the reply of a job shows the outcome already. A private one cannot be read. Rejects as discord.js's REST does. */
export async function findInReply({
  bot,
  job,
  signal,
}: {
  bot: REST;
  job: Job;
  signal: AbortSignal;
}): Promise<Place | undefined> {
  const { channelId, reply } = job;
  const { messageId } = reply;
  if (job.private || messageId === undefined) return undefined;
  // discord.js leaves the types of answers to its caller; this is Discord's own answer to its own route.
  const message = (await bot.get(Routes.channelMessage(channelId, messageId), { signal })) as APIMessage;
  return isOutcome(job, message) ? { channelId, messageId } : undefined;
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
    // As above.
    const messages = (await bot.get(Routes.channelMessages(channelId), { query, signal })) as APIMessage[];
    const found = messages.find((message) => isOutcome(job, message));
    if (found) return { channelId, messageId: found.id };
    if (messages.length < PAGE) return undefined;
    after = messages.map(({ id }) => id).reduce(later);
  }
  return undefined;
}

const later = (one: string, other: string): string => (BigInt(one) > BigInt(other) ? one : other);
