import { type Clock, createCache, HOUR_MS, retry, withTimeout } from '@darkroom/time';
import { SnowflakeUtil } from 'discord.js';
import type { FindResult } from '../jobs/delivery-port.ts';
import { hasDeliveryBegun, type Job, type MessageLocation, TOKEN_LIFE_MS } from '../jobs/job.ts';
import { classifyDiscordError, retryTemporary } from './classify-discord-error.ts';
import { locationOf, type MessageApi, PAGE, type ReadMessage } from './message-api.ts';
import type { Outage } from './outage.ts';
import {
  isWithinToken,
  publicReply,
  type RefusedTokens,
  replyByToken,
  tokenClosesAt,
  tokenExpiresAt,
} from './reply-access.ts';
import type { Target } from './targets.ts';

/** How many pages of a channel are read. */
const PAGES = 10;

/** How much further Discord's clock and ours may be apart than they were when a job was asked for. */
const CLOCK_SKEW_MS = 60_000;

/** For one call. */
const TIMEOUT_MS = 15_000;

/**
 * How long one look waits in all where Discord lets nobody read on, in milliseconds: seconds, unless others look in the
 * same channel.
 */
const LIMITED_MS = 60_000;

/** How many looks that came to no end are remembered. */
const MOST_UNFINISHED = 10_000;

/** `FindResult`, with the target in which the message was found. */
type TargetFindResult =
  | Exclude<FindResult, { state: 'found' }>
  | { state: 'found'; message: MessageLocation; target: Target['name'] };

/** How far a channel was read in vain by looks that came to no end: whoever looks again goes on there. */
type UnfinishedLooks = ReturnType<typeof createUnfinishedLooks>;

export const createUnfinishedLooks = ({ clock }: { clock: Pick<Clock, 'now'> }) =>
  createCache<string, { after: string; pages: number }>({ max: MOST_UNFINISHED, ttlMs: HOUR_MS, clock });

interface FindOptions {
  discord: MessageApi;
  refusedTokens: RefusedTokens;
  unfinished: UnfinishedLooks;
  outage: Outage;
  clock: Clock;
  signal: AbortSignal;
}

/**
 * Our message: the one that shows the outcome of a job, and carries the job's id in its buttons. Looked for in every
 * target that an earlier attempt may have used; where it is in none, the result for the reply counts. Rejects where
 * Discord fails temporarily, or with the signal's reason.
 */
export async function findMessage(job: Job, options: FindOptions): Promise<TargetFindResult> {
  const findIn = (target: Target['name']) => findMessageIn(target, job, options);
  await options.outage.untilAdmitted(options.signal);
  const inReply = await findIn('reply');
  if (inReply.state === 'found') return inReply;
  const hasBegun = hasDeliveryBegun(job);
  // Until its end is written, an outcome is shown in the reply and nowhere else. The row of a store that was
  // restored from a backup may be older than that: once the token is dead, it is looked for elsewhere as well.
  if (!hasBegun && tokenLives(job, options)) return inReply;
  const inChannel = job.private || job.away ? inReply : await findIn('channel');
  if (inChannel.state === 'found') return inChannel;
  // Discord stops bots that open many conversations at once, as a start with many unfinished jobs would.
  const direct = hasBegun ? await findIn('direct-message') : inReply;
  return direct.state === 'found' ? direct : inReply;
}

/** Likewise, in one target. */
export async function findMessageIn(
  target: Target['name'],
  job: Job,
  options: FindOptions,
): Promise<TargetFindResult> {
  if (target === 'reply') return findInReply(job, options);
  // Only its member can read it.
  if (target === 'follow-up') return { state: 'unknown' };
  return findInChannel(target, job, options);
}

/** One call, which shows whether Discord answers. */
const ask = <Result>(
  { outage, clock, signal }: FindOptions,
  call: (within: AbortSignal) => Promise<Result>,
): Promise<Result> => outage.observe(withTimeout(TIMEOUT_MS, call, { signal, clock }), { signal });

const tokenLives = (job: Job, { clock, refusedTokens }: FindOptions): boolean =>
  isWithinToken(job) && clock.now() < tokenExpiresAt(job) && !refusedTokens.has(job);

/** By the interaction token, which reads private replies too, then by the bot's own. */
async function findInReply(job: Job, options: FindOptions): Promise<TargetFindResult> {
  const { discord, refusedTokens } = options;
  const { secrets } = job;
  const location = publicReply(job);
  const reads: ((within: AbortSignal) => Promise<ReadMessage>)[] = [];
  if (secrets && tokenLives(job, options)) {
    reads.push((within) => discord.readReply(replyByToken(job, secrets.interactionToken), within));
  }
  if (location) reads.push((within) => discord.read(location, within));
  for (const read of reads) {
    try {
      const message = await ask(options, read);
      return showsOutcome(job, message) ? found(message, 'reply') : { state: 'absent' };
    } catch (error) {
      const { kind } = classifyDiscordError(error);
      if (kind === 'temporary') throw error;
      if (kind === 'token-expired') refusedTokens.add(job);
    }
  }
  // A private reply can be read only by its token, which had expired before the outcome could be sent.
  const neverSent = !location && job.endedAt !== undefined && job.endedAt >= tokenClosesAt(job);
  return { state: neverSent ? 'absent' : 'unknown' };
}

/**
 * Among the messages since the job's tasks ended, or it was to be published: nothing was posted before. Where nobody
 * has written down which message the reply is, first among those after its interaction: it is one of them.
 */
async function findInChannel(
  target: 'channel' | 'direct-message',
  job: Job,
  options: FindOptions,
): Promise<TargetFindResult> {
  const { discord, unfinished } = options;
  const readableAt = options.clock.now() + LIMITED_MS;
  try {
    const channelId =
      target === 'channel'
        ? job.channelId
        : await ask(options, (within) => discord.openDirectMessage(job.member.id, within));
    const list = (after: string) => listWhenAllowed(channelId, after, readableAt, options);
    if (target === 'channel' && job.reply.messageId === undefined) {
      const replies = await list(interactionId(job));
      const reply = replies.find((one) => showsOutcome(job, one));
      if (reply) return found(reply, target);
    }
    const first = firstPossibleId(job);
    const look = `${channelId} ${job.id} ${first}`;
    let { after, pages } = unfinished.get(look) ?? { after: first, pages: 0 };
    for (; pages < PAGES; pages += 1) {
      unfinished.set(look, { after, pages });
      const messages = await list(after);
      const message = messages.find((one) => showsOutcome(job, one));
      if (message) return found(message, target);
      if (messages.length < PAGE) break;
      after = messages.map(({ id }) => id).reduce(newerId);
    }
    unfinished.delete(look);
    return { state: 'absent' };
  } catch (error) {
    const { kind } = classifyDiscordError(error);
    if (kind === 'temporary') throw error;
    return { state: kind === 'channel-gone' ? 'absent' : 'unknown' };
  }
}

/**
 * A page of a channel. Discord lets it be read five times in five seconds and does not announce that
 * (discord-api-docs#8161): the wait that it then asks for is waited out, until `readableAt`.
 */
const listWhenAllowed = (
  channelId: string,
  after: string,
  readableAt: number,
  options: FindOptions,
): Promise<ReadMessage[]> =>
  retry(() => ask(options, (within) => options.discord.list(channelId, after, within)), {
    policy: {
      isRetryable: (error) => Number(retryTemporary.retryAfterMs(error)) > 0,
      retryAfterMs: retryTemporary.retryAfterMs,
      budgetMs: readableAt - options.clock.now(),
    },
    clock: options.clock,
    signal: options.signal,
  });

const showsOutcome = (job: Job, { author, customIds }: ReadMessage): boolean =>
  author.id === job.applicationId && customIds.some((id) => id.includes(job.id));

const found = (message: ReadMessage, target: Target['name']): TargetFindResult => ({
  state: 'found',
  message: locationOf(message),
  target,
});

function firstPossibleId(job: Job): string {
  const { id, reply, createdAt, endedAt = createdAt, publishing = endedAt } = job;
  const { messageId = id, aheadMs = 0 } = reply;
  const timestamp = publishing - aheadMs - CLOCK_SKEW_MS;
  return newerId(messageId, `${SnowflakeUtil.generate({ timestamp, increment: 0n })}`);
}

/** When Discord had the interaction that the reply answers, by its clock. */
const interactionTime = ({ reply: { tokenExpiresAt } }: Job): number => tokenExpiresAt - TOKEN_LIFE_MS;

/** No newer than that of the interaction that the reply answers. */
const interactionId = (job: Job): string =>
  `${SnowflakeUtil.generate({ timestamp: interactionTime(job), increment: 0n })}`;

const newerId = (one: string, other: string): string => (BigInt(one) > BigInt(other) ? one : other);
