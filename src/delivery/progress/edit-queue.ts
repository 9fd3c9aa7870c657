import { type Clock, createTimetable, steadyClock } from '@darkroom/time';
import type { Job } from '../../jobs/job.ts';
import type { Message } from '../../messages/message.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { ChannelBudgets, EditKind } from '../channel-budget.ts';

/**
 * How soon the same message may be edited again, by the age of its job: Discord documents no number, edits of one
 * reply and messages of one channel both draw on budgets that others share, and a slow job has little news.
 */
function editIntervalMs(ageMs: number): number {
  if (ageMs < 60_000) return 3_000;
  if (ageMs < 5 * 60_000) return 5_000;
  return 12_000;
}

/**
 * Percentages that a process shows in a second, at most: an edit costs twice what a poll does (`npm run bench --
 * polling`).
 */
const PERCENTAGES_PER_SECOND = 250;

/**
 * How soon a percentage may follow an edit while so many replies show theirs, so that polls and pictures are in time.
 */
const sharedIntervalMs = (replies: number): number => (replies * 1_000) / PERCENTAGES_PER_SECOND;

/** How soon after an edit a new stage is shown. */
const STAGE_INTERVAL_MS = 1_000;

/** How exactly the moment of an edit is kept. */
const TICK_MS = 10;

export interface ProgressView {
  /** As of `JobProgress`: a new one goes before a percentage. */
  stage: string;
  /** The same for two views that say the same. */
  key: string;
  /** An urgent one goes first, and has the room of an outcome in its channel. */
  urgent?: boolean;
  /** Called when it is to be sent; undefined where nothing is new. Never rejects. `signal`: nobody needs it now. */
  render(signal: AbortSignal): Message | undefined | Promise<Message | undefined>;
}

/** What became of an edit. `failed`: it may be tried again after `retryAfterMs`. `closed`: the reply takes none. */
export type EditResult = { state: 'sent' } | { state: 'failed'; retryAfterMs: number } | { state: 'closed' };

const UNCHANGED: EditResult = { state: 'sent' };

interface Entry extends Pick<Job, 'id' | 'createdAt'> {
  /** The newest view that is not sent yet. */
  waiting?: ProgressView | undefined;
  /** The last view that was sent. */
  shown?: Pick<ProgressView, 'stage' | 'key'>;
  /** When it may next be edited to show a percentage, and when to show a new stage. */
  progressAt: number;
  stageAt: number;
  inFlight?: Promise<void> | undefined;
  closed?: boolean;
  /** While an edit is rendered: aborts when the entry is closed. */
  rendering?: AbortController | undefined;
}

interface Channel {
  id: string;
  entries: Map<string, Entry>;
  /** When the next of them is due, as far as is known. */
  nextAt: number;
}

/** Progress edits, conflated: one in flight per reply, the newest wins, none where nothing changed, paced. */
export function createEditQueue({
  clock: machineClock,
  channels: budgets,
  metrics,
  send,
}: {
  clock: Clock;
  channels: ChannelBudgets;
  metrics: Pick<Metrics, 'progressEdit'>;
  /** Has its own timeout, and never rejects. Nothing else ends it: a late edit would overwrite what comes after it. */
  send(jobId: string, message: Message, kind: EditKind): Promise<EditResult>;
}) {
  const clock = steadyClock(machineClock);
  const channels = new Map<string, Channel>();
  const due = createTimetable<Channel>({ clock, tickMs: TICK_MS, attend: sendDue });
  /** In all channels. */
  let replies = 0;

  const kindOf = ({ shown }: Entry, { urgent, stage }: ProgressView): EditKind => {
    if (urgent) return 'outcome';
    return stage === shown?.stage ? 'progress' : 'stage';
  };

  function dueAt(channel: Channel, entry: Entry): number {
    if (!entry.waiting || entry.inFlight || entry.closed) return Number.POSITIVE_INFINITY;
    const kind = kindOf(entry, entry.waiting);
    const paced = kind === 'progress' ? entry.progressAt : entry.stageAt;
    return Math.max(paced, clock.now() + budgets.of(channel.id).waitMs(kind));
  }

  /** Among those that are due: first the urgent, then what was never shown, then a new stage, then who waits longest. */
  function rank({ shown, waiting, progressAt }: Entry): readonly number[] {
    const urgent = waiting?.urgent ? 0 : 1;
    return [urgent, shown ? 1 : 0, shown && shown.stage === waiting?.stage ? 1 : 0, progressAt];
  }

  function next(channel: Channel): { entry: Entry; at: number } | undefined {
    const now = clock.now();
    let first: { entry: Entry; at: number } | undefined;
    for (const entry of channel.entries.values()) {
      const at = Math.max(now, dueAt(channel, entry));
      if (at === Number.POSITIVE_INFINITY) continue;
      if (!first || at < first.at || (at === first.at && precedes(rank(entry), rank(first.entry)))) {
        first = { entry, at };
      }
    }
    return first;
  }

  async function edit(entry: Entry, view: ProgressView): Promise<void> {
    const rendering = new AbortController();
    entry.rendering = rendering;
    const rendered = view.render(rendering.signal);
    // What is there is sent before anybody else looks at the budget of the channel.
    const message = rendered instanceof Promise ? await rendered : rendered;
    entry.rendering = undefined;
    if (entry.closed) return;
    const result = message ? await send(entry.id, message, kindOf(entry, view)) : UNCHANGED;
    if (message) metrics.progressEdit(result.state === 'sent' ? 'sent' : 'failed');
    if (result.state === 'closed') entry.closed = true;
    else if (result.state === 'sent') entry.shown = { stage: view.stage, key: view.key };
    else entry.waiting ??= view;
    const sentAt = clock.now();
    const retryAfterMs = result.state === 'failed' ? result.retryAfterMs : 0;
    const intervalMs = Math.max(editIntervalMs(machineClock.now() - entry.createdAt), retryAfterMs);
    entry.progressAt = sentAt + Math.max(intervalMs, sharedIntervalMs(replies));
    entry.stageAt = sentAt + (result.state === 'sent' ? STAGE_INTERVAL_MS : intervalMs);
  }

  /** An edit that finds nothing new has ended before it is noted as in flight. */
  function begin(channel: Channel, entry: Entry, view: ProgressView): void {
    entry.inFlight = edit(entry, view).finally(() => {
      entry.inFlight = undefined;
      if (entry.waiting) sendDue(channel);
    });
  }

  /** Sends what is due in a channel, and plans when to look again. */
  function sendDue(channel: Channel): void {
    let first = next(channel);
    for (; first && first.at <= clock.now(); first = next(channel)) {
      const { entry } = first;
      const { waiting } = entry;
      entry.waiting = undefined;
      if (waiting && waiting.key !== entry.shown?.key) begin(channel, entry, waiting);
    }
    channel.nextAt = first?.at ?? Number.POSITIVE_INFINITY;
    due.set(channel, channel.nextAt);
  }

  return {
    /** Shows `view` in the reply of a job as soon as pace and channel allow, unless a newer one replaces it. */
    add({ id, channelId, createdAt }: Pick<Job, 'id' | 'channelId' | 'createdAt'>, view: ProgressView): void {
      const channel = channels.get(channelId) ?? {
        id: channelId,
        entries: new Map<string, Entry>(),
        nextAt: Number.POSITIVE_INFINITY,
      };
      channels.set(channelId, channel);
      const known = channel.entries.get(id);
      if (!known) replies += 1;
      const entry = known ?? { id, createdAt, progressAt: 0, stageAt: 0 };
      channel.entries.set(id, entry);
      if (entry.waiting && entry.waiting.key !== view.key) metrics.progressEdit('dropped');
      entry.waiting = view;
      if (entry.inFlight) return;
      if (view.key === entry.shown?.key) entry.waiting = undefined;
      else if (dueAt(channel, entry) < channel.nextAt) sendDue(channel);
    },

    /** Drops what waits; resolves when nothing is in flight. */
    async close({ id, channelId }: Pick<Job, 'id' | 'channelId'>): Promise<void> {
      const channel = channels.get(channelId);
      const entry = channel?.entries.get(id);
      if (!channel || !entry) return;
      if (entry.waiting) metrics.progressEdit('dropped');
      entry.closed = true;
      entry.rendering?.abort();
      channel.entries.delete(id);
      replies -= 1;
      if (channel.entries.size === 0) {
        channels.delete(channelId);
        due.set(channel, Number.POSITIVE_INFINITY);
      }
      await entry.inFlight;
    },
  };
}

const precedes = (one: readonly number[], other: readonly number[]): boolean => {
  const differs = one.findIndex((value, index) => value !== other[index]);
  return differs >= 0 && (one[differs] ?? 0) < (other[differs] ?? 0);
};
