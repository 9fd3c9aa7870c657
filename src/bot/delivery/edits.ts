import type { Clock } from '../../clock.ts';
import type { Message } from '../message.ts';
import { createChannelBudget, editIntervalMs } from './edit-pace.ts';

/** A message that shows progress. */
export interface Progressing {
  /** The job's id. */
  id: string;
  channelId: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

/** Progress edits, conflated: one in flight per message, the newest wins, none when nothing changed, paced. */
export interface Edits {
  /** Shows `message` as soon as the pace allows, unless a newer one comes first. An urgent one does not wait for its channel. */
  show(target: Progressing, message: Message, options?: { urgent?: boolean }): void;
  /** Drops what waits; resolves when nothing is in flight. */
  finish(id: string): Promise<void>;
}

/** What became of an edit: one that failed may be tried again after `waitMs`; `useless`: nothing further can be shown there. */
export type Shown = 'shown' | { waitMs: number } | 'useless';

interface Line {
  wanted: Message | undefined;
  urgent: boolean;
  shown: string;
  nextAt: number;
  draining: Promise<void> | undefined;
  /** Ends the wait for the pace. */
  wake: () => void;
  finished: boolean;
}

export function createEdits({
  clock,
  send,
}: {
  clock: Clock;
  /** Ends by itself, and never rejects. It is not cut off: a late edit would overwrite what comes after it. */
  send(id: string, message: Message): Promise<Shown>;
}): Edits {
  const lines = new Map<string, Line>();
  const budget = createChannelBudget();

  async function drain({ id, channelId, createdAt }: Progressing, line: Line): Promise<void> {
    while (line.wanted && !line.finished) {
      const now = clock.now();
      const wait = Math.max(line.nextAt - now, line.urgent ? 0 : budget.waitMs(channelId, now));
      if (wait > 0) {
        const asleep = new AbortController();
        line.wake = () => asleep.abort();
        await clock.sleep(wait, asleep.signal).catch(() => undefined);
        continue;
      }
      const message = line.wanted;
      line.wanted = undefined;
      const text = JSON.stringify(message);
      if (text === line.shown) continue;
      budget.spend(channelId, now);
      const outcome = await send(id, message);
      if (outcome === 'useless') line.finished = true;
      const failed = typeof outcome === 'object';
      if (failed) line.wanted ??= message;
      else line.shown = text;
      const sentAt = clock.now();
      line.nextAt = sentAt + Math.max(editIntervalMs(sentAt - createdAt), failed ? outcome.waitMs : 0);
    }
  }

  function start(target: Progressing, line: Line): void {
    line.draining ??= drain(target, line).finally(() => {
      line.draining = undefined;
      // One that came when the loop had just ended.
      if (line.wanted && !line.finished) start(target, line);
    });
  }

  return {
    show(target, message, { urgent = false } = {}) {
      const line = lines.get(target.id) ?? {
        wanted: undefined,
        urgent,
        shown: '',
        nextAt: 0,
        draining: undefined,
        wake: () => undefined,
        finished: false,
      };
      lines.set(target.id, line);
      line.wanted = message;
      line.urgent = urgent;
      if (urgent) line.wake();
      start(target, line);
    },

    async finish(id) {
      const line = lines.get(id);
      lines.delete(id);
      if (!line) return;
      line.finished = true;
      line.wake();
      await line.draining;
    },
  };
}
