import type { Log } from '@darkroom/process';
import { type Clock, createSemaphore } from '@darkroom/time';
import { userMention } from 'discord.js';
import type { Delivery } from '../jobs/delivery-port.ts';
import { completedTasks, type Job } from '../jobs/job.ts';
import { textsFor } from '../messages/locale/texts.ts';
import type { ChannelBudgets } from './channel-budget.ts';
import { classifyDiscordError, closesChannel, NoBudgetError } from './classify-discord-error.ts';
import { type MessageApi, NONCE_TRUST_MS } from './message-api.ts';
import { postNotice } from './notices.ts';

/** Whoever has waited longer than this is taken to look elsewhere. */
const SLOW_MS = 60_000;

/** What has been there for so long has been seen, as after a restart. */
const STALE_MS = 10 * 60_000;

/**
 * At most eight in 0.3 s, in all channels and processes together: the rest of the bot's 50 requests a second is for
 * pictures.
 */
const AT_ONCE = 8;
const REST_MS = 300;

/**
 * Tells a member that their picture is there: an edit of the reply notifies nobody. To be called once for each job,
 * after its end is written: a process that finds that end written does not tell again. Waits for the budget of the
 * channel. Never throws, and nobody waits for it.
 */
export function createReadyNotice({
  discord,
  channels,
  part,
  clock,
  log,
}: {
  discord: Pick<MessageApi, 'post'>;
  channels: ChannelBudgets;
  /** How much of these requests is this process's, of 1. */
  part: () => number;
  clock: Clock;
  log: Log;
}): Delivery['tellReady'] {
  const posts = createSemaphore(AT_ONCE, { rest: { ms: REST_MS, clock }, part });

  function isWanted(
    { notify = 'slow', posted, reply, createdAt, endedAt, ...job }: Job,
    shownAt: number,
  ): boolean {
    if (job.state !== 'delivered' || job.private || job.away || notify === 'never') return false;
    // A message of its own has notified already.
    if (!posted || posted.messageId !== reply.messageId) return false;
    if (endedAt !== undefined && clock.now() - endedAt > STALE_MS) return false;
    return notify === 'always' || shownAt - createdAt > SLOW_MS;
  }

  async function post({ id, guildId, channelId, member, tasks, reply }: Job): Promise<void> {
    const budget = channels.of(channelId);
    const until = clock.now() + NONCE_TRUST_MS;
    const pictures = completedTasks({ tasks }).length;
    const content = textsFor(member.locale).ready(userMention(member.id), pictures);
    const message = { content, notify: [member.id] };
    async function withinBudget(attempt: () => Promise<void>): Promise<void> {
      if (budget.isClosedToBot()) return;
      const waitMs = budget.waitMs('stage', 'bot');
      if (waitMs > 0) throw new NoBudgetError(waitMs);
      if (clock.now() > until) throw new Error('there was room too late');
      budget.spend('outcome', 'bot');
      await attempt();
    }
    await postNotice({ guildId, channelId }, message, {
      discord,
      clock,
      nonce: `r${id}`,
      repliesTo: reply.messageId,
      paced: (attempt) => posts.hold(1, () => withinBudget(attempt)),
    }).catch((error: unknown) => {
      if (closesChannel(classifyDiscordError(error))) budget.closeToBot();
      throw error;
    });
  }

  return (job, shownAt) => {
    if (!isWanted(job, shownAt)) return;
    post(job).catch((error: unknown) =>
      log.info({ err: error, job: job.id }, 'a member was not told that their picture is there'),
    );
  };
}
