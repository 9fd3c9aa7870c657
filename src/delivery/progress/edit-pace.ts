/**
 * How soon the same message may be edited again, by the age of its job: Discord documents no number, edits of one reply
 * and messages of one channel both draw on budgets that others share, and a slow job has little news.
 */
export function editIntervalMs(ageMs: number): number {
  if (ageMs < 60_000) return 3_000;
  if (ageMs < 5 * 60_000) return 5_000;
  return 12_000;
}

/** Progress edits per minute in one channel, below the 30 that webhooks of a channel were seen to get, to leave room for pictures. */
const CHANNEL_EDITS = 25;
const WINDOW_MS = 60_000;

/** The progress edits of every channel in the last minute. */
export interface ChannelBudget {
  /** Milliseconds until the channel has room for one more. */
  waitMs(channelId: string, now: number): number;
  spend(channelId: string, now: number): void;
}

export function createChannelBudget(): ChannelBudget {
  const spent = new Map<string, number[]>();
  const recent = (channelId: string, now: number) =>
    (spent.get(channelId) ?? []).filter((moment) => moment > now - WINDOW_MS);

  return {
    waitMs(channelId, now) {
      const edits = recent(channelId, now);
      const [oldest] = edits;
      return edits.length < CHANNEL_EDITS || oldest === undefined ? 0 : oldest + WINDOW_MS - now;
    },
    spend(channelId, now) {
      for (const channel of spent.keys()) if (recent(channel, now).length === 0) spent.delete(channel);
      spent.set(channelId, [...recent(channelId, now), now]);
    },
  };
}
