import type { Log } from '@darkroom/process';
import { DatabaseUnavailable } from '@darkroom/storage';
import type { Clock } from '@darkroom/time';
import type { Metrics } from '../observability/metrics.ts';
import type { WebhookSender } from './send-webhook.ts';
import { signedHeaders } from './signature.ts';
import type { SigningSecrets } from './signing-secrets.ts';
import type { ClaimedWebhook, WebhookQueue } from './webhook-queue.ts';

/** How often the queue is polled. */
const POLL_MS = 1_000;
/** Webhooks that are sent at once, and of them those of one account: a receiver that is slow holds up nobody else. */
const SLOTS = 32;
const SLOTS_OF_ACCOUNT = 4;

/** Sends the webhooks that are due, those of all accounts at once. */
export function createWebhookDispatcher({
  queue,
  secrets,
  sender,
  bodyOf,
  clock,
  log,
  metrics,
}: {
  queue: WebhookQueue;
  secrets: SigningSecrets;
  sender: WebhookSender;
  /** What a task's status answers; undefined where the task is gone. */
  bodyOf(task: { taskId: string; accountId: number }): Promise<string | undefined>;
  clock: Clock;
  log: Log;
  metrics: Pick<Metrics, 'webhook'>;
}) {
  const running = new Map<Promise<void>, number>();
  const closing = new AbortController();
  let loop = Promise.resolve();

  async function deliver(claimed: ClaimedWebhook): Promise<void> {
    const { taskId, accountId, attempt } = claimed;
    const body = await bodyOf(claimed);
    if (body === undefined) return queue.remove(taskId);
    const message = { id: `msg_${taskId}`, sentAt: clock.now(), body };
    const headers = signedHeaders(await secrets.forSigning(accountId), message);
    const result = await sender.send(queue.urlOf(claimed), { headers, body }, closing.signal);
    const { state } = await queue.finish(claimed, result);
    metrics.webhook(result.outcome);
    // Without the address, which may hold a secret.
    log.debug({ taskId, attempt, status: result.status, err: result.error, state }, 'webhook sent');
  }

  function start(claimed: ClaimedWebhook): void {
    const { taskId } = claimed;
    const done = deliver(claimed)
      .catch(async (error: unknown) => {
        if (closing.signal.aborted) return queue.release(claimed);
        if (error instanceof DatabaseUnavailable) return;
        log.error({ taskId, err: error }, 'a webhook could not be sent');
        await queue.finish(claimed, { outcome: 'failed', error: 'something went wrong in the service' });
      })
      .catch((error: unknown) =>
        log.error({ taskId, err: error }, 'a webhook is tried again after its lease'),
      )
      .finally(() => running.delete(done));
    running.set(done, claimed.accountId);
  }

  /** Accounts of which no more is sent at the moment. */
  function busyAccounts(): number[] {
    const counts = new Map<number, number>();
    for (const accountId of running.values()) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= SLOTS_OF_ACCOUNT).map(([accountId]) => accountId);
  }

  async function claimAll(): Promise<void> {
    while (!closing.signal.aborted && running.size < SLOTS) {
      const claimed = await queue.claim(busyAccounts());
      if (!claimed) return;
      start(claimed);
    }
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      await claimAll().catch((error: unknown) => {
        if (!(error instanceof DatabaseUnavailable)) log.error({ err: error }, 'claiming webhooks failed');
      });
      await clock.sleep(POLL_MS, closing.signal).catch(() => undefined);
    }
  }

  return {
    start(): void {
      loop = run();
    },

    /** What is being sent is given back, and sent again by the next process. */
    async close(): Promise<void> {
      closing.abort();
      await loop;
      await Promise.all(running.keys());
      await sender.close();
    },
  };
}
