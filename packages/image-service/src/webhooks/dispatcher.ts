import type { Log } from '@darkroom/process';
import { DatabaseUnavailable } from '@darkroom/storage';
import { type Clock, createInFlight, createWakeableSleep, repeat } from '@darkroom/time';
import { ApiError } from '../api-error.ts';
import { logUnlessUnavailable } from '../database/log-unless-unavailable.ts';
import { success } from '../http/responses.ts';
import type { StatusAnswers } from '../http/status-answer.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { SendResult, WebhookSender } from './send-webhook.ts';
import { createShares } from './shares.ts';
import { signedHeaders } from './signature.ts';
import type { SigningSecrets } from './signing-secrets.ts';
import type { ClaimedWebhook, WebhookQueue } from './webhook-queue.ts';

const POLL_MS = 1_000;

const ADDRESS_LOST: SendResult = {
  outcome: 'gone',
  error: 'Its address was lost with the SECRET_KEY that sealed it.',
};

/** Sends the webhooks that are due, those of all accounts at once. */
export function createWebhookDispatcher({
  queue,
  secrets,
  sender,
  tasks,
  statusAnswers,
  clock,
  log,
  metrics,
}: {
  queue: WebhookQueue;
  secrets: SigningSecrets;
  sender: WebhookSender;
  tasks: Pick<Tasks, 'find'>;
  statusAnswers: Pick<StatusAnswers, 'of'>;
  clock: Clock;
  log: Log;
  metrics: Pick<Metrics, 'webhook'> | undefined;
}) {
  const inFlight = createInFlight();
  const shares = createShares({ clock });
  const queuePoll = createWakeableSleep(clock);
  const closing = new AbortController();
  let loop = Promise.resolve();

  /** Resolves with whether the receiver answered; undefined where it was not asked. */
  async function deliver(claimed: ClaimedWebhook): Promise<boolean | undefined> {
    const { taskId, accountId, attempt } = claimed;
    const task = await tasks.find(taskId, accountId);
    if (!task) {
      await queue.remove(taskId);
      return undefined;
    }
    // What its status answers, without what is said there of the webhook itself.
    const body = JSON.stringify(success(await statusAnswers.of({ ...task, webhook: null })));
    const message = { id: `msg_${taskId}`, sentAt: clock.now(), body };
    const headers = signedHeaders(await secrets.forSigning(accountId), message);
    const url = queue.urlOf(claimed);
    const result = url ? await sender.send(url, { headers, body }, closing.signal) : ADDRESS_LOST;
    const { state } = await queue.finish(claimed, result);
    metrics?.webhook(result.outcome);
    // Without the address, which may hold a secret.
    log.debug({ taskId, attempt, status: result.status, err: result.error, state }, 'webhook sent');
    return url && result.status !== undefined;
  }

  function start(claimed: ClaimedWebhook): void {
    const { taskId } = claimed;
    const sent = deliver(claimed)
      .catch(async (error: unknown) => {
        if (closing.signal.aborted) await queue.release(claimed);
        else if (!(error instanceof DatabaseUnavailable)) {
          log.error({ taskId, err: error }, 'a webhook could not be sent');
          const words = error instanceof ApiError ? error.message : 'something went wrong in the service';
          await queue.finish(claimed, { outcome: 'failed', error: words });
        }
        return undefined;
      })
      .catch((error: unknown) => {
        log.error({ taskId, err: error }, 'a webhook is tried again after its lease');
        return undefined;
      })
      .then((answered) => {
        shares.release(claimed, answered);
        queuePoll.wake();
      });
    void inFlight.add(sent);
  }

  async function claimAll(): Promise<void> {
    while (!closing.signal.aborted) {
      const chosen = (await queue.due(shares.busy())).filter(shares.take);
      if (chosen.length === 0) return;
      const claimed = await queue.claim(chosen).catch((error: unknown) => {
        for (const each of chosen) shares.release(each);
        throw error;
      });
      const won = new Set(claimed.map(({ taskId }) => taskId));
      for (const each of chosen) if (!won.has(each.taskId)) shares.release(each);
      for (const each of claimed) start(each);
    }
  }

  return {
    start(): void {
      loop = repeat(claimAll, {
        everyMs: POLL_MS,
        clock: queuePoll,
        signal: closing.signal,
        onError: logUnlessUnavailable(log, 'claiming webhooks failed'),
      });
    },

    /** What is being sent is given back, and sent again by the next process. */
    async close(): Promise<void> {
      closing.abort();
      await loop;
      await inFlight.settled();
      await sender.close();
    },
  };
}
