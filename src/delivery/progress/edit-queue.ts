import { type Clock, createWakeableSleep, type WakeableSleep } from '@darkroom/time';
import type { Message } from '../../messages/message.ts';
import { createChannelBudget, editIntervalMs } from './edit-pace.ts';

/** The reply whose progress is shown. */
export interface ProgressReply {
  jobId: string;
  channelId: string;
  /** Of the job, in milliseconds since the epoch. */
  createdAt: number;
}

/** Progress edits, conflated: one in flight per reply, the newest wins, none where nothing changed, paced. */
export interface EditQueue {
  /** Sends `message` as soon as the pace allows, unless a newer one replaces it. An urgent one does not wait for its channel. */
  add(reply: ProgressReply, message: Message, options?: { urgent?: boolean }): void;
  /** Drops what waits; resolves when nothing is in flight. */
  close(jobId: string): Promise<void>;
}

/** What became of an edit. `failed`: worth another attempt, after `retryAfterMs` at the earliest; `closed`: the reply takes no more. */
export type EditResult = { state: 'sent' } | { state: 'failed'; retryAfterMs: number } | { state: 'closed' };

interface Entry {
  /** The newest message that is not sent yet. */
  waiting: Message | undefined;
  urgent: boolean;
  /** The last message that was sent, as JSON. */
  sent: string;
  nextAt: number;
  loop: Promise<void> | undefined;
  /** The wait for the pace. */
  pause: WakeableSleep;
  closed: AbortController;
}

export function createEditQueue({
  clock,
  send,
}: {
  clock: Clock;
  /** Has a timeout of its own, and never rejects. It is not cut off: a late edit would overwrite what comes after it. */
  send(jobId: string, message: Message): Promise<EditResult>;
}): EditQueue {
  const entries = new Map<string, Entry>();
  const budget = createChannelBudget();

  async function sendWaiting({ jobId, channelId, createdAt }: ProgressReply, entry: Entry): Promise<void> {
    const closed = entry.closed.signal;
    while (entry.waiting && !closed.aborted) {
      const now = clock.now();
      const waitMs = Math.max(entry.nextAt - now, entry.urgent ? 0 : budget.waitMs(channelId, now));
      if (waitMs > 0) {
        await entry.pause.sleep(waitMs, closed).catch(() => undefined);
        continue;
      }
      const message = entry.waiting;
      entry.waiting = undefined;
      const json = JSON.stringify(message);
      if (json === entry.sent) continue;
      budget.spend(channelId, now);
      const result = await send(jobId, message);
      if (result.state === 'closed') entry.closed.abort();
      if (result.state === 'failed') entry.waiting ??= message;
      else entry.sent = json;
      const sentAt = clock.now();
      const retryAfterMs = result.state === 'failed' ? result.retryAfterMs : 0;
      entry.nextAt = sentAt + Math.max(editIntervalMs(sentAt - createdAt), retryAfterMs);
    }
  }

  function start(reply: ProgressReply, entry: Entry): void {
    entry.loop ??= sendWaiting(reply, entry).finally(() => {
      entry.loop = undefined;
      // An edit may have been queued just after the loop ended.
      if (entry.waiting && !entry.closed.signal.aborted) start(reply, entry);
    });
  }

  return {
    add(reply, message, { urgent = false } = {}) {
      const entry = entries.get(reply.jobId) ?? {
        waiting: undefined,
        urgent,
        sent: '',
        nextAt: 0,
        loop: undefined,
        pause: createWakeableSleep(clock),
        closed: new AbortController(),
      };
      entries.set(reply.jobId, entry);
      entry.waiting = message;
      entry.urgent = urgent;
      if (urgent) entry.pause.wake();
      start(reply, entry);
    },

    async close(jobId) {
      const entry = entries.get(jobId);
      entries.delete(jobId);
      if (!entry) return;
      entry.closed.abort();
      await entry.loop;
    },
  };
}
