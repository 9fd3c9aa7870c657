import { type Clock, createCache, createWindow, steadyClock } from '@darkroom/time';

/**
 * How a reply is edited: by the webhook of its interaction, or by the bot itself. Discord limits each of them by
 * itself.
 */
export type EditRoute = 'webhook' | 'bot';

/** What an edit shows: the outcome, a new stage (`JobProgress`), or only another percentage. */
export type EditKind = 'outcome' | 'stage' | 'progress';

const WEBHOOK_WINDOW_MS = 60_000;

/**
 * Webhook requests per minute of one channel. Bots were seen to get 30 (discord-api-docs 2701, 367); what is left is
 * for answers of commands. Of these, one is kept back for the picture of every running job, at most half of them.
 */
const WEBHOOK_REQUESTS = 28;
const MOST_KEPT_BACK = WEBHOOK_REQUESTS / 2;

/** The bot's own edits in one channel: bots were seen to get 5 in 5 seconds. Most are kept back for pictures. */
const BOT_WINDOW_MS = 5_000;
const BOT_EDITS = 5;
const BOT_STAGE_EDITS = 2;

/**
 * New stages that the bot shows by its own edits within a second, in all channels together. They count among its 50
 * requests a second, and what waits for its turn there must not be kept waiting by them.
 */
const STAGE_WINDOW_MS = 1_000;
const STAGE_EDITS = 20;

/** How long the bot does not try again where it may not see a channel, or not post there. */
const CLOSED_MS = 10 * 60_000;

/** How many budgets are remembered at most. */
const MOST_CHANNELS = 10_000;

/**
 * Edits of replies in one channel, shared by the jobs that run in it: pictures first, then new stages, then
 * percentages.
 */
type ChannelBudget = ReturnType<typeof createBudget>;

/** The budgets of every channel in which jobs run. */
export type ChannelBudgets = ReturnType<typeof createChannelBudgets>;

/** `part`: how much of the bot's requests a second is this process's, of 1. */
export function createChannelBudgets({
  clock: machineClock,
  part,
}: {
  clock: Pick<Clock, 'now'>;
  part: () => number;
}) {
  const clock = steadyClock(machineClock);
  const stages = createWindow(STAGE_WINDOW_MS, clock);
  const stageEdits = {
    /** The whole second: all channels would look again for each edit that has room. */
    waitMs: () => (stages.waitMs(Math.max(1, Math.floor(STAGE_EDITS * part()))) > 0 ? STAGE_WINDOW_MS : 0),
    add: stages.add,
  };
  /** Whatever a budget has counted is over once nobody has asked for it for so long. */
  const budgets = createCache<string, ChannelBudget>({ max: MOST_CHANNELS, ttlMs: CLOSED_MS, clock });
  const running = new Map<string, Set<string>>();

  return {
    of(channelId: string): ChannelBudget {
      const runningHere = () => running.get(channelId)?.size ?? 0;
      const budget = budgets.get(channelId) ?? createBudget(clock, runningHere, stageEdits);
      budgets.set(channelId, budget);
      return budget;
    },
    /** A job runs in the channel: a request is kept back for its picture until it leaves. */
    join(channelId: string, jobId: string): void {
      running.set(channelId, (running.get(channelId) ?? new Set()).add(jobId));
    },
    leave(channelId: string, jobId: string): void {
      const jobs = running.get(channelId);
      jobs?.delete(jobId);
      if (jobs?.size === 0) running.delete(channelId);
    },
  };
}

/** `running`: how many jobs run in the channel. `stageEdits`: those of the bot, in all channels. */
function createBudget(
  clock: Pick<Clock, 'now'>,
  running: () => number,
  stageEdits: { waitMs(): number; add(): void },
) {
  let closedUntil = 0;
  const windows = {
    webhook: createWindow(WEBHOOK_WINDOW_MS, clock),
    bot: createWindow(BOT_WINDOW_MS, clock),
  };
  const pausedUntil = { webhook: 0, bot: 0 };

  function room(kind: EditKind, route: EditRoute): number {
    if (route === 'bot') return { outcome: BOT_EDITS, stage: BOT_STAGE_EDITS, progress: 0 }[kind];
    if (kind === 'outcome') return WEBHOOK_REQUESTS;
    const pictures = Math.min(running(), MOST_KEPT_BACK);
    // Every job that runs may change its stage once more.
    return WEBHOOK_REQUESTS - pictures - (kind === 'stage' ? 0 : running());
  }

  const isClosedToBot = () => clock.now() < closedUntil;
  const waitMs = (kind: EditKind, route: EditRoute) =>
    Math.max(
      windows[route].waitMs(room(kind, route)),
      pausedUntil[route] - clock.now(),
      kind === 'stage' && route === 'bot' ? stageEdits.waitMs() : 0,
    );

  return {
    /** Milliseconds until an edit of this kind may leave by `route`; by whichever is sooner without one. */
    waitMs(kind: EditKind, route?: EditRoute): number {
      if (route) return waitMs(kind, route);
      const byWebhook = waitMs(kind, 'webhook');
      return isClosedToBot() ? byWebhook : Math.min(byWebhook, waitMs(kind, 'bot'));
    },
    spend(kind: EditKind, route: EditRoute): void {
      windows[route].add();
      if (kind === 'stage' && route === 'bot') stageEdits.add();
    },
    /** Discord asks for no edit by `route` within `ms`. */
    pause(route: EditRoute, ms: number): void {
      pausedUntil[route] = Math.max(pausedUntil[route], clock.now() + ms);
    },
    /** The bot may not see the channel, which is taken to stay so for ten minutes. */
    closeToBot(): void {
      closedUntil = clock.now() + CLOSED_MS;
    },
    isClosedToBot,
  };
}
