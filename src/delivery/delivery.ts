import type { Log } from '@darkroom/process';
import { type Clock, raceAbort, type Semaphore } from '@darkroom/time';
import type { Delivery, FetchPreview, FindResult, FinishedPicture } from '../jobs/delivery-port.ts';
import { isOwnBusiness, type Job, type MessageLocation } from '../jobs/job.ts';
import { textsFor } from '../messages/locale/texts.ts';
import type { Message } from '../messages/message.ts';
import type { OfferedSteps } from '../messages/next-steps.ts';
import type { Metrics } from '../observability/metrics.ts';
import { createChannelBudgets } from './channel-budget.ts';
import { concernsCredits } from './explain-failure.ts';
import { createUnfinishedLooks, findMessage, findMessageIn } from './find-message.ts';
import type { MessageApi } from './message-api.ts';
import { createOutage } from './outage.ts';
import { createOutcomeMessage, fixedMessage } from './outcome-message.ts';
import { createProgress } from './progress/progress.ts';
import { createReadyNotice } from './ready-notice.ts';
import { renderCancelledByModerator } from './render-cancelled.ts';
import { renderCreditNote } from './render-outcome.ts';
import { createReplies } from './replies.ts';
import { createRefusedTokens, replyByToken, tokenClosesAt } from './reply-access.ts';
import { replyTarget } from './reply-target.ts';
import { createSender, type SendResult } from './sender.ts';
import { newMessageTargets, type Target } from './targets.ts';

/** How long Discord may fail (5xx, no connection, 429), in milliseconds. */
const GIVE_UP_MS = {
  /** Before it is put aside. */
  outcome: 10 * 60_000,
  /** Before a member is not told who has cancelled their job. */
  tell: 60_000,
  /** Before a picture is not published, or not shown once more: its member waits for the answer. */
  answer: 45_000,
};

const WHY_IT_WAITS = {
  unconfirmed: 'Discord failed for too long; the outcome waits in /jobs',
  unverifiable: 'an attempt may have arrived where the bot cannot read it; the outcome waits in /jobs',
};

/**
 * Brings a job to its member through Discord: paced progress, then the outcome at the first target that takes it; and
 * shows everybody what was private.
 */
export function createDelivery({
  nextSteps,
  discord,
  fetchPreview,
  part,
  memory,
  clock,
  log,
  metrics,
}: {
  nextSteps: OfferedSteps;
  discord: MessageApi;
  fetchPreview: FetchPreview;
  /** How much of the bot's requests a second is this process's, of 1. */
  part: () => number;
  /** Pictures on their way to Discord. */
  memory: Semaphore;
  clock: Clock;
  log: Log;
  metrics: Pick<Metrics, 'progressEdit'>;
}) {
  const channels = createChannelBudgets({ clock, part });
  const refusedTokens = createRefusedTokens({ clock });
  const outage = createOutage({ clock, log });
  const unfinished = createUnfinishedLooks({ clock });
  const finding = { discord, refusedTokens, unfinished, outage, clock };
  const findIn = (target: Target['name'], job: Job, signal: AbortSignal): Promise<FindResult> =>
    findMessageIn(target, job, { ...finding, signal });
  const { sendOnce, sendWithRetry } = createSender({ findIn, outage, memory, clock, log });
  const replyOf = (job: Job) => replyTarget(job, { discord, channels, refusedTokens, clock });
  const replies = createReplies({
    replyOf,
    findIn,
    sendWithRetry,
    outcomeMs: GIVE_UP_MS.outcome,
    log,
  });
  const progress = createProgress({
    clock,
    log,
    metrics,
    channels,
    outage,
    replyOf,
    sendOnce,
    fetchPreview,
    nextSteps,
  });

  /** A message beside the reply. In place of a reply that says nothing yet, Discord would show it to everybody. */
  function followUpTargets(job: Job): Target[] {
    const { secrets } = job;
    if (!secrets || clock.now() >= tokenClosesAt(job) || refusedTokens.has(job)) return [];
    const reply = replyByToken(job, secrets.interactionToken);
    return [{ name: 'follow-up', send: (message, signal) => discord.followUp(reply, message, signal) }];
  }

  /**
   * Where an outcome may go, in order. Deletes the reply first where everybody sees it and the outcome is its member's
   * own business; undefined where Discord does not say in time whether that worked.
   */
  async function prepareTargets(job: Job, signal: AbortSignal): Promise<Target[] | undefined> {
    const others = newMessageTargets(job, discord);
    const reply = replyOf(job);
    if (!job.withheld) return reply ? [reply, ...others] : others;
    // Everybody sees the reply of a job that was withheld.
    if (!isOwnBusiness(job)) return others;
    const removed = await replies.remove(job, signal);
    if (removed === 'unconfirmed') return undefined;
    return [...(removed === 'withdrawn' ? followUpTargets(job) : []), ...others];
  }

  /** What everybody sees says nothing of credits; who asked is told beside it, once. Details says it always. */
  async function tellOfCredits(job: Job, signal: AbortSignal): Promise<void> {
    if (job.private || !job.tasks.some(concernsCredits)) return;
    const [target] = followUpTargets(job);
    if (!target) return;
    const message = renderCreditNote(job, textsFor(job.member.locale), nextSteps);
    const send = (within: AbortSignal) => target.send(message, within);
    await sendOnce(message, send, signal).catch((error: unknown) =>
      log.info({ err: error, job: job.id }, 'a member was not told what a failure means for their credits'),
    );
  }

  /**
   * Does `work` once no progress is shown any more; `lateMs`: for how long it may still come. The job still counts as
   * one that runs in its channel.
   */
  async function afterProgress<Result>(
    job: Job,
    signal: AbortSignal,
    work: (lateMs: number) => Promise<Result>,
  ): Promise<Result> {
    const lateMs = await raceAbort(signal, progress.stop(job.id));
    channels.join(job.channelId, job.id);
    try {
      return await work(lateMs);
    } finally {
      channels.leave(job.channelId, job.id);
    }
  }

  function waits(job: Job, reason: keyof typeof WHY_IT_WAITS, target?: Target) {
    log.error({ job: job.id, target: target?.name }, WHY_IT_WAITS[reason]);
    return { state: 'waiting', reason } as const;
  }

  async function sendToFirstTarget(
    job: Job,
    pictures: readonly FinishedPicture[],
    signal: AbortSignal,
    { beforePosting, onPosted }: Parameters<Delivery['deliver']>[3],
    lateMs: number,
  ): ReturnType<Delivery['deliver']> {
    if (!(await outage.untilAdmitted(signal, GIVE_UP_MS.outcome))) return waits(job, 'unconfirmed');
    const message = createOutcomeMessage(job, pictures, nextSteps);
    // Only in its channel it can be published.
    const { publish: _, ...direct } = nextSteps;
    const directMessage = createOutcomeMessage(job, pictures, direct);
    const targets = await prepareTargets(job, signal);
    if (!targets) return waits(job, 'unconfirmed');
    let channelClosed = false;
    for (const target of targets) {
      if (channelClosed && target.name === 'channel') continue;
      if (target.name !== 'reply') await beforePosting();
      const send = () =>
        sendWithRetry({
          target,
          message: target.name === 'direct-message' ? directMessage : message,
          job,
          signal,
          giveUpAfterMs: GIVE_UP_MS.outcome,
        });
      const result = await send();
      if (result.state === 'refused') {
        channelClosed ||= result.closesChannel;
        continue;
      }
      if (result.state !== 'sent') return waits(job, result.state, target);
      log.info({ job: job.id, target: target.name, pictures: pictures.length }, 'delivered');
      const shownAt = clock.now();
      const showInReply =
        target.name === 'reply' ? send : () => replies.redirect(job, result.location, signal);
      if (target.name !== 'reply') {
        await onPosted(result.location);
        await showInReply();
      }
      await tellOfCredits(job, signal);
      if (lateMs > 0) {
        // By then progress may stand in its place.
        await clock.sleep(lateMs, signal);
        if (target.name !== 'reply' || !(await replies.hasOutcome(job, signal))) await showInReply();
      }
      return { state: 'delivered', message: result.location, shownAt };
    }
    await replies.redirect(job, undefined, signal);
    return { state: 'waiting', reason: 'refused' };
  }

  const delivery: Delivery = {
    show: progress.show,

    stopShowing: async (jobId) => void (await progress.stop(jobId)),

    rest: outage.rest,

    tellReady: createReadyNotice({ discord, channels, part, clock, log }),

    deliver: (job, pictures, signal, posting) =>
      afterProgress(job, signal, (lateMs) => sendToFirstTarget(job, pictures, signal, posting, lateMs)),

    withdraw: (job, signal) =>
      afterProgress(job, signal, async () => {
        const admitted = await outage.untilAdmitted(signal, GIVE_UP_MS.outcome);
        return admitted ? replies.remove(job, signal) : 'unconfirmed';
      }),

    async tellCancelled(job, signal) {
      const [target] = followUpTargets(job);
      if (!target) return;
      const message = fixedMessage(renderCancelledByModerator(job, textsFor(job.member.locale)));
      await sendWithRetry({ target, message, job, signal, giveUpAfterMs: GIVE_UP_MS.tell });
    },

    async find(job, signal) {
      // The location is written before the reply is redirected: a process may have ended in between.
      if (job.posted) {
        await replies.redirect(job, job.posted, signal);
        return { state: 'found', message: job.posted };
      }
      const result = await findMessage(job, { ...finding, signal });
      if (result.state === 'found') {
        if (result.target !== 'reply') await replies.redirect(job, result.message, signal);
        return result;
      }
      // The reply still shows progress, and Show may bring the outcome elsewhere from now on.
      if (result.state === 'absent' && job.state === 'waiting')
        await replies.redirect(job, undefined, signal);
      return result;
    },
  };

  /** Of a job that is over, while its member waits for the answer. */
  function showOnceMore(
    job: Job,
    pictures: readonly FinishedPicture[],
    signal: AbortSignal,
    target: Target,
  ): Promise<SendResult> {
    const message = createOutcomeMessage(job, pictures, nextSteps);
    return sendWithRetry({ target, message, job, signal, giveUpAfterMs: GIVE_UP_MS.answer });
  }

  return {
    ...delivery,

    /**
     * Posts the outcome of `job` in its channel, once: by `post` where the bot is no member, and cannot look for it.
     * Rejects as a picture does.
     */
    async publish(
      job: Job,
      pictures: readonly FinishedPicture[],
      signal: AbortSignal,
      post?: (message: Message) => Promise<MessageLocation>,
    ): Promise<SendResult> {
      // Not the nonce of the job, by which Discord would take it for an outcome that was posted before.
      const byBot: Target['send'] = (message, within) => discord.post(job, `p${job.id}`, message, within);
      const target: Target = post ? { name: 'follow-up', send: post } : { name: 'channel', send: byBot };
      return showOnceMore(job, pictures, signal, target);
    },

    /** Shows its member the outcome of `job` once more by `edit`, which may be repeated. Rejects as a picture does. */
    showAgain: (
      job: Job,
      pictures: readonly FinishedPicture[],
      signal: AbortSignal,
      edit: Target['send'],
    ): Promise<SendResult> => showOnceMore(job, pictures, signal, { name: 'reply', send: edit }),

    /** The message with which an earlier attempt published it after all. Rejects where Discord fails temporarily. */
    findPublished: (job: Job, signal: AbortSignal): Promise<FindResult> => findIn('channel', job, signal),
  };
}
