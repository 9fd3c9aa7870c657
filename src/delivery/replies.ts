import type { Log } from '@darkroom/process';
import type { FindResult } from '../jobs/delivery-port.ts';
import { isOwnBusiness, type Job, type MessageLocation } from '../jobs/job.ts';
import { textsFor } from '../messages/locale/texts.ts';
import type { Message } from '../messages/message.ts';
import { fixedMessage } from './outcome-message.ts';
import { renderRedirect } from './render-redirect.ts';
import type { replyTarget } from './reply-target.ts';
import type { Sender } from './sender.ts';

/** How long Discord may fail before a reply is left without a word of where the outcome is, in milliseconds. */
export const REDIRECT_MS = 2 * 60_000;

/** The replies of jobs whose outcome stands elsewhere, or nowhere yet. */
export function createReplies({
  replyOf,
  findIn,
  sendWithRetry,
  outcomeMs,
  log,
}: {
  replyOf(job: Job): ReturnType<typeof replyTarget>;
  findIn(target: 'reply', job: Job, signal: AbortSignal): Promise<FindResult>;
  sendWithRetry: Sender['sendWithRetry'];
  /** How long Discord may fail before an outcome is put aside. */
  outcomeMs: number;
  log: Log;
}) {
  return {
    /** Has the reply say where the outcome is, if Discord lets it; without `location`, that it waits in /jobs. */
    async redirect(job: Job, location: MessageLocation | undefined, signal: AbortSignal): Promise<void> {
      const target = isOwnBusiness(job) && job.withheld ? undefined : replyOf(job);
      if (!target) return;
      const message = fixedMessage(renderRedirect(job, location, textsFor(job.member.locale)));
      await sendWithRetry({ target, message, job, signal, giveUpAfterMs: REDIRECT_MS });
    },

    /** Nobody can delete a private reply once its token has expired, nor read it but its member. */
    async remove(job: Job, signal: AbortSignal): Promise<'withdrawn' | 'kept' | 'unconfirmed'> {
      const reply = replyOf(job);
      if (!reply) return 'withdrawn';
      const where = { channelId: job.channelId, messageId: job.reply.messageId ?? job.id };
      const target = {
        ...reply,
        send: (_: Message, within: AbortSignal) => reply.remove(within).then(() => where),
      };
      const message = fixedMessage({});
      const result = await sendWithRetry({ target, message, job, signal, giveUpAfterMs: outcomeMs });
      if (result.state === 'unconfirmed') return 'unconfirmed';
      if (result.state === 'sent') return 'withdrawn';
      log.warn({ job: job.id }, 'a reply cannot be deleted');
      return 'kept';
    },

    /** Whether the reply shows the outcome for certain. Rejects with the reason of `signal`. */
    async hasOutcome(job: Job, signal: AbortSignal): Promise<boolean> {
      try {
        return (await findIn('reply', job, signal)).state === 'found';
      } catch (error) {
        signal.throwIfAborted();
        log.info({ err: error, job: job.id }, 'a reply could not be looked at; its outcome is sent again');
        return false;
      }
    },
  };
}
